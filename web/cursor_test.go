package web

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

func TestCursor_BoundToListAndUser(t *testing.T) {
	tools := newTools(t, "new key", "old key")
	kim := store.User{Name: "kim", Role: store.Manager, Warehouses: []string{"w1"}}
	at := &store.Position{Segment: "2026-11", SK: "2026-11-21T10:00:00Z#1", ItemPK: "o#1", ItemSK: "c#2", Back: true}
	q, err := parseQuery(t, tools, kim, "/orders?status=OPEN&limit=10")
	if err != nil {
		t.Fatal(err)
	}
	next := q.URL(at)
	page := func(tools *Tools, user store.User, address string) (store.Page, error) {
		q, err := parseQuery(t, tools, user, address)
		if err != nil {
			t.Fatal(err)
		}
		return q.Page()
	}
	if got, err := page(tools, kim, next); err != nil || !reflect.DeepEqual(got.At, at) || got.Limit != 10 {
		t.Errorf("%s: got page %+v and error %v, want the position %v and the limit 10", next, got, err, at)
	}
	if _, err := page(tools, kim, strings.Replace(next, "limit=10", "limit=50", 1)); err != nil {
		t.Errorf("other limit: got %v, want it accepted", err)
	}
	if _, err := page(newTools(t, "newest key", "new key"), kim, next); err != nil {
		t.Errorf("older key: got %v, want it accepted", err)
	}
	moved := kim
	moved.Warehouses = []string{"w2"}
	for name, open := range map[string]func() (store.Page, error){
		"another list":   func() (store.Page, error) { return page(tools, kim, strings.Replace(next, "/orders", "/invoices", 1)) },
		"another filter": func() (store.Page, error) { return page(tools, kim, strings.Replace(next, "OPEN", "PAID", 1)) },
		"another user":   func() (store.Page, error) { return page(tools, store.User{Name: "eve", Role: kim.Role}, next) },
		"one filter that looks like two": func() (store.Page, error) {
			return page(tools, kim, strings.Replace(quotedFilter(t, tools, kim, at), "status=OPEN%22+from%3D%22now", "status=OPEN&from=now", 1))
		},
		"other scope":     func() (store.Page, error) { return page(tools, moved, next) },
		"removed key":     func() (store.Page, error) { return page(newTools(t, "other"), kim, next) },
		"one bit changed": func() (store.Page, error) { return page(tools, kim, flip(next)) },
		"garbage":         func() (store.Page, error) { return page(tools, kim, "/orders?status=OPEN&after=%00garbage") },
		"too long":        func() (store.Page, error) { return page(tools, kim, "/orders?after="+strings.Repeat("A", 9000)) },
	} {
		var httpError *echo.HTTPError
		if got, err := open(); !errors.As(err, &httpError) || httpError.Code != 400 {
			t.Errorf("%s: got %+v, %v; want 400", name, got, err)
		}
	}
}

// quotedFilter returns a link to a list with one filter. The value of the filter contains a
// quotation mark and looks like a second filter.
func quotedFilter(t *testing.T, tools *Tools, user store.User, at *store.Position) string {
	t.Helper()
	q, err := parseQuery(t, tools, user, "/orders?status=OPEN%22+from%3D%22now")
	if err != nil {
		t.Fatal(err)
	}
	return q.URL(at)
}

// flip changes a character in the middle of a cursor.
func flip(address string) string {
	i := strings.Index(address, "after=") + len("after=") + 30
	c := byte('A')
	if address[i] == c {
		c = 'B'
	}
	return address[:i] + string(c) + address[i+1:]
}

func FuzzCursor(f *testing.F) {
	c := newCursors([][]byte{[]byte("key")})
	f.Add("2026-11", "sk", "pk", "isk", "AAAA")
	f.Fuzz(func(t *testing.T, segment, sk, pk, isk, garbage string) {
		at := &store.Position{Segment: segment, SK: sk, ItemPK: pk, ItemSK: isk}
		text := c.seal(at, "list")
		if back, err := c.open(text, "list"); len(text) <= maxCursor && (err != nil || *back != *at) {
			t.Errorf("got position %+v and error %v, want %+v", back, err, at)
		}
		if _, err := c.open(garbage, "list"); err == nil && garbage != text {
			t.Errorf("cursor %q: got no error", garbage)
		}
	})
}
