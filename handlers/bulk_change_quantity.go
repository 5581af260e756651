package handlers

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// quantityFields are the fields of the form with the quantities of a preview.
var quantityFields = func() []string {
	fields := []string{views.ButtonParam, "first", "rows", "page", views.ButtonBefore, views.ButtonNext}
	for n := range store.MaxLimit {
		fields = append(fields, store.SheetField("quantity", n+1))
	}
	return fields
}()

// bulkQuantities returns the quantities in the form of a preview.
func bulkQuantities(form web.Form) store.BulkQuantities {
	first, _ := strconv.Atoi(form.Get("first"))
	rows, _ := strconv.Atoi(form.Get("rows"))
	q := store.BulkQuantities{First: first, Rows: min(rows, store.MaxLimit), Texts: map[int]string{}}
	for n := range max(q.Rows, 0) {
		if texts := form.All(store.SheetField("quantity", n+1)); len(texts) > 0 {
			q.Texts[n+1] = texts[0]
		}
	}
	return q
}

// bulkPage returns the address of a page of a bulk change. It keeps only the parameters
// limit and after of query, which is a query string from the form.
func bulkPage(id, query string) string {
	sent, err := url.ParseQuery(query)
	if err != nil {
		return views.BulkPath(id)
	}
	kept := url.Values{}
	for _, name := range []string{"limit", "after"} {
		if value := sent.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return strings.TrimSuffix(views.BulkPath(id)+"?"+kept.Encode(), "?")
}

// quantitiesProblem returns a function that shows the rows of the form again, with the
// entered quantities and the error.
func (r *request) quantitiesProblem(form web.Form, q store.BulkQuantities) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) {
		b, err := r.shop.BulkChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		rows, err := r.shop.BulkRowsFrom(r.ctx(), b, q.First, q.Rows)
		if err == nil {
			err = r.relate(store.RelatedTo(rows))
		}
		if err != nil {
			return nil, err
		}
		l := views.List{Path: views.BulkPath(b.ID), Pager: ui.Pager{Shown: len(rows)}}
		if query := form.Get(views.ButtonBefore); query != "" {
			l.PrevURL = bulkPage(b.ID, query)
		}
		if query := form.Get(views.ButtonNext); query != "" {
			l.NextURL = bulkPage(b.ID, query)
		}
		p := r.bulkChangePage(b, l, rows, store.BulkToDo)
		p.Query, p.Quantities = form.Get("page"), make([]ui.Input, len(rows))
		for i := range rows {
			p.Quantities[i] = formInput(form, rejected, store.SheetField("quantity", i+1))
		}
		if p.Problem = formProblem(rejected); rejected.Kind == store.Invalid {
			p.Change.Version = form.Version()
		}
		return views.BulkChangePage(p), nil
	}
}
