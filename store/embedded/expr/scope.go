package expr

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Scope holds the ExpressionAttributeNames and ExpressionAttributeValues of one
// request. Every expression of the request is parsed through the same Scope,
// which remembers what they used. It is not for concurrent use.
type Scope struct {
	names      map[string]string
	values     map[string]types.AttributeValue
	usedNames  []string
	usedValues []string
}

// NewScope checks names and values, either of which is nil when the request
// does not have it. It keeps both maps and changes neither.
func NewScope(names map[string]string, values map[string]types.AttributeValue) (*Scope, error) {
	if err := checkPlaceholders("ExpressionAttributeNames", '#', names); err != nil {
		return nil, err
	}
	if err := checkPlaceholders("ExpressionAttributeValues", ':', values); err != nil {
		return nil, err
	}
	if err := checkNames(names); err != nil {
		return nil, err
	}
	values, err := normalizeValues(values)
	if err != nil {
		return nil, err
	}
	return &Scope{names: names, values: values}, nil
}

func checkPlaceholders[V any](parameter string, prefix byte, entries map[string]V) error {
	if entries == nil {
		return nil
	}
	if len(entries) == 0 {
		return errorf("%s must not be empty", parameter)
	}
	bad, found := "", false
	for key := range entries {
		// Of several the first in order is named: a message should not
		// depend on the order of a map.
		if !isPlaceholder(key, prefix) && (!found || key < bad) {
			bad, found = key, true
		}
	}
	if found {
		return errorf("%s contains invalid key: Syntax error; key: \"%s\"", parameter, bad)
	}
	return nil
}

func isPlaceholder(key string, prefix byte) bool {
	if len(key) < 2 || key[0] != prefix {
		return false
	}
	for i := 1; i < len(key); i++ {
		if !isWordByte(key[i]) {
			return false
		}
	}
	return true
}

// checkNames holds the placeholders to their length: the names they stand for
// have no limit of their own here, nor do the placeholders of values.
func checkNames(names map[string]string) error {
	for placeholder, name := range names {
		if len(placeholder) > maxPlaceholder {
			return errorf("ExpressionAttributeNames contains invalid key: Key too long; size of key: %d", len(placeholder))
		}
		if name == "" {
			return errorf("ExpressionAttributeNames contains invalid value: Attribute name must not be empty for key %s", placeholder)
		}
	}
	return nil
}

func normalizeValues(values map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	normal, copied := values, false
	var refused error
	refusedKey := ""
	for key, value := range values {
		v, err := NormalizeValue(value)
		if err != nil {
			if refused == nil || key < refusedKey {
				refused, refusedKey = err, key
			}
			continue
		}
		if v == value {
			continue
		}
		if !copied {
			normal, copied = maps.Clone(values), true
		}
		normal[key] = v
	}
	if refused != nil {
		return nil, errorf("ExpressionAttributeValues contains invalid value: %s for key %s", refused.Error(), refusedKey)
	}
	return normal, nil
}

// Unused refuses names and values that no expression parsed so far has used.
func (s *Scope) Unused() error {
	if err := checkUsed("ExpressionAttributeNames", s.names, s.usedNames); err != nil {
		return err
	}
	return checkUsed("ExpressionAttributeValues", s.values, s.usedValues)
}

func checkUsed[V any](parameter string, entries map[string]V, used []string) error {
	var unused []string
	for key := range entries {
		if !slices.Contains(used, key) {
			unused = append(unused, key)
		}
	}
	if unused == nil {
		return nil
	}
	slices.Sort(unused)
	return errorf("Value provided in %s unused in expressions: keys: {%s}", parameter, strings.Join(unused, ", "))
}

func (s *Scope) name(placeholder string) (string, bool) {
	name, ok := s.names[placeholder]
	if ok {
		s.usedNames = append(s.usedNames, placeholder)
	}
	return name, ok
}

func (s *Scope) value(placeholder string) (types.AttributeValue, bool) {
	value, ok := s.values[placeholder]
	if ok {
		s.usedValues = append(s.usedValues, placeholder)
	}
	return value, ok
}
