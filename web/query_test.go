package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestParseDays(t *testing.T) {
	now := time.Date(2026, time.November, 21, 23, 30, 0, 0, time.UTC) // a Saturday
	for text, want := range map[string]string{
		"2026-11-21": "2026-11-21 2026-11-21", "2028-02-29": "2028-02-29 2028-02-29", "21 Nov 2026": "2026-11-21 2026-11-21",
		"2028-02": "2028-02-01 2028-02-29", "2025": "2025-01-01 2025-12-31", "November 2025": "2025-11-01 2025-11-30", "nov 2025": "2025-11-01 2025-11-30",
		"today": "2026-11-21 2026-11-21", "Yesterday": "2026-11-20 2026-11-20", "tomorrow": "2026-11-22 2026-11-22",
		"this week": "2026-11-16 2026-11-22", "last  week": "2026-11-09 2026-11-15",
		"this month": "2026-11-01 2026-11-30", "last month": "2026-10-01 2026-10-31", "this year": "2026-01-01 2026-12-31", "last year": "2025-01-01 2025-12-31",
		"nov": "2026-11-01 2026-11-30", "dec": "2025-12-01 2025-12-31", "february": "2026-02-01 2026-02-28",
	} {
		first, last, ok := ParseDays(text, now)
		if got := first.Format("2006-01-02") + " " + last.Format("2006-01-02"); !ok || got != want {
			t.Errorf("%q is %s (%v), want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "2026-13-01", "2026-02-30", "21/11/2026", "no", "0000-01-01", "99999", "2026-11-21T00:00:00Z", "\x00"} {
		if first, last, ok := ParseDays(text, now); ok {
			t.Errorf("%q is %v to %v, want it refused", text, first, last)
		}
	}
}

func FuzzParseDays(f *testing.F) {
	f.Add("last month")
	f.Add("2026-11-21")
	f.Fuzz(func(t *testing.T, text string) {
		if first, last, ok := ParseDays(text, storetest.Now); ok && last.Before(first) {
			t.Errorf("%q is %v to %v", text, first, last)
		}
	})
}

func newTools(t testing.TB, keys ...string) *Tools {
	config := Config{Store: storetest.Open(t, storetest.NewClock()), Log: slog.New(slog.DiscardHandler)}
	for _, key := range keys {
		config.Keys = append(config.Keys, []byte(key))
	}
	return New(config)
}

// asked is a list's query as a user's request brings it.
func asked(t *testing.T, tools *Tools, user store.User, address string) (*Query, error) {
	t.Helper()
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, address, nil), httptest.NewRecorder())
	c.Set(contextSession, &store.Session{User: user})
	return tools.Query(c, "status", "from", "to")
}

func TestCursorsAreBound(t *testing.T) {
	tools := newTools(t, "new key", "old key")
	kim := store.User{Name: "kim", Role: store.Manager, Warehouses: []string{"w1"}}
	at := &store.Position{Segment: "2026-11", SK: "2026-11-21T10:00:00Z#1", ItemPK: "o#1", ItemSK: "c#2", Back: true}
	q, err := asked(t, tools, kim, "/orders?status=OPEN&limit=10")
	if err != nil {
		t.Fatal(err)
	}
	next := q.URL(at)
	page := func(tools *Tools, user store.User, address string) (store.Page, error) {
		q, err := asked(t, tools, user, address)
		if err != nil {
			t.Fatal(err)
		}
		return q.Page()
	}
	if got, err := page(tools, kim, next); err != nil || !reflect.DeepEqual(got.At, at) || got.Limit != 10 {
		t.Errorf("%s leads to %+v, %v", next, got, err)
	}
	if _, err := page(tools, kim, strings.Replace(next, "limit=10", "limit=50", 1)); err != nil {
		t.Errorf("the limit may change: %v", err)
	}
	if _, err := page(newTools(t, "newest key", "new key"), kim, next); err != nil {
		t.Errorf("an older key still verifies: %v", err)
	}
	moved := kim
	moved.Warehouses = []string{"w2"}
	for name, refused := range map[string]func() (store.Page, error){
		"another list":   func() (store.Page, error) { return page(tools, kim, strings.Replace(next, "/orders", "/invoices", 1)) },
		"another filter": func() (store.Page, error) { return page(tools, kim, strings.Replace(next, "OPEN", "PAID", 1)) },
		"another user":   func() (store.Page, error) { return page(tools, store.User{Name: "eve", Role: kim.Role}, next) },
		"one filter that spells two": func() (store.Page, error) {
			return page(tools, kim, strings.Replace(spelled(t, tools, kim, at), "status=OPEN%22+from%3D%22now", "status=OPEN&from=now", 1))
		},
		"another place":   func() (store.Page, error) { return page(tools, moved, next) },
		"a dropped key":   func() (store.Page, error) { return page(newTools(t, "other"), kim, next) },
		"one bit changed": func() (store.Page, error) { return page(tools, kim, flip(next)) },
		"garbage":         func() (store.Page, error) { return page(tools, kim, "/orders?status=OPEN&after=%00garbage") },
		"far too long":    func() (store.Page, error) { return page(tools, kim, "/orders?after="+strings.Repeat("A", 9000)) },
	} {
		var answered *echo.HTTPError
		if got, err := refused(); !errors.As(err, &answered) || answered.Code != 400 {
			t.Errorf("%s: %+v, %v; want 400", name, got, err)
		}
	}
}

// spelled is a place in a list whose one filter looks like two.
func spelled(t *testing.T, tools *Tools, user store.User, at *store.Position) string {
	t.Helper()
	q, err := asked(t, tools, user, "/orders?status=OPEN%22+from%3D%22now")
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
			t.Errorf("%+v came back as %+v, %v", at, back, err)
		}
		if _, err := c.open(garbage, "list"); err == nil && garbage != text {
			t.Errorf("%q was taken for a cursor", garbage)
		}
	})
}

func TestQueriesAreStrict(t *testing.T) {
	tools := newTools(t, "key")
	for _, address := range []string{"/orders?stauts=OPEN", "/orders?status=OPEN&status=PAID", "/orders?a;b", "/orders?%zz"} {
		var answered *echo.HTTPError
		if _, err := asked(t, tools, store.User{}, address); !errors.As(err, &answered) || answered.Code != 400 {
			t.Errorf("%s: %v, want 400", address, err)
		}
	}
	q, err := asked(t, tools, store.User{}, "/orders?status=NONE&from=soon&to=2026-01-01&limit=1000&sort=up")
	if err != nil {
		t.Fatal(err)
	}
	OneOf(q, "status", store.OrderStatuses)
	q.Days("from", "to", storetest.Now)
	q.Reverse()
	if _, err := q.Page(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"status", "from", "limit", "sort"} {
		if q.Errors[name] == "" {
			t.Errorf("nothing is said of %s", name)
		}
	}
	if q.Get("from") != "soon" || q.Status() != 422 {
		t.Errorf("what was typed is gone: %q, %d", q.Get("from"), q.Status())
	}
	q, err = asked(t, tools, store.User{}, "/orders?status=&from=&to=nov")
	if err != nil {
		t.Fatal(err)
	}
	if next := q.URL(&store.Position{SK: "1"}); strings.Contains(next, "status") || !strings.HasSuffix(next, "&to=nov") {
		t.Errorf("%s holds filters that are not set", next)
	}
	q, err = asked(t, tools, store.User{}, "/orders?from=2026-02-01&to=2026-01-01")
	if err != nil {
		t.Fatal(err)
	}
	if r := q.Days("from", "to", storetest.Now); q.Errors["to"] == "" || r != (store.DateRange{}) {
		t.Errorf("days the wrong way round are %v, %v", r, q.Errors)
	}
}

func TestGuessingIsSlowedDown(t *testing.T) {
	clock := storetest.NewClock()
	tools := &Tools{limiter: newLimiter(clock.Now)}
	try := func(account, address string, want time.Duration) {
		t.Helper()
		if wait := tools.TryLogIn(account, address); wait != want {
			t.Errorf("%s from %s waits %v, want %v", account, address, wait, want)
		}
	}
	for range freeOfAccount {
		try("kim", "10.0.0.1", 0)
	}
	try("kim", "10.0.0.2", firstWait)
	try("other", "10.0.0.1", 0)
	clock.Advance(firstWait)
	try("kim", "10.0.0.2", 0)
	try("kim", "10.0.0.2", 2*firstWait)
	for range 20 {
		clock.Advance(longestWait)
		try("kim", "10.0.0.2", 0)
	}
	try("kim", "10.0.0.9", longestWait)

	tools.LogInSucceeded("kim", "10.0.0.2")
	try("kim", "10.0.0.9", 0)

	for i := range freeOfAddress {
		try(fmt.Sprint(i), "10.0.0.3", 0)
	}
	try("somebody", "10.0.0.3", firstWait)
	try("somebody", "10.0.0.4", 0)

	for i := range freeOfAddress {
		try(fmt.Sprint("v6 ", i), fmt.Sprintf("2001:db8::%x", i), 0)
	}
	try("somebody", "2001:db8::ffff:ffff", firstWait)
	try("somebody", "2001:db8:0:1::1", 0)

	for i := range 2 * rememberAtMost {
		tools.TryLogIn(fmt.Sprint(i), fmt.Sprint(i))
	}
	if n := len(tools.limiter.tries); n > rememberAtMost+1 {
		t.Errorf("%d accounts and addresses are remembered", n)
	}
}

func TestParallelGuessesAreCounted(t *testing.T) {
	tools := &Tools{limiter: newLimiter(storetest.NewClock().Now)}
	var through atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if tools.TryLogIn("kim", "10.0.0.1") == 0 {
				through.Add(1)
			}
		})
	}
	all.Wait()
	if n := through.Load(); n != freeOfAccount {
		t.Errorf("%d tries at once went through, want %d", n, freeOfAccount)
	}
}
