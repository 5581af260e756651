package handlers

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var nextLink = regexp.MustCompile(`<([^>]+)>; rel="next"`)

// TestListJSON_InPages reads lists in pages, by the links in the headers. Together, the
// pages must contain the same rows as the file without a limit.
func TestListJSON_InPages(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	rows := func(address string) (rows []json.RawMessage, next string) {
		t.Helper()
		got := admin.get(address)
		var file struct {
			Rows []json.RawMessage `json:"rows"`
		}
		if err := json.Unmarshal([]byte(got.body), &file); got.status != http.StatusOK || err != nil {
			t.Fatalf("%s: got status %d, %v: %s", address, got.status, err, got.body)
		}
		for _, link := range got.header.Values("Link") {
			if found := nextLink.FindStringSubmatch(link); found != nil {
				next = found[1]
			}
		}
		return file.Rows, next
	}
	for _, path := range []string{"/orders.json?", "/orders.json?status=PAID&", "/customers.json?", "/products.json?", "/warehouses/w1/stock.json?", "/admin/events.json?by=test&"} {
		all, next := rows(path)
		if next != "" || len(all) < 2 {
			t.Errorf("%s: got %d rows and the next page %q, want all rows", path, len(all), next)
		}
		limit := len(all)/3 + 1 // three pages
		var paged []json.RawMessage
		for address := path + "limit=" + strconv.Itoa(limit); address != ""; {
			page, next := rows(address)
			if len(page) > limit || next != "" && !strings.HasPrefix(next, path[:strings.Index(path, "?")+1]) {
				t.Fatalf("%s: got %d rows and the next page %q, want at most %d", address, len(page), next, limit)
			}
			paged, address = append(paged, page...), next
		}
		if !slices.EqualFunc(all, paged, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: got other rows in pages of %d: %d, want %d", path, limit, len(paged), len(all))
		}
	}
	for _, limit := range []string{"0", "201", "x"} {
		if got := admin.get("/customers.json?limit=" + limit); got.status != http.StatusUnprocessableEntity {
			t.Errorf("limit %s: got status %d, want 422", limit, got.status)
		}
	}
	if got := admin.get("/customers.csv?limit=2"); strings.Count(got.body, "\n") <= 3 {
		t.Errorf("got %q, want all rows as CSV", got.body)
	}
	for _, extension := range []string{"csv", "json"} {
		if page := admin.get("/customers?limit=2").body; !strings.Contains(page, `href="/customers.`+extension+`"`) {
			t.Errorf("got no link to the complete list as %s", extension)
		}
	}
}
