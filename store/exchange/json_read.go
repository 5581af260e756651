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

// item reads an item in DynamoDB's JSON: {"Price": {"N": "40"}}. What it is
// given has to be JSON.
func item(raw json.RawMessage) (store.Item, error) {
	r := reader{text: raw}
	if !r.takes('{') {
		return nil, errNoItem
	}
	return r.attributes(0)
}

// reader goes through text that is known to be JSON. It knows the few shapes
// that an item has, so it is many times as fast as a decoder that knows all;
// and unlike a map, it sees a name that stands twice, of which one value would
// be lost.
type reader struct {
	text []byte
	at   int
}

// next is the byte at which the next token begins, 0 behind the end.
func (r *reader) next() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// takes goes over a token of one byte, if it is the next one.
func (r *reader) takes(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// attributes reads names and values to the end of an object that was opened.
func (r *reader) attributes(depth int) (store.Item, error) {
	read := make(store.Item, 16)
	for !r.takes('}') {
		name, err := r.words()
		if err != nil {
			return nil, errNoItem
		}
		if read[name] != nil {
			return nil, fmt.Errorf("its %s stands twice", name)
		}
		r.takes(':')
		value, err := r.attribute(depth)
		if err != nil {
			return nil, fmt.Errorf("its %s is no value of DynamoDB: %w", name, err)
		}
		read[name] = value
		r.takes(',')
	}
	return read, nil
}

// attribute reads a value with the letters of its type before it.
func (r *reader) attribute(depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, errNested
	}
	if !r.takes('{') || r.next() == '}' {
		return nil, errTyped
	}
	letters, err := r.words()
	if err != nil {
		return nil, errTyped
	}
	r.takes(':')
	value, err := r.value(letters, depth)
	if err == nil && !r.takes('}') {
		err = errTyped
	}
	return value, err
}

func (r *reader) value(letters string, depth int) (types.AttributeValue, error) {
	switch letters {
	case "S":
		v, err := r.words()
		return &types.AttributeValueMemberS{Value: v}, err
	case "N":
		v, err := r.number()
		return &types.AttributeValueMemberN{Value: v}, err
	case "B":
		v, err := r.binary()
		return &types.AttributeValueMemberB{Value: v}, err
	case "BOOL":
		v, err := r.truth()
		return &types.AttributeValueMemberBOOL{Value: v}, err
	case "NULL":
		v, err := r.truth()
		return &types.AttributeValueMemberNULL{Value: v}, err
	case "SS":
		v, err := elements(r, r.words)
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
		if !r.takes('{') {
			return nil, errMisfit
		}
		v, err := r.attributes(depth + 1)
		return &types.AttributeValueMemberM{Value: v}, err
	}
	return nil, fmt.Errorf("%q is no type that is known here", letters)
}

// words reads a text. One without escapes, as most are, is copied as it is.
func (r *reader) words() (string, error) {
	if r.next() != '"' {
		return "", errMisfit
	}
	begin, escaped := r.at, false
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			escaped = true
			r.at++
		case '"':
			r.at++
			if !escaped {
				return string(r.text[begin+1 : r.at-1]), nil
			}
			var text string
			err := json.Unmarshal(r.text[begin:r.at], &text)
			return text, err
		}
	}
	return "", errMisfit
}

// number reads "40", as DynamoDB writes it, and 40, as people do.
func (r *reader) number() (string, error) {
	switch c := r.next(); {
	case c == '"':
		return r.words()
	case c == '-' || c >= '0' && c <= '9':
		begin := r.at
		for r.at < len(r.text) && bytes.IndexByte([]byte("+-.0123456789eE"), r.text[r.at]) >= 0 {
			r.at++
		}
		return string(r.text[begin:r.at]), nil
	}
	return "", errMisfit
}

func (r *reader) truth() (bool, error) {
	r.next()
	for word, value := range map[string]bool{"true": true, "false": false} {
		if bytes.HasPrefix(r.text[r.at:], []byte(word)) {
			r.at += len(word)
			return value, nil
		}
	}
	return false, errMisfit
}

func (r *reader) binary() ([]byte, error) {
	text, err := r.words()
	if err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	return b, nil
}

func elements[T any](r *reader, element func() (T, error)) ([]T, error) {
	if !r.takes('[') {
		return nil, errMisfit
	}
	all := []T{}
	for !r.takes(']') {
		one, err := element()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
		r.takes(',')
	}
	return all, nil
}
