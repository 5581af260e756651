package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityDocs_NamesExist checks that the tests and files that docs/security.md
// names as evidence exist.
func TestSecurityDocs_NamesExist(t *testing.T) {
	doc, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declared.FindAllSubmatch(text, -1) {
			tests[string(match[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	evidence := 0
	for _, match := range regexp.MustCompile("`([^` ]+)`").FindAllStringSubmatch(string(doc), -1) {
		name := match[1]
		switch {
		case strings.HasPrefix(name, "Test"):
			evidence++
			if !tests[name] {
				t.Errorf("docs/security.md names the test %s, which does not exist", name)
			}
		case strings.Contains(name, "/") && !strings.HasPrefix(name, "/"), strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".md"):
			evidence++
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
	}
	if evidence < 100 {
		t.Errorf("docs/security.md names only %d tests and files as evidence, want at least 100", evidence)
	}
}
