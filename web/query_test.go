package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
)

func newTools(t testing.TB, keys ...string) *Tools {
	config := Config{Store: storetest.Open(t, storetest.NewClock()), Log: slog.New(slog.DiscardHandler)}
	for _, key := range keys {
		config.Keys = append(config.Keys, []byte(key))
	}
	return New(config)
}

// parseQuery parses the query of a user's request.
func parseQuery(t *testing.T, tools *Tools, user store.User, address string) (*Query, error) {
	t.Helper()
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, address, nil), httptest.NewRecorder())
	c.Set(contextSession, &store.Session{User: user})
	return tools.Query(c, "status", "from", "to")
}

func TestQuery_RejectsInvalidParameters(t *testing.T) {
	tools := newTools(t, "key")
	for _, address := range []string{"/orders?stauts=OPEN", "/orders?status=OPEN&status=PAID", "/orders?a;b", "/orders?%zz"} {
		var httpError *echo.HTTPError
		if _, err := parseQuery(t, tools, store.User{}, address); !errors.As(err, &httpError) || httpError.Code != 400 {
			t.Errorf("%s: got %v, want 400", address, err)
		}
	}
	q, err := parseQuery(t, tools, store.User{}, "/orders?status=NONE&from=soon&to=2026-01-01&limit=1000&sort=up")
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
			t.Errorf("%s: got no error", name)
		}
	}
	if q.Get("from") != "soon" || q.Status() != 422 {
		t.Errorf("got from %q and status %d, want \"soon\" and 422", q.Get("from"), q.Status())
	}
	q, err = parseQuery(t, tools, store.User{}, "/orders?status=&from=&to=nov")
	if err != nil {
		t.Fatal(err)
	}
	if next := q.URL(&store.Position{SK: "1"}); strings.Contains(next, "status") || !strings.HasSuffix(next, "&to=nov") {
		t.Errorf("got %s, want it without empty filters", next)
	}
	q, err = parseQuery(t, tools, store.User{}, "/orders?from=2026-02-01&to=2026-01-01")
	if err != nil {
		t.Fatal(err)
	}
	if r := q.Days("from", "to", storetest.Now); q.Errors["to"] == "" || r != (store.DateRange{}) {
		t.Errorf("reversed days: got %v, %v, want an error", r, q.Errors)
	}
}

// TestQuery_DaysWithoutEnd checks that only a relative period without an end date limits
// both ends of a range.
func TestQuery_DaysWithoutEnd(t *testing.T) {
	for from, want := range map[string]string{
		"2025": "2025-01-01 ", "2025-11": "2025-11-01 ", "nov": "2026-11-01 ", "november 2025": "2025-11-01 ",
		"2026-11-20": "2026-11-20 ", "yesterday": "2026-11-20 ", "30 days ago": "2026-10-22 ",
		"last month": "2026-10-01 2026-10-31", "Last  Month": "2026-10-01 2026-10-31", "this year": "2026-01-01 2026-12-31", "last 7 days": "2026-11-15 2026-11-21",
	} {
		q, err := parseQuery(t, newTools(t, "key"), store.User{}, "/orders?"+url.Values{"from": {from}}.Encode())
		if err != nil {
			t.Fatal(err)
		}
		day := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		r := q.Days("from", "to", storetest.Now)
		if got := day(r.From) + " " + day(r.To); got != want || (q.Get("to") == "") != r.To.IsZero() {
			t.Errorf("%q: got %q and last day %q, want %q", from, got, q.Get("to"), want)
		}
	}
}
