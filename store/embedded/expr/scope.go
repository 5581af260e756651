package expr

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Scope contains the ExpressionAttributeNames and ExpressionAttributeValues of a
// request. All expressions of the request are parsed with the same Scope, which
// records the placeholders that they use. A Scope is not safe for concurrent use.
type Scope struct {
	names      map[string]string
	values     map[string]types.AttributeValue
	usedNames  usage
	usedValues usage
}

// NewScope checks the names and values of a request. A nil map means that the request
// lacks the parameter. NewScope keeps both maps and does not modify them.
func NewScope(names map[string]string, values map[string]types.AttributeValue) (*Scope, error) {
	for placeholder, name := range names {
		if !isPlaceholder(placeholder, '#') || len(placeholder) > maxPlaceholder || name == "" {
			return nil, namesError(names)
		}
	}
	if names != nil && len(names) == 0 {
		return nil, errorf("ExpressionAttributeNames must not be empty")
	}
	values, err := normalizeValues(values)
	if err != nil {
		return nil, err
	}
	return &Scope{names, values, newUsage(len(names)), newUsage(len(values))}, nil
}

// namesError returns the error for invalid names. It checks the names in sorted
// order, so that the message is always the same.
func namesError(names map[string]string) error {
	const parameter = "ExpressionAttributeNames"
	if err := checkPlaceholders(parameter, '#', names); err != nil {
		return err
	}
	for _, placeholder := range slices.Sorted(maps.Keys(names)) {
		if len(placeholder) > maxPlaceholder {
			return errorf("%s contains invalid key: Key too long; size of key: %d", parameter, len(placeholder))
		}
	}
	return errorf("%s contains invalid value: An attribute name must not be empty", parameter)
}

func checkPlaceholders[V any](parameter string, prefix byte, entries map[string]V) error {
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if !isPlaceholder(key, prefix) {
			return errorf("%s contains invalid key: Syntax error; key: \"%s\"", parameter, key)
		}
	}
	return nil
}

func isPlaceholder(key string, prefix byte) bool {
	return len(key) > 1 && key[0] == prefix && wordEnd(key, 1) == len(key)
}

// normalizeValues normalizes values. If all values are already normalized, it returns
// the same map.
func normalizeValues(values map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	const parameter = "ExpressionAttributeValues"
	if values != nil && len(values) == 0 {
		return nil, errorf("%s must not be empty", parameter)
	}
	normal, failed := true, false
	for key, value := range values {
		v, err := NormalizeValue(value)
		failed = failed || err != nil || !isPlaceholder(key, ':')
		normal = normal && v == value
	}
	if normal && !failed {
		return values, nil
	}
	if err := checkPlaceholders(parameter, ':', values); err != nil {
		return nil, err
	}
	copied := make(map[string]types.AttributeValue, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var err error
		if copied[key], err = NormalizeValue(values[key]); err != nil {
			return nil, errorf("%s contains invalid value: %s for key %s", parameter, err, key)
		}
	}
	return copied, nil
}

// Unused returns an error if a name or value was not used by any of the parsed
// expressions.
func (s *Scope) Unused() error {
	if err := checkUsed("ExpressionAttributeNames", s.names, &s.usedNames); err != nil {
		return err
	}
	return checkUsed("ExpressionAttributeValues", s.values, &s.usedValues)
}

func checkUsed[V any](parameter string, entries map[string]V, used *usage) error {
	if len(used.keys) == len(entries) {
		return nil
	}
	var unused []string
	for key := range entries {
		if !slices.Contains(used.keys, key) {
			unused = append(unused, key)
		}
	}
	slices.Sort(unused)
	return errorf("Value provided in %s unused in expressions: keys: {%s}", parameter, strings.Join(unused, ", "))
}

func (s *Scope) name(placeholder string) (string, bool) {
	name, ok := s.names[placeholder]
	if ok {
		s.usedNames.add(placeholder)
	}
	return name, ok
}

func (s *Scope) value(placeholder string) (types.AttributeValue, bool) {
	value, ok := s.values[placeholder]
	if ok {
		s.usedValues.add(placeholder)
	}
	return value, ok
}

// usage is a set of used placeholders. It has one bit per hash value. If the bit of a
// placeholder's hash is not set, the placeholder is not in the set, and no search is
// needed.
type usage struct {
	keys   []string
	hashes uint64
}

func newUsage(count int) usage { return usage{keys: make([]string, 0, count)} }

func (u *usage) add(key string) {
	hash := uint64(len(key))
	for i := range len(key) {
		hash = hash*31 + uint64(key[i])
	}
	bit := uint64(1) << (hash % 64)
	if u.hashes&bit != 0 && slices.Contains(u.keys, key) {
		return
	}
	u.hashes |= bit
	u.keys = append(u.keys, key)
}
