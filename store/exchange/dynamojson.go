package exchange

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// maxNesting is how deep DynamoDB lets values lie in one another.
const maxNesting = 32

// item reads an item in DynamoDB's JSON: {"Price": {"N": "40"}}.
func item(raw json.RawMessage) (store.Item, error) { return attributes(raw, 0) }

func attributes(raw json.RawMessage, depth int) (store.Item, error) {
	named, err := members(raw)
	if err != nil {
		return nil, err
	}
	read := make(store.Item, len(named))
	for _, m := range named {
		if read[m.name], err = attribute(m.value, depth); err != nil {
			return nil, fmt.Errorf("its %s is no value of DynamoDB: %w", m.name, err)
		}
	}
	return read, nil
}

// member is a name of a JSON object and what is behind it.
type member struct {
	name  string
	value json.RawMessage
}

// members are an object's, in their order. A name that stands twice is an
// error: a map would keep one of the two values and lose the other.
func members(raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("it is no item with named attributes")
	}
	var found []member
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: fmt.Sprint(token)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		if seen[m.name] {
			return nil, fmt.Errorf("its %s stands twice", m.name)
		}
		seen[m.name] = true
		found = append(found, m)
	}
	return found, nil
}

// attribute reads a value with the letters of its type before it.
func attribute(raw json.RawMessage, depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("values lie more than %d deep in one another", maxNesting)
	}
	typed, err := members(raw)
	if err != nil || len(typed) != 1 {
		return nil, errors.New(`a value is written with one type, such as {"S": "text"}`)
	}
	value := typed[0].value
	switch typed[0].name {
	case "S":
		return as(value, func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} })
	case "N":
		// json.Number takes "40", as DynamoDB writes it, and 40, as people do.
		return as(value, func(v json.Number) types.AttributeValue { return &types.AttributeValueMemberN{Value: v.String()} })
	case "BOOL":
		return as(value, func(v bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: v} })
	case "NULL":
		return as(value, func(v bool) types.AttributeValue { return &types.AttributeValueMemberNULL{Value: v} })
	case "SS":
		return as(value, func(v []string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: v} })
	case "NS":
		return as(value, func(v []string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: v} })
	case "B":
		return binary(value)
	case "BS":
		return binaries(value)
	case "L":
		return list(value, depth)
	case "M":
		inner, err := attributes(value, depth+1)
		return &types.AttributeValueMemberM{Value: inner}, err
	}
	return nil, fmt.Errorf("%q is no type that is known here", typed[0].name)
}

var errMisfit = errors.New("it does not fit its type")

// as reads a JSON value as V and wraps it.
func as[V any](raw json.RawMessage, wrap func(V) types.AttributeValue) (types.AttributeValue, error) {
	var v *V // nil for a JSON null, which is no value of any type
	if err := json.Unmarshal(raw, &v); err != nil || v == nil {
		return nil, errMisfit
	}
	return wrap(*v), nil
}

func binary(raw json.RawMessage) (types.AttributeValue, error) {
	b, err := base64Of(raw)
	return &types.AttributeValueMemberB{Value: b}, err
}

func binaries(raw json.RawMessage) (types.AttributeValue, error) {
	var texts []json.RawMessage
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, errMisfit
	}
	set := make([][]byte, len(texts))
	for i, text := range texts {
		var err error
		if set[i], err = base64Of(text); err != nil {
			return nil, err
		}
	}
	return &types.AttributeValueMemberBS{Value: set}, nil
}

func base64Of(raw json.RawMessage) ([]byte, error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, errMisfit
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	return b, nil
}

func list(raw json.RawMessage, depth int) (types.AttributeValue, error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(raw, &elements); err != nil {
		return nil, errMisfit
	}
	values := make([]types.AttributeValue, len(elements))
	for i, element := range elements {
		var err error
		if values[i], err = attribute(element, depth+1); err != nil {
			return nil, err
		}
	}
	return &types.AttributeValueMemberL{Value: values}, nil
}
