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

// Query holds the query parameters of a list: filters, order, limit and cursor. It
// collects errors by parameter, so that the page can show each error next to its field.
type Query struct {
	Path   string            // escaped path of the list
	Errors map[string]string // messages by parameter

	c      echo.Context
	tools  *Tools
	names  []string // names of the allowed parameters, in the order of Params
	values url.Values
}

// listParameters are the parameters of every list.
var listParameters = []string{"sort", "limit", "after"}

// columnsParameter is the parameter with the columns of a list. It may appear several
// times.
const columnsParameter = "cols"

// Query parses the query string of a list with the given filters. It returns a 400
// error for an unknown parameter, and for a repeated one except the columns. Without
// this error, a list with a misspelled filter would show all rows.
func (t *Tools) Query(c echo.Context, filters ...string) (*Query, error) {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, "The address of this page is invalid.")
	}
	q := &Query{
		Path:   c.Request().URL.EscapedPath(),
		c:      c,
		tools:  t,
		names:  slices.Concat(filters, listParameters),
		values: values,
	}
	c.Set(contextFilters, filters)
	for name, list := range values {
		if !slices.Contains(q.names, name) {
			return nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This page has no filter called %s.", store.Quoted(name)))
		}
		if name == columnsParameter { // each check box sends its own parameter
			values.Set(name, strings.Join(list, ","))
			continue
		}
		if len(list) > 1 {
			return nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The filter %s appears twice in the address of this page.", store.Quoted(name)))
		}
	}
	return q, nil
}

// FiltersOf returns the names of the filters that the list or record of the request has, or
// nil if the handler has not called Query.
func FiltersOf(c echo.Context) []string {
	filters, _ := c.Get(contextFilters).([]string)
	return filters
}

// Get returns a parameter without surrounding space.
func (q *Query) Get(name string) string { return strings.TrimSpace(q.values.Get(name)) }

// Fail records the error of a parameter.
func (q *Query) Fail(name, message string) {
	if q.Errors == nil {
		q.Errors = map[string]string{}
	}
	q.Errors[name] = message
}

// Status returns 422 if a parameter is invalid, else 200.
func (q *Query) Status() int {
	if len(q.Errors) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// OneOf returns a parameter. It records an error if the value is neither "" nor one of
// allowed. Users can also write values such as PAST_DUE as words: past due.
func OneOf[S ~string](q *Query, name string, allowed []S) S {
	return OneNamed(q, name, allowed, func(a S) string { return asWords(string(a)) })
}

// OneNamed is like OneOf, for values that pages show under other names. Users can also
// write these names.
func OneNamed[S ~string](q *Query, name string, allowed []S, nameOf func(S) string) S {
	value := q.Get(name)
	if value == "" {
		return ""
	}
	words := make([]string, len(allowed))
	for i, a := range allowed {
		words[i] = nameOf(a)
		if sameWords(string(a), value) || strings.EqualFold(words[i], value) {
			q.values.Set(name, string(a))
			return a
		}
	}
	q.Fail(name, fmt.Sprintf("%s is not a value of the filter %s. Choose one of: %s.", store.Quoted(value), name, strings.Join(words, ", ")))
	return ""
}

// sameWords reports whether two values are equal, apart from the case of letters and apart
// from underscores instead of spaces. It compares bytes, because allowed values are ASCII.
func sameWords(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && !strings.EqualFold(a[i:i+1], b[i:i+1]) && !(isSpace(a[i]) && isSpace(b[i])) {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == '_' || c == ' ' }

func asWords(value string) string { return strings.ToLower(strings.ReplaceAll(value, "_", " ")) }

// Days returns the range from the first day of one parameter to the last day of another. If
// only the first parameter is set, its value decides about the end: a relative period, such
// as last month, ends the range on its own last day. A date or an absolute period, such as
// 2025, leaves the range without an end.
func (q *Query) Days(from, to string, now time.Time) store.DateRange {
	var r store.DateRange
	if text := q.Get(from); q.Get(to) == "" && isRelativePeriod(text) {
		if _, _, ok := ParseDays(text, now); ok {
			q.values.Set(to, text)
		}
	}
	parse := func(name string, last bool) time.Time {
		text := q.Get(name)
		if text == "" {
			return time.Time{}
		}
		first, end, ok := ParseDays(text, now)
		if !ok {
			q.Fail(name, fmt.Sprintf("%s is not a date. Try 2026-11-21, today, 30 days ago, Nov or last month.", store.Quoted(text)))
			return time.Time{}
		}
		if last {
			return end
		}
		return first
	}
	r.From, r.To = parse(from, false), parse(to, true)
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		q.Fail(to, "The end date is before the start date.")
		return store.DateRange{}
	}
	return r
}

// Year returns a parameter that is a calendar year, or 0 if it is "". If it is invalid,
// Year records an error and returns 0.
func (q *Query) Year(name string) int {
	text := q.Get(name)
	if text == "" {
		return 0
	}
	day, err := time.Parse("2006", text)
	if err != nil || day.Year() == 0 {
		q.Fail(name, fmt.Sprintf("%s is not a year. Enter four digits, such as 2025.", store.Quoted(text)))
		return 0
	}
	return day.Year()
}

// Reverse reports whether the list is in reverse order. It records an error if the
// parameter sort has another value than "reverse".
func (q *Query) Reverse() bool {
	switch q.Get("sort") {
	case "":
		return false
	case "reverse":
		return true
	}
	q.Fail("sort", `The sort order can only be "reverse".`)
	return false
}

// Page returns the page that the limit and the cursor select. An invalid limit becomes an
// error of its field. For an invalid cursor, Page returns a 400 error, because no form has
// a field for cursors.
func (q *Query) Page() (store.Page, error) {
	page := store.Page{Limit: store.DefaultLimit}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > store.MaxLimit {
			q.Fail("limit", fmt.Sprintf("Enter a limit from 1 to %d.", store.MaxLimit))
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

// URL returns the address of the list at a position, or "" if the position is nil.
func (q *Query) URL(at *store.Position) string {
	if at == nil {
		return ""
	}
	params := append(q.Params(), Param{"after", q.tools.cursors.seal(at, q.scope())})
	slices.SortFunc(params, func(a, b Param) int { return strings.Compare(a.Name, b.Name) })
	address, separator := append(make([]byte, 0, 256), q.Path...), byte('?')
	for _, p := range params {
		address = append(append(append(append(address, separator), p.Name...), '='), url.QueryEscape(p.Value)...)
		separator = '&'
	}
	return string(address)
}

// Param is a query parameter with a value.
type Param struct{ Name, Value string }

// Params returns the parameters that are set, except the cursor.
func (q *Query) Params() []Param {
	params := make([]Param, 0, 8)
	for _, name := range q.names {
		if value := q.Get(name); value != "" && name != "after" {
			params = append(params, Param{name, value})
		}
	}
	return params
}

// scope returns the string that a cursor's signature covers: the list, its filters and
// order, and the user with role, warehouses and stores. The limit is not part of the scope,
// so a cursor also works with another limit. Values are quoted, so that one value cannot
// look like two.
func (q *Query) scope() string {
	b := append(make([]byte, 0, 256), q.Path...)
	for _, name := range q.names {
		if value := q.Get(name); value != "" && name != "after" && name != "limit" {
			b = append(append(append(b, ' '), name...), '=')
			b = strconv.AppendQuote(b, value)
		}
	}
	if u := User(q.c); u != nil {
		b = strconv.AppendQuote(append(b, ' '), u.Name)
		b = strconv.AppendQuote(append(b, ' '), string(u.Role))
		b = appendQuoted(append(b, ' '), u.Warehouses)
		b = appendQuoted(append(b, ' '), u.Stores)
	}
	return string(b)
}

// appendQuoted appends a list such as ["101" "102"].
func appendQuoted(b []byte, all []string) []byte {
	b = append(b, '[')
	for i, text := range all {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendQuote(b, text)
	}
	return append(b, ']')
}
