package handlers

import (
	"context"
	"iter"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// ask is a question whose answer is a list, page by page.
type ask[T any] func(context.Context, store.Page) (store.List[T], error)

// listing is what differs from one list to the next.
type listing[T any] struct {
	file    string // the name of the list as a file
	columns []web.Column[T]
	ask     ask[T]
	newest  bool // the usual order begins with the newest
	turns   bool // the list can be turned round
	page    func(views.List, []T) templ.Component
}

// query reads the address of a list that has these filters, all of which have
// a place in the page's form or among its tabs.
func (r *request) query(filters ...string) (*web.Query, error) {
	return r.site.tools.Query(r.Context, filters...)
}

// days reads the range of days of a list.
func (r *request) days(q *web.Query) store.DateRange { return q.Days("from", "to", r.now()) }

// field is a filter as it was typed, with what is wrong with it.
func field(q *web.Query, name string) ui.Input {
	return ui.Input{Value: q.Get(name), Error: q.Errors[name]}
}

// formless are the parameters that no field of a list's page is for: what is
// wrong with one of them is said above the list.
var formless = []string{"status", "bucket", "period", "kind", "span", "show", "sort", "limit"}

// wrong is what is wrong with them.
func wrong(q *web.Query) []string {
	var sentences []string
	for _, name := range formless {
		if message := q.Errors[name]; message != "" {
			sentences = append(sentences, message)
		}
	}
	return sentences
}

// anyWrong is what is wrong with the query, if anything is: files have no
// form in which to say it.
func anyWrong(q *web.Query) error {
	for name, message := range q.Errors {
		return store.InvalidField(name, "%s", message)
	}
	return nil
}

// onlyOrder refuses to turn round a list that has one order.
func onlyOrder(q *web.Query) {
	if q.Get("sort") != "" {
		q.Fail("sort", "This list cannot be turned round.")
	}
}

// answerList answers with the page of a list that was asked for, or with the
// whole of it as a file. Wrong filters show the form as it was filled in, and
// no rows.
func answerList[T any](r *request, q *web.Query, l listing[T]) error {
	reverse := q.Reverse()
	if !l.turns {
		onlyOrder(q)
	}
	page, err := q.Page()
	if err != nil {
		return err
	}
	if r.file() {
		return sendAll(r, q, l.file, l.columns, l.ask)
	}
	var found store.List[T]
	if len(q.Errors) == 0 {
		if found, err = l.ask(r.ctx(), page); err != nil {
			return err
		}
	}
	shown := views.List{Path: q.Path, Params: params(q), Sort: ui.Sort{NewestFirst: l.newest != reverse}, Wrong: wrong(q), Pager: pager(q, found)}
	if l.turns {
		sort := "reverse"
		if reverse {
			sort = ""
		}
		shown.Sort.ReverseURL = shown.With("sort", sort)
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), l.page(shown, found.Rows))
}

// sendAll answers with a list as a file. A file holds the list to its end:
// limit and place do not matter to it.
func sendAll[T any](r *request, q *web.Query, file string, columns []web.Column[T], ask ask[T]) error {
	if err := anyWrong(q); err != nil {
		return err
	}
	return web.SendRows(r.Context, file, columns, store.Each(func(p store.Page) (store.List[T], error) {
		return ask(r.ctx(), p)
	}))
}

func pager[T any](q *web.Query, found store.List[T]) ui.Pager {
	return ui.Pager{Shown: len(found.Rows), PrevURL: q.URL(found.Prev), NextURL: q.URL(found.Next)}
}

func params(q *web.Query) []ui.Param {
	set := q.Params()
	params := make([]ui.Param, len(set))
	for i, p := range set {
		params[i] = ui.Param(p)
	}
	return params
}

// answerWhole answers with a list that came whole, because a rule bounds it:
// the parts of one order.
func answerWhole[T any](r *request, file string, columns []web.Column[T], rows []T, err error, page func(id string) templ.Component) error {
	switch {
	case err != nil:
		return err
	case r.file():
		return web.SendRows(r.Context, file, columns, rowsOf(rows))
	}
	return r.show(page(r.id()))
}

// rowsOf goes through a list that came whole.
func rowsOf[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}
