package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyTestsAreUnsafe checks that only tests use the functions and options below. They
// make tests faster or predictable, but would make a server unsafe.
func TestOnlyTestsAreUnsafe(t *testing.T) {
	unsafe := map[string]string{ // maps a name to the file that declares it
		"WeakenPasswords": "store/password.go",
		"NoSync":          "store/embedded/db.go",
		"UseEventKey":     "store/event_hour.go",
	}
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for name, declared := range unsafe {
			switch {
			case !strings.Contains(string(text), name):
			case path == declared:
				found[name] = true
			case !strings.HasPrefix(path, "store/storetest/"):
				t.Errorf("%s uses %s, which only tests may", path, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(unsafe) {
		t.Errorf("got declarations of %v only, want all %d names", found, len(unsafe))
	}
}
