package handlers

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// maxPages is the maximum number of pages of a list that a test follows.
const maxPages = 6

var pagerNav = regexp.MustCompile(`(?s)<nav class="pager".*?</nav>`)

// pagerOf returns the links to the previous and next page of the list at path, or "" if the
// list fits on one page. The page can also contain other lists.
func pagerOf(page, path string) string {
	for _, nav := range pagerNav.FindAllString(page, -1) {
		if strings.Contains(html.UnescapeString(nav), `href="`+path+`?`) {
			return nav
		}
	}
	return ""
}

// follow opens the pages of a list, up to maxPages, and returns the last one with rows. It
// fails if a link leads to a page without rows.
func follow(t *testing.T, browser *browser, address string) (last string) {
	t.Helper()
	path, _, _ := strings.Cut(address, "?")
	promised := false
	for n := 0; address != ""; n++ {
		page := browser.get(address)
		if page.status != http.StatusOK {
			t.Fatalf("%s: got status %d, want 200", address, page.status)
		}
		nav := pagerOf(page.body, path)
		switch empty := strings.Contains(nav, "<p>0 "); {
		case !empty:
			last = page.body
		case promised:
			t.Errorf("%s: got no rows, want some, because the page before says that there are more", address)
		}
		if promised = strings.Contains(nav, "more on the next page"); promised && n >= maxPages {
			return last
		}
		address = neighbour(nav, "next")
	}
	return last
}

// TestPager_NextHasRows opens the pages of the lists that need no parameter, up to
// maxPages of each list. A link to the next page must lead to a page with rows.
func TestPager_NextHasRows(t *testing.T) {
	browser := open(t, bulkPreview()...).as(t, "admin")
	for route, want := range matrix {
		if want.formats == 2 && strings.HasPrefix(route, http.MethodGet) && !strings.Contains(want.address, "?") {
			follow(t, browser, want.address+"?limit=9")
		}
	}
}

// TestPager_ContinuesSearch opens lists with long gaps between the rows. One page cannot
// read all months of a gap. The links between pages must nevertheless lead to the last row.
func TestPager_ContinuesSearch(t *testing.T) {
	t.Parallel()
	order := func(id string, year int) store.Entity {
		return &store.Order{
			ID: id, CustomerID: "c1", CustomerName: "Kim", Date: time.Date(year, time.November, 20, 12, 0, 0, 0, time.UTC),
			Status: store.OrderOpen, Total: store.MinorUnits(100),
		}
	}
	browser := serveOnly(t, order("old", 2025), order("new", 2026)).as(t, "admin")
	for address, last := range map[string]string{
		"/orders?from=2025-06-01":              `href="/orders/old"`,
		"/orders?from=2025-06-01&sort=reverse": `href="/orders/new"`,
		"/admin/events":                        "",
	} {
		if page := follow(t, browser, address); !strings.Contains(page, last) {
			t.Errorf("%s: got the last page %q, want one with %s", address, content(page), last)
		}
	}
	first := browser.get("/orders?from=2025-06-01").body
	if nav := pagerOf(first, "/orders"); !strings.Contains(nav, "1 order so far") || !strings.Contains(nav, "Continue search") {
		t.Errorf("got %q, want links of a page that does not know whether more rows follow", nav)
	}
}
