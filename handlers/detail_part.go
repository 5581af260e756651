package handlers

import (
	"context"
	"encoding/json"
	"slices"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// partRows is the number of rows of each list on a detail page.
const partRows = 10

// pagePart is an optional part of a detail page.
type pagePart interface {
	// read reads the part. If whole is true, it returns every error. Otherwise, if the page
	// can be shown without the part, it returns nil, and failure then returns the error.
	read(ctx context.Context, whole bool) error
	failure() error
}

// listPart is a part that shows a list.
type listPart interface {
	pagePart
	// parse reports whether this list has the given name. If so, it reads the cursor and
	// the limit. If file is true, a row that cannot be decoded is an error, because nobody
	// would notice that it is missing in a file. A page leaves the row out and names it in
	// a message.
	parse(q *web.Query, name string, file bool) (bool, error)
	send(*request) error
	// related adds the IDs of the records to which the rows refer. nameRows then adds the
	// names of these records to the JSON of the rows.
	related(*store.RelatedIDs)
	nameRows(*request)
}

// tolerate classifies the error of reading a part. It returns err as failed if the page can
// be shown without the part, and otherwise as fatal. If whole is true, every error is
// fatal.
func tolerate(ctx context.Context, whole bool, err error) (failed, fatal error) {
	if whole || err == nil || ctx.Err() != nil {
		return nil, err
	}
	switch store.KindOf(err) {
	case store.Internal, store.Busy, store.Damaged:
		return err, nil
	}
	return nil, err
}

// single is a part that shows one record or value instead of a list.
type single[T any] struct {
	fetch  func(context.Context) (T, error)
	found  T
	failed error
}

func (s *single[T]) read(ctx context.Context, whole bool) (err error) {
	s.found, err = s.fetch(ctx)
	s.failed, err = tolerate(ctx, whole, err)
	return err
}

func (s *single[T]) failure() error { return s.failed }

func (s *single[T]) view() views.Single[T] {
	return views.Single[T]{Found: s.found, Failed: s.failed != nil}
}

// part is a part that shows the first rows of a list or, on the path of the list, the
// requested page.
type part[T any] struct {
	name    string // last part of the list's path; "" if the list has no path
	columns []web.Column[T]
	fetch   fetchPage[T]

	query  web.Query
	page   store.Page
	found  store.List[T]
	failed error
	names  []web.Column[T] // columns with names, set by nameRows
}

// partOf returns the part for a list of the entity with this ID.
func partOf[T any](r *request, name string, columns []web.Column[T], id string, fetch func(store.Access, context.Context, string, store.Page) (store.List[T], error)) *part[T] {
	return &part[T]{name: name, columns: columns, fetch: func(ctx context.Context, p store.Page) (store.List[T], error) {
		return fetch(r.shop, ctx, id, p)
	}}
}

func (p *part[T]) parse(q *web.Query, name string, file bool) (itself bool, err error) {
	p.query = *q
	p.query.Path = q.Path + "/" + p.name
	p.page = store.Page{Limit: partRows}
	if itself = name != "" && name == p.name; itself {
		p.page, err = p.query.Page()
	}
	p.page.Partial = !file
	return itself, err
}

func (p *part[T]) read(ctx context.Context, whole bool) (err error) {
	p.found, err = p.fetch(ctx, p.page)
	p.failed, err = tolerate(ctx, whole, err)
	return err
}

func (p *part[T]) failure() error { return p.failed }

func (p *part[T]) send(r *request) error {
	return sendFile(r, &p.query, p.name, p.columns, p.fetch)
}

func (p *part[T]) view() views.Part[T] {
	return views.Part[T]{
		Rows: p.found.Rows, Pager: pager(&p.query, p.found),
		CSV: views.List{Path: p.query.Path, Params: params(&p.query)}.CSV(), Failed: p.failed != nil, Unfiltered: len(p.query.Errors) > 0,
		Unreadable: p.found.Unreadable,
	}
}

func (p *part[T]) related(ids *store.RelatedIDs) { addRelatedIDs(ids, p.columns, p.found.Rows) }

func (p *part[T]) nameRows(r *request) {
	p.names = slices.DeleteFunc(withNames(r, p.columns), func(c web.Column[T]) bool { return !c.Added })
}

// firstRows contains the first rows of a list, for the JSON of a detail page. The
// complete list is available at its own path.
type firstRows[T any] struct {
	Rows []T  `json:"rows"`
	More bool `json:"more"`

	names []web.Column[T]
}

func (p *part[T]) json() firstRows[T] {
	return firstRows[T]{append([]T{}, p.found.Rows...), p.found.Next != nil, p.names}
}

// MarshalJSON encodes the rows in the same way as the file of the list.
func (f firstRows[T]) MarshalJSON() ([]byte, error) {
	rows := make([]json.RawMessage, len(f.Rows))
	for i, row := range f.Rows {
		var err error
		if rows[i], err = web.RowJSON(row, f.names); err != nil {
			return nil, err
		}
	}
	return json.Marshal(struct {
		Rows []json.RawMessage `json:"rows"`
		More bool              `json:"more"`
	}{rows, f.More})
}

// ifFound returns a function that stores a record in *to. It ignores the error NotFound,
// because other records may still refer to a deleted record.
func ifFound[T any](to **T) func(*T, error) error {
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
