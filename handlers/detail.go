package handlers

import (
	"context"
	"path"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/web"
)

// detailPage describes the page of one entity, such as a customer. The handler has already
// read the entity.
type detailPage struct {
	path  string
	lists []listPart                    // lists of the page; those with a name also have their own path, below the path of the page
	parts []pagePart                    // optional parts; if one cannot be read, the page says so and shows the others
	reads []func(context.Context) error // required reads; if one fails, the page fails
	json  func() any
	page  func() templ.Component

	related func() store.RelatedIDs // returns the IDs of records that the page names; may be nil
}

// respondDetail renders a detail page, or sends the entity as JSON. The page's lists have
// paths of their own. For the path of a list, it renders the page with the requested rows
// of that list, or sends the complete list as a file.
func respondDetail(r *request, q *web.Query, d detailPage) error {
	name := listName(r.route)
	list, err := d.parse(q, name, r.wantsFile())
	if err != nil {
		return err
	}
	if r.wantsFile() && list != nil {
		return list.send(r)
	}
	if r.wantsFile() {
		if err := firstError(q); err != nil {
			return err
		}
	}
	for _, message := range errorsWithoutField(q) {
		return store.InvalidField("", "%s", message) // the page has no field that could show this message
	}
	if err := d.read(r, q, name != "" || r.wantsFile()); err != nil {
		return err
	}
	if r.wantsFile() {
		if err := d.nameRows(r); err != nil {
			return err
		}
		return web.SendJSON(r.Context, d.json())
	}
	if d.related != nil {
		if err := r.relate(d.related()); err != nil {
			return err
		}
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), d.page())
}

// listName returns the last part of the path of a list on a detail page. For the detail
// page itself, it returns "".
func listName(row *route) string {
	if name := path.Base(row.path); !strings.HasPrefix(name, ":") {
		return name
	}
	return ""
}

// parse passes the query to each list of the page. It returns the list with this name, or
// nil if there is none. The argument file says whether the response is a file.
func (d *detailPage) parse(q *web.Query, name string, file bool) (listPart, error) {
	q.Path = d.path
	rejectSort(q)
	if name == "" {
		if _, err := q.Page(); err != nil {
			return nil, err // only the paths of lists accept a cursor
		}
	}
	var requested listPart
	for _, l := range d.lists {
		itself, err := l.parse(q, name, file)
		if err != nil {
			return nil, err
		}
		if itself && requested == nil {
			requested = l
		}
	}
	return requested, nil
}

// read reads all parts of the page in parallel. If whole is true, a part that cannot be
// read is an error. If a filter is invalid, it does not read the lists.
func (d *detailPage) read(r *request, q *web.Query, whole bool) error {
	group, ctx := errgroup.WithContext(r.ctx())
	for _, read := range d.reads {
		group.Go(func() error { return read(ctx) })
	}
	parts := d.parts
	if len(q.Errors) == 0 {
		for _, l := range d.lists {
			parts = append(parts, l)
		}
	}
	for _, p := range parts {
		group.Go(func() error { return p.read(ctx, whole) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, p := range parts {
		r.logFailure(p)
	}
	return nil
}

// nameRows reads the names of the records to which the rows of the lists refer.
func (d *detailPage) nameRows(r *request) error {
	var ids store.RelatedIDs
	for _, l := range d.lists {
		l.related(&ids)
	}
	err := r.relate(ids)
	for _, l := range d.lists {
		l.nameRows(r)
	}
	return err
}

// relate reads the records that the page names. If this fails, the page shows IDs instead
// of names, and is not cached.
func (r *request) relate(ids store.RelatedIDs) error {
	found, err := r.shop.Related(r.ctx(), ids)
	failed, err := tolerate(r.ctx(), false, err)
	if failed != nil {
		r.keep = nil
		r.site.tools.LogFailure(r.Context, "cannot read the names on a page", failed)
	}
	r.related = found
	return err
}

// logFailure logs the error of a part that could not be read, if there is one. The page
// is then not cached.
func (r *request) logFailure(p pagePart) {
	if err := p.failure(); err != nil {
		r.keep = nil
		r.site.tools.LogFailure(r.Context, "cannot read a part of a page", err)
	}
}
