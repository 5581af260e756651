package handlers

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// fetchPage reads one page of a list.
type fetchPage[T any] func(context.Context, store.Page) (store.List[T], error)

// listPage describes a page that shows one list.
type listPage[T any] struct {
	file        string // name of the CSV and JSON files
	columns     []web.Column[T]
	shown       views.Columns // columns that users can show or hide on the page
	fetch       fetchPage[T]
	newestFirst bool // the list starts with the newest row, unless the user reverses it
	reversible  bool
	older       findOlder // finds rows that an empty list leaves out; nil if the list leaves out none
	page        func(views.List, []T) templ.Component
}

// query parses the query string of a page with these filters. The page must have a field or
// a tab for each filter, where it shows the filter's error.
func (r *request) query(filters ...string) (*web.Query, error) {
	return r.site.tools.Query(r.Context, filters...)
}

func (r *request) days(q *web.Query) store.DateRange { return q.Days("from", "to", r.now()) }

// queryInput returns the entered value of a filter, with its error.
func queryInput(q *web.Query, name string) ui.Input {
	return ui.Input{Value: q.Get(name), Error: q.Errors[name]}
}

// noField contains the parameters that have no field on the page. Their errors are shown
// above the list.
var noField = []string{"status", "bucket", "period", "kind", "span", "show", "month", "archived", "order", "sort", "limit", views.ColumnsParam}

// archivedOf returns whether the list contains archived records or current ones.
func archivedOf(q *web.Query) store.Archived {
	if web.OneOf(q, "archived", []string{"yes"}) != "" {
		return store.OnlyArchived
	}
	return store.NotArchived
}

func errorsWithoutField(q *web.Query) []string {
	var messages []string
	for _, name := range noField {
		if message := q.Errors[name]; message != "" {
			messages = append(messages, message)
		}
	}
	return messages
}

// firstError returns one of the errors in a query, or nil. It is for files, which cannot
// show an error at each field.
func firstError(q *web.Query) error {
	for name, message := range q.Errors {
		return store.InvalidField(name, "%s", message)
	}
	return nil
}

// rejectSort records an error if the query reverses a list that cannot be reversed.
func rejectSort(q *web.Query) {
	if q.Get("sort") != "" {
		q.Fail("sort", "This list can't be sorted in reverse.")
	}
}

// respondList renders one page of a list, or sends the complete list as a file. If a
// filter is invalid, the page shows the error and no rows.
func respondList[T any](r *request, q *web.Query, l listPage[T]) error {
	reverse := q.Reverse()
	if !l.reversible {
		rejectSort(q)
	}
	page, err := q.Page()
	if err != nil {
		return err
	}
	chosen, unknown := l.shown.Choose(q.Get(views.ColumnsParam))
	if unknown != "" {
		q.Fail(views.ColumnsParam, fmt.Sprintf("This list has no column called %s.", store.Quoted(unknown)))
	}
	if r.wantsFile() {
		if len(q.Errors) == 0 {
			if err := linkOlder(r, params(q), l.older); err != nil {
				return err
			}
		}
		return sendFile(r, q, l.file, l.columns, l.fetch)
	}
	var found store.List[T]
	if len(q.Errors) == 0 {
		page.Partial = true
		if found, err = l.fetch(r.ctx(), page); err != nil {
			return err
		}
	}
	if err := r.relate(store.RelatedTo(found.Rows)); err != nil {
		return err
	}
	list := views.List{
		Path: q.Path, Params: params(q), Sort: ui.Sort{NewestFirst: l.newestFirst != reverse}, Columns: chosen,
		Wrong: append(errorsWithoutField(q), found.Unreadable...), Pager: pager(q, found),
	}
	if l.reversible {
		sort := "reverse"
		if reverse {
			sort = ""
		}
		list.Sort.ReverseURL = list.With("sort", sort)
	}
	if len(q.Errors) == 0 && len(found.Rows) == 0 && (found.Prev == nil || found.Next != nil) {
		if err := addOlder(&list, l.older, found.Next); err != nil {
			return err
		}
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), l.page(list, found.Rows))
}

// sendFile sends all rows of a list as a file, with the names of the records to which they
// refer. As JSON with the parameter limit, it sends only one page.
func sendFile[T any](r *request, q *web.Query, file string, columns []web.Column[T], fetch fetchPage[T]) error {
	if err := firstError(q); err != nil {
		return err
	}
	if r.captured == nil && q.Get("limit") != "" && web.FormatOf(r.Context) == web.JSON {
		return sendPage(r, q, file, columns, fetch)
	}
	return sendRows(r, file, withNames(r, columns), store.Each(func(p store.Page) (store.List[T], error) {
		found, err := fetch(r.ctx(), p)
		if r.captured != nil && !r.captured.readsOn(found.Next) {
			found.Next = nil
		}
		if err == nil {
			r.related, err = r.shop.Related(r.ctx(), relatedIDs(columns, found.Rows))
		}
		return found, err
	}))
}

// sendPage sends one page of a list as JSON. A Link header contains the address of the
// next page; see https://www.rfc-editor.org/rfc/rfc8288
func sendPage[T any](r *request, q *web.Query, file string, columns []web.Column[T], fetch fetchPage[T]) error {
	page, err := q.Page()
	if err != nil {
		return err
	}
	found, err := fetch(r.ctx(), page)
	if err != nil {
		return err
	}
	if r.related, err = r.shop.Related(r.ctx(), relatedIDs(columns, found.Rows)); err != nil {
		return err
	}
	if next := q.URL(found.Next); next != "" {
		r.Response().Header().Add("Link", "<"+q.Path+".json"+strings.TrimPrefix(next, q.Path)+`>; rel="next"`)
	}
	err = sendRows(r, file, withNames(r, columns), rowsOf(found.Rows))
	if sent := web.FileOf(r.Context); sent != nil {
		sent.IsPage = true
	}
	return err
}

// sendRows sends rows as CSV or JSON. For the email of a list, it stores them in r.captured
// instead. The name of the file contains the current date.
func sendRows[T any](r *request, file string, columns []web.Column[T], rows iter.Seq2[T, error]) error {
	if r.captured != nil {
		return captureRows(r.captured, columns, rows)
	}
	name := file + "-" + r.now().Format(time.DateOnly)
	return web.SendRows(r.Context, name, store.CurrencyDecimals(r.settings.Currency), columns, rows)
}

// captureRows stores the first rows of a list in c, at most c.limit.
func captureRows[T any](c *capturedRows, columns []web.Column[T], rows iter.Seq2[T, error]) error {
	for _, column := range columns {
		c.names = append(c.names, column.Name)
		c.minor = append(c.minor, column.Minor)
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if len(c.cells) == c.limit {
			c.more = true
			return nil
		}
		cells := make([]web.Cell, len(columns))
		for i, column := range columns {
			if cells[i] = column.Cell(row); column.Words != nil {
				cells[i] = web.Plain(column.Words(row))
			}
		}
		c.cells = append(c.cells, cells)
	}
	return nil
}

func pager[T any](q *web.Query, found store.List[T]) ui.Pager {
	return ui.Pager{
		Shown: len(found.Rows), PrevURL: q.URL(found.Prev), NextURL: q.URL(found.Next),
		Unread: found.Next != nil && found.Next.Unread,
	}
}

func params(q *web.Query) []ui.Param {
	set := q.Params()
	params := make([]ui.Param, len(set))
	for i, p := range set {
		params[i] = ui.Param(p)
	}
	return params
}

// respondRows renders a list that always fits on one page, such as the items of an
// order, or sends it as a file. The argument err is the error of reading the rows.
func respondRows[T any](r *request, file string, columns []web.Column[T], rows []T, err error, page func(id string) templ.Component) error {
	switch {
	case err != nil:
		return err
	case r.wantsFile():
		related, err := r.shop.Related(r.ctx(), relatedIDs(columns, rows))
		if r.related = related; err != nil {
			return err
		}
		return sendRows(r, file, withNames(r, columns), rowsOf(rows))
	}
	return r.show(page(r.id()))
}

func rowsOf[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}
