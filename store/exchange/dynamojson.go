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

// What may be wrong with a row that is JSON.
var (
	errNoItem = errors.New("it is no item with named attributes")
	errTyped  = errors.New(`a value is written with one type, such as {"S": "text"}`)
	errMisfit = errors.New("it does not fit its type")
	errNested = fmt.Errorf("values lie more than %d deep in one another", maxNesting)
)

// item reads an item in DynamoDB's JSON: {"Price": {"N": "40"}}.
func item(raw json.RawMessage) (store.Item, error) {
	r := reader{json.NewDecoder(bytes.NewReader(raw))}
	r.UseNumber()
	if r.next() != json.Delim('{') {
		return nil, errNoItem
	}
	return r.attributes(0)
}

// reader goes through a row token by token. Unlike a map, it sees a name that
// stands twice, of which one value would be lost.
type reader struct{ *json.Decoder }

// next is the next token, nil for null and behind the end.
func (r reader) next() json.Token {
	token, err := r.Token()
	if err != nil { // not of a row, which is JSON from beginning to end
		return nil
	}
	return token
}

// attributes reads names and values to the end of an object that was opened.
func (r reader) attributes(depth int) (store.Item, error) {
	read := store.Item{}
	for r.More() {
		name, _ := r.next().(string)
		if read[name] != nil {
			return nil, fmt.Errorf("its %s stands twice", name)
		}
		value, err := r.attribute(depth)
		if err != nil {
			return nil, fmt.Errorf("its %s is no value of DynamoDB: %w", name, err)
		}
		read[name] = value
	}
	r.next()
	return read, nil
}

// attribute reads a value with the letters of its type before it.
func (r reader) attribute(depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, errNested
	}
	if r.next() != json.Delim('{') || !r.More() {
		return nil, errTyped
	}
	letters, _ := r.next().(string)
	value, err := r.value(letters, depth)
	if err == nil && r.next() != json.Delim('}') {
		err = errTyped
	}
	return value, err
}

func (r reader) value(letters string, depth int) (types.AttributeValue, error) {
	switch letters {
	case "S":
		v, err := scalarOf[string](r)
		return &types.AttributeValueMemberS{Value: v}, err
	case "N":
		v, err := r.number()
		return &types.AttributeValueMemberN{Value: v}, err
	case "B":
		v, err := r.binary()
		return &types.AttributeValueMemberB{Value: v}, err
	case "BOOL":
		v, err := scalarOf[bool](r)
		return &types.AttributeValueMemberBOOL{Value: v}, err
	case "NULL":
		v, err := scalarOf[bool](r)
		return &types.AttributeValueMemberNULL{Value: v}, err
	case "SS":
		v, err := elements(r, func() (string, error) { return scalarOf[string](r) })
		return &types.AttributeValueMemberSS{Value: v}, err
	case "NS":
		v, err := elements(r, r.number)
		return &types.AttributeValueMemberNS{Value: v}, err
	case "BS":
		v, err := elements(r, r.binary)
		return &types.AttributeValueMemberBS{Value: v}, err
	case "L":
		v, err := elements(r, func() (types.AttributeValue, error) { return r.attribute(depth + 1) })
		return &types.AttributeValueMemberL{Value: v}, err
	case "M":
		if r.next() != json.Delim('{') {
			return nil, errMisfit
		}
		v, err := r.attributes(depth + 1)
		return &types.AttributeValueMemberM{Value: v}, err
	}
	return nil, fmt.Errorf("%q is no type that is known here", letters)
}

func scalarOf[T any](r reader) (T, error) {
	v, ok := r.next().(T)
	if !ok {
		return v, errMisfit
	}
	return v, nil
}

// number reads "40", as DynamoDB writes it, and 40, as people do.
func (r reader) number() (string, error) {
	switch v := r.next().(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", errMisfit
}

func (r reader) binary() ([]byte, error) {
	text, err := scalarOf[string](r)
	if err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	return b, nil
}

func elements[T any](r reader, element func() (T, error)) ([]T, error) {
	if r.next() != json.Delim('[') {
		return nil, errMisfit
	}
	all := []T{}
	for r.More() {
		one, err := element()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	r.next()
	return all, nil
}
