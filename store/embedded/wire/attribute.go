package wire

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func decodeItem(entries members) (map[string]types.AttributeValue, error) {
	item := make(map[string]types.AttributeValue, len(entries))
	for _, entry := range entries {
		if entry.value == nil {
			item[entry.name] = nil
			continue
		}
		value, err := decodeAttribute(entry.value, inElement)
		if err != nil {
			return item, err
		}
		item[entry.name] = value
	}
	return item, nil
}

// decodeAttribute decodes an attribute value. It returns nil for a value without a type,
// and an UnknownUnionMember for a value with several types. The engine then returns the
// error that DynamoDB returns for such a value in this operation.
func decodeAttribute(data any, where position) (types.AttributeValue, error) {
	members, err := object(data, "class com.amazonaws.dynamodb.v20120810.AttributeValue", where)
	if err != nil {
		return nil, err
	}
	var value types.AttributeValue
	var typeName string
	for _, member := range members {
		next := newAttribute(member.name)
		if next == nil {
			continue
		}
		if member.value == nil {
			if member.name == typeName {
				value, typeName = nil, ""
			}
			continue
		}
		if value != nil && member.name != typeName {
			return &types.UnknownUnionMember{Tag: "several"}, nil
		}
		value, typeName = next, member.name
		if err := decodeAttributeValue(next, member.value); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// decodeAttributeValue decodes the content of an attribute value, whose type is already
// known.
func decodeAttributeValue(value types.AttributeValue, data any) (err error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		v.Value, err = decodeString(data)
	case *types.AttributeValueMemberN:
		v.Value, err = decodeString(data)
	default:
		err = decodeInto(reflect.ValueOf(value).Elem().FieldByName("Value"), data, inField)
	}
	return err
}

// newAttribute returns an empty value of a type, or nil if the type is unknown.
func newAttribute(name string) types.AttributeValue {
	switch name {
	case "S":
		return &types.AttributeValueMemberS{}
	case "N":
		return &types.AttributeValueMemberN{}
	case "B":
		return &types.AttributeValueMemberB{}
	case "BOOL":
		return &types.AttributeValueMemberBOOL{}
	case "NULL":
		return &types.AttributeValueMemberNULL{}
	case "SS":
		return &types.AttributeValueMemberSS{}
	case "NS":
		return &types.AttributeValueMemberNS{}
	case "BS":
		return &types.AttributeValueMemberBS{}
	case "L":
		return &types.AttributeValueMemberL{}
	case "M":
		return &types.AttributeValueMemberM{}
	}
	return nil
}

func appendAttribute(out []byte, value types.AttributeValue) []byte {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		out = appendString(append(out, `{"S":`...), v.Value)
	case *types.AttributeValueMemberN:
		out = appendString(append(out, `{"N":`...), v.Value)
	case *types.AttributeValueMemberB:
		out = appendBlob(append(out, `{"B":`...), v.Value)
	case *types.AttributeValueMemberBOOL:
		out = appendBool(append(out, `{"BOOL":`...), v.Value)
	case *types.AttributeValueMemberNULL:
		out = appendBool(append(out, `{"NULL":`...), v.Value)
	case *types.AttributeValueMemberSS:
		out = appendList(append(out, `{"SS":`...), v.Value, appendString)
	case *types.AttributeValueMemberNS:
		out = appendList(append(out, `{"NS":`...), v.Value, appendString)
	case *types.AttributeValueMemberBS:
		out = appendList(append(out, `{"BS":`...), v.Value, appendBlob)
	case *types.AttributeValueMemberL:
		out = appendList(append(out, `{"L":`...), v.Value, appendAttribute)
	case *types.AttributeValueMemberM:
		out = appendItem(append(out, `{"M":`...), v.Value)
	default:
		return append(out, "{}"...)
	}
	return append(out, '}')
}

func appendItem(out []byte, item map[string]types.AttributeValue) []byte {
	out = append(out, '{')
	first := true
	for name, value := range item {
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(appendString(out, name), ':')
		out = appendAttribute(out, value)
	}
	return append(out, '}')
}

func appendList[E any](out []byte, elements []E, appendElement func([]byte, E) []byte) []byte {
	out = append(out, '[')
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendElement(out, element)
	}
	return append(out, ']')
}
