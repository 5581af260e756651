package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Query is the query of a list's address: its filters, its order, its place.
// What is wrong with a value is kept beside it, so that the form comes back as
// it was filled in.
type Query struct {
	Path   string // of the list, escaped
	Errors map[string]string

	c      echo.Context
	tools  *Tools
	known  []string
	values url.Values
}

// listParameters are those that every list has.
var listParameters = []string{"sort", "limit", "after"}

// Query reads the address of a list that has these filters. A parameter that
// the list does not know, or has twice, is refused: a mistyped filter must
// not show everything as if it were what was asked for.
func (t *Tools) Query(c echo.Context, filters ...string) (*Query, error) {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, "The address of this page is malformed.")
	}
	q := &Query{
		Path: c.Request().URL.EscapedPath(), Errors: map[string]string{},
		c: c, tools: t, known: append(slices.Clone(filters), listParameters...), values: values,
	}
	for name, given := range values {
		if !slices.Contains(q.known, name) {
			return nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This list has no filter called %q.", name))
		}
		if len(given) > 1 {
			return nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The filter %q is given twice.", name))
		}
	}
	return q, nil
}

// Get is a value as typed, without blanks around it.
func (q *Query) Get(name string) string { return strings.TrimSpace(q.values.Get(name)) }

// Fail notes what is wrong with a value.
func (q *Query) Fail(name, message string) { q.Errors[name] = message }

// Status is the status of a page that shows this query: 422 where a value is
// wrong.
func (q *Query) Status() int {
	if len(q.Errors) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// OneOf is a value that has to be one of these, or absent.
func OneOf[S ~string](q *Query, name string, allowed []S) S {
	value := S(q.Get(name))
	if value != "" && !slices.Contains(allowed, value) {
		words := make([]string, len(allowed))
		for i, a := range allowed {
			words[i] = string(a)
		}
		q.Fail(name, fmt.Sprintf("%q is none of %s.", value, strings.Join(words, ", ")))
		return ""
	}
	return value
}

// Days reads a range of days from two values, in words or figures.
func (q *Query) Days(from, to string, now time.Time) store.DateRange {
	var r store.DateRange
	read := func(name string, last bool) time.Time {
		text := q.Get(name)
		if text == "" {
			return time.Time{}
		}
		first, end, ok := ParseDays(text, now)
		if !ok {
			q.Fail(name, fmt.Sprintf("%q is no day: write 2026-11-21, or today, nov, last month.", text))
			return time.Time{}
		}
		if last {
			return end
		}
		return first
	}
	r.From, r.To = read(from, false), read(to, true)
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		q.Fail(to, "The last day lies before the first.")
		return store.DateRange{}
	}
	return r
}

// Reverse says whether the list is wanted against its usual order.
func (q *Query) Reverse() bool {
	switch q.Get("sort") {
	case "":
		return false
	case "reverse":
		return true
	}
	q.Fail("sort", `The order of a list is its usual one, or "reverse".`)
	return false
}

// Page is the part of the list that is wanted. A wrong place is an error: it
// was not typed by a person.
func (q *Query) Page() (store.Page, error) {
	page := store.Page{Limit: store.DefaultLimit}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > store.MaxLimit {
			q.Fail("limit", fmt.Sprintf("A page has from 1 to %d rows.", store.MaxLimit))
		} else {
			page.Limit = n
		}
	}
	var err error
	if text := q.Get("after"); text != "" {
		page.At, err = q.tools.cursors.open(text, q.scope())
	}
	return page, err
}

// URL is the address of this list at another place; "" for no place.
func (q *Query) URL(at *store.Position) string {
	if at == nil {
		return ""
	}
	values := url.Values{}
	for _, p := range q.Params() {
		values.Set(p.Name, p.Value)
	}
	values.Set("after", q.tools.cursors.seal(at, q.scope()))
	return q.Path + "?" + values.Encode()
}

// Param is a parameter of the address that is set.
type Param struct{ Name, Value string }

// Params are the filters, the order and the limit that are set, in the order
// in which the list names them.
func (q *Query) Params() []Param {
	var params []Param
	for _, name := range q.known {
		if value := q.Get(name); value != "" && name != "after" {
			params = append(params, Param{name, value})
		}
	}
	return params
}

// scope is what a cursor is bound to: the list, its filters and order, and
// who is asking with which places in their charge. The limit may change.
// Values are quoted, so that none can pass for two.
func (q *Query) scope() string {
	var b strings.Builder
	b.WriteString(q.Path)
	for _, p := range q.Params() {
		if p.Name != "limit" {
			fmt.Fprintf(&b, " %s=%q", p.Name, p.Value)
		}
	}
	if u := User(q.c); u != nil {
		fmt.Fprintf(&b, " %q %q %q %q", u.Name, u.Role, u.Warehouses, u.Stores)
	}
	return b.String()
}
