package store_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"stockroom/store"
)

const checkDocs = "../docs/check.md"

// TestCheckDocsAreCurrent compares the rules in docs/check.md with CheckRules. With
// -update, it writes them to docs/check.md.
func TestCheckDocsAreCurrent(t *testing.T) {
	const head = "|---|---|\n"
	text, err := os.ReadFile(checkDocs)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), head)
	_, after, _ := strings.Cut(rest, "\n\n")
	var b strings.Builder
	b.WriteString(before + head)
	for _, r := range store.CheckRules {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Rule, r.Text)
	}
	b.WriteString("\n" + after)
	if *update {
		if err := os.WriteFile(checkDocs, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != b.String() {
		t.Error("docs/check.md differs from CheckRules: run go test ./store -run TestCheckDocsAreCurrent -update")
	}
}
