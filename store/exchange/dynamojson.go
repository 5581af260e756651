package exchange

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// item reads an item in DynamoDB's JSON: {"Price": {"N": "40"}}.
func item(raw json.RawMessage) (store.Item, error) {
	var attributes map[string]json.RawMessage
	if err := json.Unmarshal(raw, &attributes); err != nil || attributes == nil {
		return nil, fmt.Errorf("the row is no item")
	}
	read := make(store.Item, len(attributes))
	for name, value := range attributes {
		v, err := attribute(value)
		if err != nil {
			return nil, fmt.Errorf("its %s is no value of DynamoDB: %w", name, err)
		}
		read[name] = v
	}
	return read, nil
}

// attribute reads a value with the letters of its type before it.
func attribute(raw json.RawMessage) (types.AttributeValue, error) {
	var typed map[string]json.RawMessage
	if err := json.Unmarshal(raw, &typed); err != nil || len(typed) != 1 {
		return nil, fmt.Errorf("a value is written with one type, such as {\"S\": \"text\"}")
	}
	kind, value := only(typed)
	switch kind {
	case "S":
		return as(value, func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} })
	case "N":
		return as(value, func(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} })
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
	case "L":
		return list(value)
	case "M":
		inner, err := item(value)
		return &types.AttributeValueMemberM{Value: inner}, err
	}
	return nil, fmt.Errorf("%q is no type that is known here", kind)
}

// only is the one member of a map that has one.
func only(typed map[string]json.RawMessage) (kind string, value json.RawMessage) {
	for kind, value = range typed {
	}
	return kind, value
}

// as reads a JSON value as V and wraps it.
func as[V any](raw json.RawMessage, wrap func(V) types.AttributeValue) (types.AttributeValue, error) {
	var v V
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("it does not fit its type")
	}
	return wrap(v), nil
}

func binary(raw json.RawMessage) (types.AttributeValue, error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("it does not fit its type")
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("it is not base64")
	}
	return &types.AttributeValueMemberB{Value: b}, nil
}

func list(raw json.RawMessage) (types.AttributeValue, error) {
	var members []json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, fmt.Errorf("it does not fit its type")
	}
	values := make([]types.AttributeValue, len(members))
	for i, member := range members {
		var err error
		if values[i], err = attribute(member); err != nil {
			return nil, err
		}
	}
	return &types.AttributeValueMemberL{Value: values}, nil
}
