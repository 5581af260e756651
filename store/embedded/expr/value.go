package expr

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// NormalizeValue validates an attribute value, including nested values. It returns the
// value with numbers in canonical form, and with the members of sets in ascending order,
// so that equal values have one form. DynamoDB documents no order of members. If nothing
// changes, NormalizeValue returns the same value. It never modifies its argument.
func NormalizeValue(value types.AttributeValue) (types.AttributeValue, error) {
	return normalize(value, 1)
}

func normalize(value types.AttributeValue, depth int) (types.AttributeValue, error) {
	if depth > maxDepth {
		return nil, errorf("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberS, *types.AttributeValueMemberB, *types.AttributeValueMemberBOOL:
		return value, nil
	case *types.AttributeValueMemberNULL:
		if !v.Value {
			return nil, invalidValue("Null attribute value types must have the value of true")
		}
		return value, nil
	case *types.AttributeValueMemberN:
		return normalizeNumber(v)
	case *types.AttributeValueMemberSS:
		return normalizeStringSet(v)
	case *types.AttributeValueMemberBS:
		return normalizeBinarySet(v)
	case *types.AttributeValueMemberNS:
		return normalizeNumberSet(v)
	case *types.AttributeValueMemberL:
		return normalizeList(v, depth)
	case *types.AttributeValueMemberM:
		return normalizeMap(v, depth)
	case *types.UnknownUnionMember:
		// Package wire uses this type for a value that has several types.
		return nil, errorf("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	}
	return nil, errorf("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
}

func normalizeNumber(v *types.AttributeValueMemberN) (types.AttributeValue, error) {
	text, err := normalizeText(v.Value)
	if err != nil || text == v.Value {
		return v, err
	}
	return &types.AttributeValueMemberN{Value: text}, nil
}

func normalizeText(text string) (string, error) {
	normal, err := number.Normalize(text)
	if err != nil {
		return "", numberError(err)
	}
	return normal, nil
}

// numberError converts an error of package number to an *Error.
func numberError(err error) error {
	if refused := new(number.Error); errors.As(err, &refused) {
		return &Error{refused.Message}
	}
	return err
}

func normalizeNumberSet(v *types.AttributeValueMemberNS) (types.AttributeValue, error) {
	if len(v.Value) == 0 {
		return nil, invalidValue("An number set  may not be empty")
	}
	texts, copied := v.Value, false
	for i, text := range v.Value {
		normal, err := normalizeText(text)
		if err != nil {
			return nil, err
		}
		if normal == text {
			continue
		}
		if !copied {
			texts, copied = slices.Clone(texts), true
		}
		texts[i] = normal
	}
	if hasDuplicates(texts) {
		return nil, errorf("Input collection contains duplicates")
	}
	sorted, err := sortNumbers(texts)
	if err != nil {
		return nil, err
	}
	if !copied && sorted == nil {
		return v, nil
	}
	if sorted == nil {
		sorted = texts
	}
	return &types.AttributeValueMemberNS{Value: sorted}, nil
}

func normalizeStringSet(v *types.AttributeValueMemberSS) (types.AttributeValue, error) {
	if len(v.Value) == 0 {
		return nil, invalidValue("An string set  may not be empty")
	}
	if hasDuplicates(v.Value) {
		return nil, invalidValue("Input collection [" + strings.Join(v.Value, ", ") + "] contains duplicates.")
	}
	if slices.IsSorted(v.Value) {
		return v, nil
	}
	return &types.AttributeValueMemberSS{Value: slices.Sorted(slices.Values(v.Value))}, nil
}

func normalizeBinarySet(v *types.AttributeValueMemberBS) (types.AttributeValue, error) {
	if len(v.Value) == 0 {
		return nil, invalidValue("Binary sets should not be empty")
	}
	if !hasDuplicates(members(v)) {
		if slices.IsSortedFunc(v.Value, bytes.Compare) {
			return v, nil
		}
		return &types.AttributeValueMemberBS{Value: slices.SortedFunc(slices.Values(v.Value), bytes.Compare)}, nil
	}
	encoded := make([]string, len(v.Value))
	for i, member := range v.Value {
		encoded[i] = base64.StdEncoding.EncodeToString(member)
	}
	return nil, invalidValue("Input collection [" + strings.Join(encoded, ", ") + "]of type BS contains duplicates.")
}

func normalizeList(v *types.AttributeValueMemberL, depth int) (types.AttributeValue, error) {
	list, copied := v.Value, false
	for i, element := range v.Value {
		normal, err := normalize(element, depth+1)
		if err != nil {
			return nil, err
		}
		if normal == element {
			continue
		}
		if !copied {
			list, copied = slices.Clone(list), true
		}
		list[i] = normal
	}
	if !copied {
		return v, nil
	}
	return &types.AttributeValueMemberL{Value: list}, nil
}

func normalizeMap(v *types.AttributeValueMemberM, depth int) (types.AttributeValue, error) {
	var changed Item
	for key, element := range v.Value {
		normal, err := normalize(element, depth+1)
		if err != nil {
			return nil, err
		}
		if normal == element {
			continue
		}
		if changed == nil {
			changed = make(Item)
		}
		changed[key] = normal
	}
	if changed == nil {
		return v, nil
	}
	for key, element := range v.Value {
		if _, ok := changed[key]; !ok {
			changed[key] = element
		}
	}
	return &types.AttributeValueMemberM{Value: changed}, nil
}

func invalidValue(reason string) error {
	return errorf("One or more parameter values were invalid: %s", reason)
}
