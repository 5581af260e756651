package store

import (
	"encoding/json"
	"slices"
)

// EventValue is one value of a record before and after a change, as its form shows it.
// Event.Before and Event.After describe the same change for people: they omit the values of
// hidden fields and shorten long values.
type EventValue struct {
	Name   string `json:"n"`           // the field, such as price
	Part   string `json:"p,omitempty"` // the part of the record, such as a warehouse ID; "" for the record itself
	Before string `json:"b,omitempty"`
	After  string `json:"a,omitempty"`
}

// values returns the values of the fields that differ between before and after. part is
// their EventValue.Part.
func (fs Fields[T]) values(before, after *T, part string) []EventValue {
	var values []EventValue
	for i := range fs {
		if from, to := fs[i].format(before), fs[i].format(after); from != to {
			values = append(values, EventValue{Name: fs[i].Name, Part: part, Before: from, After: to})
		}
	}
	return values
}

// set sets the value of a field. It reports whether the field exists and the value is
// valid.
func (fs Fields[T]) set(t *T, name, value string) bool {
	f := fs.named(name)
	return f != nil && f.parse(t, value) == nil
}

// eventValues encodes values for Event.Values. It returns "" without values.
func eventValues(values ...EventValue) string {
	if len(values) == 0 {
		return ""
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // a struct of strings can always be encoded
	}
	return string(text)
}

// values decodes the values of an event. It returns nil for an event without values, such
// as an imported event.
func (e *Event) values() []EventValue {
	var values []EventValue
	if json.Unmarshal([]byte(e.Values), &values) != nil {
		return nil
	}
	return values
}

// HasValue reports whether a field had this value before or after the change.
func (e *Event) HasValue(text string) bool {
	return slices.ContainsFunc(e.values(), func(v EventValue) bool { return v.Before == text || v.After == text })
}

// value returns the value with this name and part. It returns false if there is none.
func value(values []EventValue, part, name string) (EventValue, bool) {
	i := slices.IndexFunc(values, func(v EventValue) bool { return v.Part == part && v.Name == name })
	if i < 0 {
		return EventValue{}, false
	}
	return values[i], true
}

// parts returns the different parts of the values, in the order in which they appear first.
func parts(values []EventValue) []string {
	var found []string
	for _, v := range values {
		if !slices.Contains(found, v.Part) {
			found = append(found, v.Part)
		}
	}
	return found
}
