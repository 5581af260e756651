package views_test

import (
	"slices"
	"strings"
	"testing"
)

// TestPages_AreAccessible checks that pages have the markup that screen readers and
// keyboard users need.
func TestPages_AreAccessible(t *testing.T) {
	everyPage(t, "Text", func(t *testing.T, page node) {
		for _, name := range []string{"h1", "main"} {
			if found := page.all(name); len(found) != 1 || found[0].text() == "" {
				t.Errorf("got %d <%s>, want 1 with text", len(found), name)
			}
		}
		if title := page.all("head")[0].all("title"); len(title) != 1 || !strings.HasSuffix(title[0].text(), " – Stockroom") {
			t.Error("got no title, want one")
		}
		ids := map[string]bool{}
		for _, e := range page.all("") {
			if id := e.attr("id"); id != "" && ids[id] {
				t.Errorf("got the id %q twice, want once", id)
			} else {
				ids[id] = true
			}
		}
		for _, e := range page.all("") {
			for _, attribute := range []string{"for", "popovertarget", "aria-labelledby", "aria-describedby", "list"} {
				for _, id := range strings.Fields(e.attr(attribute)) {
					if !ids[id] {
						t.Errorf("<%s %s=%q>: got no element with this id, want one", e.Data, attribute, id)
					}
				}
			}
			if href := e.attr("href"); e.Data == "a" && strings.HasPrefix(href, "#") && !ids[href[1:]] {
				t.Errorf("%s: got no element with this id, want one", href)
			}
		}
		checkFields(t, page)
		checkTables(t, page)
	})
}

func checkFields(t *testing.T, page node) {
	t.Helper()
	labelled := map[string]bool{}
	for _, label := range page.all("label") {
		labelled[label.attr("for")] = label.text() != ""
	}
	for _, name := range []string{"input", "select"} {
		for _, field := range page.all(name) {
			if field.has("hidden") || field.attr("type") == "hidden" || field.Parent.Data == "label" {
				continue
			}
			if !labelled[field.attr("id")] {
				t.Errorf("field %q: got no label, want one", field.attr("name"))
			}
		}
	}
	for _, form := range page.all("form") {
		if method := form.attr("method"); method != "" && method != "post" || !strings.HasPrefix(form.attr("action"), "/") {
			t.Errorf("got form with method %q, action %q; want get or post to this site", method, form.attr("action"))
		}
		if form.attr("role") == "search" && form.attr("method") != "" {
			t.Error("got a search form with a method, want none")
		}
	}
	for _, e := range slices.Concat(page.all("button"), page.all("a")) {
		if e.text() == "" && e.attr("aria-label") == "" {
			t.Errorf("<%s>: got no text and no label, want one", e.Data)
		}
	}
}

func checkTables(t *testing.T, page node) {
	t.Helper()
	for _, table := range page.all("table") {
		if captions := table.all("caption"); len(captions) != 1 || captions[0].text() == "" {
			t.Error("got a table without a caption, want one")
		}
		for _, th := range table.all("th") {
			if th.attr("scope") == "" {
				t.Errorf("heading %q: got no scope, want one", th.text())
			}
		}
		width := 0
		for _, tr := range table.all("tr") {
			cells := 0
			for _, cell := range slices.Concat(tr.all("td"), tr.all("th")) {
				switch cell.attr("colspan") {
				case "":
					cells++
				case "3":
					cells += 3
				case "7":
					cells += 7
				}
			}
			if width == 0 {
				width = cells
			}
			if cells != width {
				t.Errorf("%q: got a row of %d cells, want %d: %s", table.all("caption")[0].text(), cells, width, tr.text())
			}
		}
	}
	for _, region := range page.with("role", "region") {
		if region.attr("tabindex") != "0" || region.attr("aria-label") == "" {
			t.Error("got a scrolling region without tabindex or label, want both")
		}
	}
}
