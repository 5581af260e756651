package store

import (
	"encoding/json"
	"slices"
)

// EventValue is one value of a record before and after a change, as its form shows it.
// Event.Before and Event.After describe the same change for people: they omit hidden
// fields and shorten long texts.
type EventValue struct {
	Name   string `json:"n"`           // the field, such as price
	Part   string `json:"p,omitempty"` // the part of the record, such as a warehouse ID; "" for the record itself
	Before string `json:"b,omitempty"`
	After  string `json:"a,omitempty"`
}

// eventValues encodes values for Event.Values. It omits values that do not change,
// unless they identify what the event is about.
func eventValues(values ...EventValue) string {
	if len(values) == 0 {
		return ""
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // a struct of texts can always be encoded
	}
	return string(text)
}

// values decodes the values of an event. It returns nil for events that earlier
// versions recorded and for imported events, which have none.
func (e *Event) values() []EventValue {
	var values []EventValue
	if json.Unmarshal([]byte(e.Values), &values) != nil {
		return nil
	}
	return values
}

// value returns the value of a field in a part of the record.
func value(values []EventValue, part, name string) (EventValue, bool) {
	i := slices.IndexFunc(values, func(v EventValue) bool { return v.Part == part && v.Name == name })
	if i < 0 {
		return EventValue{}, false
	}
	return values[i], true
}

// parts returns the parts of the record that the values are about, in their order.
func parts(values []EventValue) []string {
	var found []string
	for _, v := range values {
		if !slices.Contains(found, v.Part) {
			found = append(found, v.Part)
		}
	}
	return found
}
