package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyTestsWeakenPasswords checks that the program never hashes passwords as
// fast as its tests do.
func TestOnlyTestsWeakenPasswords(t *testing.T) {
	const call = "WeakenPasswords"
	found := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), call) {
			return err
		}
		found++
		if !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "store/storetest/") && path != "store/password.go" {
			t.Errorf("%s calls %s, which only tests may", path, call)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Errorf("got no calls of %s, want those of the tests", call)
	}
}
