package table

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

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
	t, err := parseZoned(text)
	return t.UTC().Truncate(time.Second), err
}

// parseZoned parses a stored time or date in its own zone.
func parseZoned(text string) (time.Time, error) {
	if len(text) == len(key.Day) {
		if t, err := time.Parse(key.Day, text); err == nil {
			return t, nil // most stored times have this form or that of RFC 3339
		}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is not a time", Quoted(text))
}

// ParseDate returns the calendar day of a stored time or date, at midnight UTC. It keeps
// the day as written: 2026-11-21T00:00:00+01:00 is the 21st, although it is still the 20th
// in UTC.
func ParseDate(text string) (time.Time, error) {
	t, err := parseZoned(text)
	if err != nil {
		return t, err
	}
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
}
