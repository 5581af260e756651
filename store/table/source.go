package table

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// source is an item that is being decoded. An attribute that is missing or has
// another type reads as the zero value.
type source interface {
	has(name string) bool
	text(name string) string // of a string, or the digits of a number
	flag(name string) bool
	texts(name string) []string
	nested(name string) source // nil if the attribute is not a map
	maps(name string) []source // the maps in a list
}

// itemSource reads attributes from the SDK's representation of an item.
type itemSource Item

func (s itemSource) has(name string) bool { return s[name] != nil }

func (s itemSource) text(name string) string {
	switch v := s[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func (s itemSource) flag(name string) bool {
	v, _ := s[name].(*types.AttributeValueMemberBOOL)
	return v != nil && v.Value
}

func (s itemSource) texts(name string) []string {
	switch v := s[name].(type) {
	case *types.AttributeValueMemberSS:
		return v.Value
	case *types.AttributeValueMemberL:
		texts := make([]string, 0, len(v.Value))
		for _, member := range v.Value {
			if s, ok := member.(*types.AttributeValueMemberS); ok {
				texts = append(texts, s.Value)
			}
		}
		return texts
	}
	return nil
}

func (s itemSource) nested(name string) source {
	m, ok := s[name].(*types.AttributeValueMemberM)
	if !ok {
		return nil
	}
	return itemSource(m.Value)
}

func (s itemSource) maps(name string) []source {
	list, ok := s[name].(*types.AttributeValueMemberL)
	if !ok {
		return nil
	}
	all := make([]source, 0, len(list.Value))
	for _, member := range list.Value {
		if m, ok := member.(*types.AttributeValueMemberM); ok {
			all = append(all, itemSource(m.Value))
		}
	}
	return all
}

// StringValue returns an attribute value with a string.
func StringValue(text string) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: text}
}

// NumberValue returns an attribute value with a number, given as text.
func NumberValue(text string) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: text}
}

// sameValue reports whether two attribute values are equal. It supports the attribute
// types that entities have.
func sameValue(a, b types.AttributeValue) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberL:
		b, ok := b.(*types.AttributeValueMemberL)
		return ok && slices.EqualFunc(a.Value, b.Value, sameValue)
	case *types.AttributeValueMemberM:
		b, ok := b.(*types.AttributeValueMemberM)
		return ok && maps.EqualFunc(a.Value, b.Value, sameValue)
	}
	return false
}

// ParseTime parses a stored time or date. Without a zone, it is in UTC. ParseTime
// drops fractions of a second.
func ParseTime(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC().Truncate(time.Second), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", key.Day} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Truncate(time.Second), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time", text)
}
