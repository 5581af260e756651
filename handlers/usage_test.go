package handlers

import (
	"flag"
	"fmt"
	"go/format"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

var update = flag.Bool("update", false, "write the table of which pages ask which pattern")

var readRows = regexp.MustCompile(`<tr><td><a href="/data/patterns/[^"]*" dir="auto">(\w+)</a><span class="sub">`)

// seen opens every page and notes which patterns its footer says it asked,
// what knowing the user took apart.
func (b *backOffice) seen(t *testing.T) map[string][]string {
	browser := b.as(t, "admin")
	uses := map[string][]string{}
	for _, row := range routes(http.NotFoundHandler()) {
		route := row.method + " " + row.path
		if row.method != http.MethodGet || strings.HasPrefix(row.path, "/data/") {
			continue // what /data/ asks is what somebody chose
		}
		for _, address := range append([]string{matrix[route].address}, more[route]...) {
			page := browser.get(address).body
			footer, _, _ := strings.Cut(page[max(0, strings.Index(page, `id="reads"`)):], `class="aside"`)
			for _, found := range readRows.FindAllStringSubmatch(footer, -1) {
				if !slices.Contains(uses[found[1]], route) {
					uses[found[1]] = append(uses[found[1]], route)
				}
			}
		}
	}
	return uses
}

// TestCatalogueSaysWhoAsks holds the table of uses to what pages ask. Run it
// with -update to write the table anew.
func TestCatalogueSaysWhoAsks(t *testing.T) {
	b := open(t, ran()...)
	uses := b.seen(t)
	if *update {
		var text strings.Builder
		text.WriteString("package handlers\n\n// usedBy says which pages ask which pattern, as TestCatalogueSaysWhoAsks saw\n// them ask: it writes this file.\nvar usedBy = map[string][]string{\n")
		for _, name := range slices.Sorted(maps.Keys(uses)) {
			fmt.Fprintf(&text, "\t%q: {\n\t\t\"%s\",\n\t},\n", name, strings.Join(uses[name], "\",\n\t\t\""))
		}
		text.WriteString("}\n")
		source, err := format.Source([]byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("usage_table.go", source, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, routes := range uses {
		if !slices.Equal(routes, usedBy[name]) {
			t.Errorf("%s is asked by %q; the table says %q. Run go test ./handlers -run TestCatalogueSaysWhoAsks -update", name, routes, usedBy[name])
		}
	}
	for name := range usedBy {
		if uses[name] == nil {
			t.Errorf("%s is asked by no page any more. Run go test ./handlers -run TestCatalogueSaysWhoAsks -update", name)
		}
	}
	for i := range store.Patterns {
		p := &store.Patterns[i]
		if usedBy[p.Name] == nil && usedElsewhere[p.Name] == "" {
			t.Errorf("no page asks %s, and nothing says who does", p.Name)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(uses)), slices.Collect(maps.Keys(usedElsewhere))) {
		if _, found := store.PatternByName(name); !found {
			t.Errorf("%s is asked, and is not in the catalogue", name)
		}
	}
}
