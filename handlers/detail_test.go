package handlers

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestDetailPage_ToleratesFailedLists lets the read of one list fail. The page must
// leave the list out, and the log must contain the reason. A request for this list, or
// for a file that contains it, must fail.
func TestDetailPage_ToleratesFailedLists(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	invoices := "c#c07 i#"
	b.db.broken.Store(&invoices)
	page := browser.get("/customers/c07")
	if page.status != http.StatusOK || !strings.Contains(page.body, "not available right now") || !strings.Contains(page.body, "/orders/o0007") {
		t.Errorf("got status %d, want 200 and the page without the list", page.status)
	}
	if strings.Contains(page.body, "secret-host") || !strings.Contains(b.log.String(), "secret-host") {
		t.Error("got the reason on the page or not in the log, want it in the log only")
	}
	for _, address := range []string{"/customers/c07/invoices", "/customers/c07.json", "/customers/c07/invoices.csv"} {
		if got := browser.get(address); got.status != http.StatusInternalServerError {
			t.Errorf("%s: got status %d, want 500", address, got.status)
		}
	}
	if got := browser.get("/customers/c07/orders.csv"); got.status != http.StatusOK {
		t.Errorf("file of another list: got status %d, want 200", got.status)
	}
	for _, list := range []string{"w#w1 p#", "w#w1 sh#", "w#w1 stock#"} { // the start of the keys of the stock, of the shipments and of the ledger
		b.db.broken.Store(&list)
		if page := browser.get("/warehouses/w1").body; strings.Count(page, "not available right now") != 1 {
			t.Errorf("warehouse without %s: got no message in place of the list, want one", list)
		}
	}
}

// linkOfPart matches the links to the next and previous rows of a list on a detail page.
var linkOfPart = regexp.MustCompile(`rel="(?:next|prev)" href="([^"#]*)(#[^"]*)?"`)

// TestDetailPage_NextShowsSection checks the Next links of lists on detail pages. Without
// scripts, they must lead to the section of the list and not to the top of the page.
func TestDetailPage_NextShowsSection(t *testing.T) {
	browser := open(t).as(t, "admin")
	for _, path := range []string{"/customers/c01", "/products/p01", "/warehouses/w1", "/employees/e01"} {
		links := linkOfPart.FindAllStringSubmatch(browser.get(path).body, -1)
		if len(links) == 0 {
			t.Errorf("%s: got no list with more rows, want one", path)
		}
		for _, link := range links {
			page := browser.get(html.UnescapeString(link[1]))
			if link[2] == "" || !strings.Contains(page.body, `id="`+strings.TrimPrefix(link[2], "#")+`"`) {
				t.Errorf("%s: got the link %s%s, want the fragment of a section", path, link[1], link[2])
			}
		}
	}
}
