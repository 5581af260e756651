package handlers

import (
	"context"
	"path"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// partRows is how many rows of a list stand on the page of a thing.
const partRows = 10

// thing is what differs from the page of one thing to the next. That it is
// there was found out before.
type thing struct {
	path  string                        // of its page
	lists []attached                    // which begin on the page, each with an address of its own below it
	parts []reader                      // what else is on the page, which is worth having without it
	reads []func(context.Context) error // what else is on the page, which is nothing without it
	json  func() any
	page  func() templ.Component
}

// reader is a part of the page of a thing.
type reader interface {
	// read reads it. For a person the rest of the page is worth having where
	// one part cannot be read; a file is whole or none.
	read(ctx context.Context, whole bool) error
	failure() error
}

// attached is a list of a thing, whatever its rows are.
type attached interface {
	reader
	// begin finds out which part of the list is wanted, and whether it is this
	// list that was asked for by its name.
	begin(q *web.Query, asked string) (bool, error)
	send(*request) error
}

// answerThing answers with the page of a thing, with the thing as JSON, or,
// below its address, with one of its lists as a file. Below its address the
// page is the same, with another part of that list.
func answerThing(r *request, q *web.Query, t thing) error {
	asked := path.Base(r.route.path)
	if strings.HasPrefix(asked, ":") {
		asked = "" // the thing itself
	}
	q.Path = t.path
	onlyOrder(q)
	if asked == "" {
		if _, err := q.Page(); err != nil {
			return err // no place was ever signed for this page
		}
	}
	for _, l := range t.lists {
		itself, err := l.begin(q, asked)
		if err != nil {
			return err
		}
		if itself && r.file() {
			return l.send(r)
		}
	}
	if r.file() {
		if err := anyWrong(q); err != nil {
			return err
		}
	}
	for _, message := range wrong(q) {
		return store.InvalidField("", "%s", message) // the page of a thing has no place for it
	}
	all, ctx := errgroup.WithContext(r.ctx())
	for _, read := range t.reads {
		all.Go(func() error { return read(ctx) })
	}
	parts := t.parts
	if len(q.Errors) == 0 {
		for _, l := range t.lists {
			parts = append(parts, l)
		}
	}
	for _, p := range parts {
		all.Go(func() error { return p.read(ctx, asked != "" || r.file()) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for _, p := range parts {
		r.logFailure(p)
	}
	if r.file() {
		return web.SendJSON(r.Context, t.json())
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), t.page())
}

// logFailure has the log say why a part of a page is missing.
func (r *request) logFailure(p reader) {
	if err := p.failure(); err != nil {
		r.site.tools.LogFailure(r.Context, "a part of a page could not be read", err)
	}
}

// spared is what reading a part of a page came to: the page is there without
// it where it cannot be read just now and a person asks for all of the page.
func spared(ctx context.Context, whole bool, err error) (failed, fatal error) {
	if whole || err == nil || ctx.Err() != nil {
		return nil, err
	}
	switch store.KindOf(err) {
	case store.Internal, store.Busy, store.Damaged:
		return err, nil
	}
	return nil, err
}

// single is a part of a page that is no list.
type single[T any] struct {
	ask    func(context.Context) (T, error)
	found  T
	failed error
}

func (s *single[T]) read(ctx context.Context, whole bool) (err error) {
	s.found, err = s.ask(ctx)
	s.failed, err = spared(ctx, whole, err)
	return err
}

func (s *single[T]) failure() error { return s.failed }

// view is the part as the page shows it.
func (s *single[T]) view() views.Single[T] {
	return views.Single[T]{Found: s.found, Failed: s.failed != nil}
}

// part is a list that begins on the page of a thing.
type part[T any] struct {
	name    string // the last part of its address; "" where it has none
	columns []web.Column[T]
	ask     ask[T]

	query  web.Query
	page   store.Page
	found  store.List[T]
	failed error
}

func (p *part[T]) begin(q *web.Query, asked string) (itself bool, err error) {
	p.query = *q
	p.query.Path = q.Path + "/" + p.name
	p.page = store.Page{Limit: partRows}
	if asked == "" || asked != p.name {
		return false, nil
	}
	p.page, err = p.query.Page()
	return true, err
}

func (p *part[T]) read(ctx context.Context, whole bool) (err error) {
	p.found, err = p.ask(ctx, p.page)
	p.failed, err = spared(ctx, whole, err)
	return err
}

func (p *part[T]) failure() error { return p.failed }

func (p *part[T]) send(r *request) error {
	return sendAll(r, &p.query, p.name, p.columns, p.ask)
}

// view is the part as the page shows it.
func (p *part[T]) view() views.Part[T] {
	return views.Part[T]{
		Rows: p.found.Rows, Pager: pager(&p.query, p.found),
		CSV: views.List{Path: p.query.Path, Params: params(&p.query)}.CSV(), Failed: p.failed != nil,
	}
}

// beginning is a part in the JSON of its thing; the whole list is JSON at its
// own address.
type beginning[T any] struct {
	Rows []T  `json:"rows"`
	More bool `json:"more"`
}

func (p *part[T]) json() beginning[T] {
	return beginning[T]{append([]T{}, p.found.Rows...), p.found.Next != nil}
}

// ifThere keeps what was found. What a thing names may be gone, which is no
// reason not to show the thing.
func ifThere[T any](to **T) func(*T, error) error {
	return func(found *T, err error) error {
		switch {
		case err == nil:
			*to = found
		case store.KindOf(err) != store.NotFound:
			return err
		}
		return nil
	}
}

// partOf is a list of the thing with this ID.
func partOf[T any](r *request, name string, columns []web.Column[T], id string, ask func(store.Access, context.Context, string, store.Page) (store.List[T], error)) *part[T] {
	return &part[T]{name: name, columns: columns, ask: func(ctx context.Context, p store.Page) (store.List[T], error) {
		return ask(r.shop, ctx, id, p)
	}}
}
