package handlers

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestFiles_NameMembersOnce requests all lists as JSON. In some lists, rows store the
// name of a record and also refer to the record. Even there, no object may have two
// members with the same name.
func TestFiles_NameMembersOnce(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for route, want := range matrix {
		if want.formats != 2 || !strings.HasPrefix(route, "GET ") {
			continue
		}
		path, query, _ := strings.Cut(want.address, "?")
		page := admin.get(path + ".json?" + query).body
		for _, name := range repeatedMembers(json.NewDecoder(strings.NewReader(page))) {
			t.Errorf("%s: got the member %s twice in an object", route, name)
		}
	}
}

// repeatedMembers returns the names that occur twice in the same object.
func repeatedMembers(d *json.Decoder) (repeated []string) {
	var walk func() bool
	walk = func() bool {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('{'):
			var names []string
			for d.More() {
				name, _ := d.Token()
				text, _ := name.(string)
				if slices.Contains(names, text) {
					repeated = append(repeated, text)
				}
				names = append(names, text)
				if !walk() {
					return false
				}
			}
			_, err = d.Token()
		case json.Delim('['):
			for d.More() {
				if !walk() {
					return false
				}
			}
			_, err = d.Token()
		}
		return err == nil
	}
	walk()
	return repeated
}
