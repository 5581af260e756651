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

// maxNesting is DynamoDB's maximum depth of nested values:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const maxNesting = 32

var (
	errNotItem   = errors.New("it is not an object with attributes")
	errUntyped   = errors.New(`write a value with one type, such as {"S": "text"}`)
	errWrongType = errors.New("the value does not match its type")
	errNested    = fmt.Errorf("values are nested more than %d deep", maxNesting)
)

// parseItem parses an item in DynamoDB JSON, such as {"Price": {"N": "40"}}. The
// argument raw must be valid JSON.
func parseItem(raw json.RawMessage) (store.Item, error) {
	p := jsonParser{text: raw}
	if !p.skip('{') {
		return nil, errNotItem
	}
	return p.attributes(0)
}

// jsonParser parses DynamoDB JSON, which must be valid JSON. It is many times faster than
// encoding/json. It returns an error for duplicate names, of which encoding/json would
// ignore all but the last.
type jsonParser struct {
	text []byte
	at   int
}

// peek returns the first byte of the next token, or 0 at the end.
func (p *jsonParser) peek() byte {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return c
		}
	}
	return 0
}

// skip consumes the next token if it is c, and reports whether it did.
func (p *jsonParser) skip(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// attributes parses the members of an object, including its closing brace.
func (p *jsonParser) attributes(depth int) (store.Item, error) {
	item := make(store.Item, 16)
	for !p.skip('}') {
		name, err := p.string()
		if err != nil {
			return nil, errNotItem
		}
		if item[name] != nil {
			return nil, fmt.Errorf("the attribute %s appears twice", name)
		}
		p.skip(':')
		value, err := p.attribute(depth)
		if err != nil {
			return nil, fmt.Errorf("the attribute %s is not valid: %w", name, err)
		}
		item[name] = value
		p.skip(',')
	}
	return item, nil
}

// attribute parses an object with a type and a value, such as {"S": "text"}.
func (p *jsonParser) attribute(depth int) (types.AttributeValue, error) {
	if depth > maxNesting {
		return nil, errNested
	}
	if !p.skip('{') || p.peek() == '}' {
		return nil, errUntyped
	}
	typeName, err := p.string()
	if err != nil {
		return nil, errUntyped
	}
	p.skip(':')
	value, err := p.value(typeName, depth)
	if err == nil && !p.skip('}') {
		err = errUntyped
	}
	return value, err
}

func (p *jsonParser) value(typeName string, depth int) (types.AttributeValue, error) {
	switch typeName {
	case "S":
		v, err := p.string()
		return &types.AttributeValueMemberS{Value: v}, err
	case "N":
		v, err := p.number()
		return &types.AttributeValueMemberN{Value: v}, err
	case "B":
		v, err := p.binary()
		return &types.AttributeValueMemberB{Value: v}, err
	case "BOOL":
		v, err := p.bool()
		return &types.AttributeValueMemberBOOL{Value: v}, err
	case "NULL":
		v, err := p.bool()
		return &types.AttributeValueMemberNULL{Value: v}, err
	case "SS":
		v, err := parseArray(p, p.string)
		return &types.AttributeValueMemberSS{Value: v}, err
	case "NS":
		v, err := parseArray(p, p.number)
		return &types.AttributeValueMemberNS{Value: v}, err
	case "BS":
		v, err := parseArray(p, p.binary)
		return &types.AttributeValueMemberBS{Value: v}, err
	case "L":
		v, err := parseArray(p, func() (types.AttributeValue, error) { return p.attribute(depth + 1) })
		return &types.AttributeValueMemberL{Value: v}, err
	case "M":
		if !p.skip('{') {
			return nil, errWrongType
		}
		v, err := p.attributes(depth + 1)
		return &types.AttributeValueMemberM{Value: v}, err
	}
	return nil, fmt.Errorf("%s is not a DynamoDB type", store.Quoted(typeName))
}

// string parses a string. The usual case is a string without escapes, which it copies
// unchanged.
func (p *jsonParser) string() (string, error) {
	if p.peek() != '"' {
		return "", errWrongType
	}
	start, escaped := p.at, false
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			escaped = true
			p.at++
		case '"':
			p.at++
			if !escaped {
				return string(p.text[start+1 : p.at-1]), nil
			}
			var text string
			err := json.Unmarshal(p.text[start:p.at], &text)
			return text, err
		}
	}
	return "", errWrongType
}

// number parses a number. DynamoDB writes it as a string, such as "40". The form 40 is also
// accepted.
func (p *jsonParser) number() (string, error) {
	switch c := p.peek(); {
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		start := p.at
		for p.at < len(p.text) && bytes.IndexByte([]byte("+-.0123456789eE"), p.text[p.at]) >= 0 {
			p.at++
		}
		return string(p.text[start:p.at]), nil
	}
	return "", errWrongType
}

func (p *jsonParser) bool() (bool, error) {
	p.peek()
	for word, value := range map[string]bool{"true": true, "false": false} {
		if bytes.HasPrefix(p.text[p.at:], []byte(word)) {
			p.at += len(word)
			return value, nil
		}
	}
	return false, errWrongType
}

func (p *jsonParser) binary() ([]byte, error) {
	text, err := p.string()
	if err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	return b, nil
}

func parseArray[T any](p *jsonParser, parse func() (T, error)) ([]T, error) {
	if !p.skip('[') {
		return nil, errWrongType
	}
	elements := []T{}
	for !p.skip(']') {
		element, err := parse()
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
		p.skip(',')
	}
	return elements, nil
}
