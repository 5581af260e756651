package views_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestTemplates_AreNotInlined checks that the compiler cannot inline templates, which
// would double the compile time of views and handlers.
func TestTemplates_AreNotInlined(t *testing.T) {
	files, _ := filepath.Glob("*.templ")
	more, _ := filepath.Glob("ui/*.templ")
	template := regexp.MustCompile(`(?m)^(.*)\n(templ .*) \{$`)
	found := 0
	for _, path := range slices.Concat(files, more) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range template.FindAllStringSubmatch(string(text), -1) {
			if found++; m[1] != "//go:noinline" {
				t.Errorf("%s: got no //go:noinline above %q, want it", path, m[2])
			}
		}
	}
	if found == 0 {
		t.Error("got no templates, want all")
	}
}

// TestPage_HasFewMethods checks that Page gets no further methods. The compiler repeats each
// method for each of about 150 structs of pages, which had once doubled the number of
// functions in views. Write a function with the argument p *Page instead.
func TestPage_HasFewMethods(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	method := regexp.MustCompile(`(?m)^func \(\w* ?\*?Page\) (\w+)\(`)
	var got []string
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range method.FindAllStringSubmatch(string(text), -1) {
			got = append(got, m[1])
		}
	}
	slices.Sort(got)
	if want := []string{"calendar", "day", "may", "money", "sum", "time", "warehouseName", "zone"}; !slices.Equal(got, want) {
		t.Errorf("got the methods %q, want %q", got, want)
	}
}
