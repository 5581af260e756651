package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestLists_ShowChosenColumns chooses some columns in five lists that let users do so,
// without scripts. The page must hide the other columns, and its links must keep the
// choice. Files must still contain all columns.
func TestLists_ShowChosenColumns(t *testing.T) {
	browser := open(t).as(t, "admin")
	for path, want := range map[string]struct{ chosen, hidden string }{
		"/orders?status=PAID&": {"customer,total", `class="hide-4 hide-5 hide-6 hide-8 hide-9 hide-10"`},
		"/invoices?":           {"balance", `class="hide-3 hide-4 hide-5 hide-6 hide-7 hide-8"`},
		"/customers?":          {"phone,since", `class="hide-2 hide-4"`},
		"/products?":           {"available,price", `class="hide-3 hide-4 hide-5 hide-6 hide-8"`},
		"/shipments?":          {"order,tracking", `class="hide-3 hide-4 hide-5 hide-6 hide-7"`},
	} {
		repeated := "cols=" + strings.ReplaceAll(want.chosen, ",", "&cols=")
		page := browser.get(path + repeated + "&limit=1")
		escaped := "cols=" + url.QueryEscape(want.chosen)
		if page.status != http.StatusOK || !strings.Contains(page.body, want.hidden) {
			t.Errorf("%s: got status %d without %s: %s", path, page.status, want.hidden, content(page.body))
		}
		boxes := strings.Count(page.body, `type="checkbox" name="cols"`)
		if all := strings.Count(want.hidden, "hide-") + strings.Count(want.chosen, ",") + 1; boxes != all {
			t.Errorf("%s: got %d check boxes, want %d", path, boxes, all)
		}
		if !strings.Contains(page.body, escaped) {
			t.Errorf("%s: got no link with %s", path, escaped)
		}
		for name := range strings.SplitSeq(want.chosen, ",") {
			if !strings.Contains(page.body, `value="`+name+`" checked`) {
				t.Errorf("%s: got the check box %s not checked", path, name)
			}
		}
		list, query, _ := strings.Cut(path, "?")
		if got, all := browser.get(list+".csv?"+query+repeated).body, browser.get(list+".csv?"+query).body; got != all {
			t.Errorf("%s: got the file\n%s\nwant\n%s", path, got, all)
		}
		if got := browser.get(path + "cols=secret"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "This list has no column called") {
			t.Errorf("%s: unknown column: got status %d, want 422 and a message", path, got.status)
		}
	}
	if got := browser.get("/warehouses?cols=city"); got.status != http.StatusBadRequest {
		t.Errorf("a list without a choice of columns: got status %d, want 400", got.status)
	}
}
