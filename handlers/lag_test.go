package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store/key"
)

// volatile matches the parts of a page that differ between two requests: the message
// about the last change, and the form tokens.
var volatile = regexp.MustCompile(`(?s)<p class="alert ok" role="status">.*?</p>|name="once" value="[^"]*"`)

// contentOf returns a page without its volatile parts and its footer.
func contentOf(body string) string {
	content, _, _ := strings.Cut(body, `id="reads"`)
	return volatile.ReplaceAllString(content, "")
}

// TestRedirect_ShowsChange submits the forms of moreForms, while indexes and eventually
// consistent reads return old data. The page after a redirect must equal the same page
// later, when reads return current data. It may make only one more table request than
// the bound of its route.
func TestRedirect_ShowsChange(t *testing.T) {
	b, lagging := openLagging(t, append(openOrder(), moreProducts()...)...)
	routes := routes(http.NotFoundHandler())
	followed := 0
	for _, row := range routes {
		route := "POST " + row.path
		shown := ""
		for n, form := range moreForms[route] {
			if row.method != http.MethodPost || strings.HasSuffix(form.Get("once"), "two") {
				continue
			}
			b.clock.Advance(time.Minute)
			form = maps.Clone(form)
			if form.Get("once") == "" {
				form.Set("once", tokenFor(route+strconv.Itoa(n)))
			}
			admin := b.as(t, "admin")
			admin.get("/views")
			if err := lagging.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			lagging.Hold()
			address := matrix[route].address
			setShown(admin, address, form, &shown)
			got := admin.post(address, withToken(route, form))
			if got.status == http.StatusSeeOther {
				followed++
				page := b.followRedirect(t, admin, route, got.location)
				if err := lagging.CatchUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				if later := admin.get(got.location); contentOf(page.body) != contentOf(later.body) {
					t.Errorf("%s: %s differs once the indexes have caught up: %s", route, got.location, firstDifference(contentOf(page.body), contentOf(later.body)))
				}
			}
			if err := lagging.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			if row.path == "/account/password" && got.status == http.StatusSeeOther {
				if err := b.store.SetPassword(t.Context(), "admin", password, false, "test"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if followed < 40 {
		t.Errorf("got %d redirects, want at least 40", followed)
	}
}

// TestShipSelected_LeavesLists ships a selected order while indexes return old data. The
// list in which the order was selected must not contain it when it is opened next, nor
// after the index has caught up.
func TestShipSelected_LeavesLists(t *testing.T) {
	b, lagging := openLagging(t, openOrder()...)
	admin := b.as(t, "admin")
	const list, row = "/orders?status=OPEN&sort=reverse&limit=200", `value="open#c01"`
	if got := admin.get(list); !strings.Contains(got.body, row) {
		t.Fatalf("got no order in %s before it is shipped, want one", list)
	}
	lagging.Hold()
	got := admin.post("/orders/bulk/ship", url.Values{"order": {"open#c01"}, "source": {"w0"}, "once": {tokenFor("preview")}})
	got = admin.post(got.location+"/run", url.Values{"version": {shownVersion(admin.get(got.location))}, "once": {tokenFor("ship")}})
	if page := admin.get(got.location).body; !strings.Contains(page, "Shipments from") || !strings.Contains(page, ": 1 packed</h1>") {
		t.Errorf("got status %d and no result: %s", got.status, content(page))
	}
	if got := admin.get(list); strings.Contains(got.body, row) {
		t.Errorf("got the shipped order in %s, want it gone", list)
	}
	if got := admin.get(list); !strings.Contains(got.body, row) {
		t.Error("got an index that has caught up, want one that lags")
	}
	if err := lagging.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := admin.get(list); strings.Contains(got.body, row) {
		t.Errorf("got the shipped order in %s once the index has caught up, want it gone", list)
	}
}

// followRedirect opens the page after a submitted form. The page may make one more
// request than the bound of its route, because it also reads the changed items.
func (b *backOffice) followRedirect(t *testing.T, browser *browser, route, location string) answer {
	t.Helper()
	row := b.routeOf(location)
	if row == nil {
		t.Fatalf("%s: no page at %s", route, location)
	}
	before := b.db.requests.Load()
	got := browser.get(location)
	requests := int(b.db.requests.Load() - before)
	if got.status != http.StatusOK {
		t.Errorf("%s: got status %d at %s, want 200", route, got.status, location)
	}
	if bound := row.reads.requests + row.reads.shard*key.DefaultShards + 1; requests > bound {
		t.Errorf("%s: %s: got %d table requests, want at most %d", route, location, requests, bound)
	}
	menu := strings.HasPrefix(route, "POST /views") // the menu has changed, so the page reads it too
	if found := footer.FindStringSubmatch(got.body); found != nil && found[1] != strconv.Itoa(requests) && !menu {
		t.Errorf("%s: %s: got %s requests in the footer, want %d", route, location, found[1], requests)
	}
	return got
}

// routeOf returns the route of the page at location, or nil.
func (b *backOffice) routeOf(location string) *route {
	path, _, _ := strings.Cut(location, "?")
	parts := strings.Split(path, "/")
	for i := range b.site.rows {
		row := &b.site.rows[i]
		if row.method == http.MethodGet && slices.EqualFunc(strings.Split(row.path, "/"), parts, func(pattern, part string) bool {
			return pattern == part || strings.HasPrefix(pattern, ":")
		}) {
			return row
		}
	}
	return nil
}

// firstDifference returns the parts of a and b around their first difference.
func firstDifference(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-80):min(len(s), n+160)] }
	return "\ngot  … " + around(a) + "\nthen … " + around(b)
}

// TestFooter_ShowsWriteUnits adds a note. This writes one item and two index entries. In
// a transaction, each of the three consumes two write units.
func TestFooter_ShowsWriteUnits(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	added := admin.post("/orders/open/notes", url.Values{"note": {"rang"}})
	admin.get(added.location).want(t, http.StatusOK, "last change: 6 write units")
	if again := admin.get(added.location); strings.Contains(again.body, "last change") {
		t.Error("got the cost of the change again on the second page")
	}
}
