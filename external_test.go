package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var testPackage = regexp.MustCompile(`(?m)^package \w+_test$`)

// TestLargePackagesAreTestedFromOutside checks that large packages have only external
// tests (package store_test). An internal test would make the go command compile the
// package, and every package that imports it, a second time.
func TestLargePackagesAreTestedFromOutside(t *testing.T) {
	for _, folder := range []string{"store", "store/storetest", "views"} {
		files, err := filepath.Glob(folder + "/*_test.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d test files, error %v, want at least one", folder, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !testPackage.Match(text) {
				t.Errorf("%s: got an internal test, want package %s_test", file, filepath.Base(folder))
			}
		}
	}
}
