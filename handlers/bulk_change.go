package handlers

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// listBulkChanges lists the bulk changes of the user.
func listBulkChanges(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.BulkChange]{
		file: "bulk-changes", columns: bulkChangeColumns, fetch: r.shop.BulkChanges, newestFirst: true,
		page: func(l views.List, rows []store.BulkChange) templ.Component {
			return views.BulkChangesPage(views.BulkChanges{Page: r.page("Bulk changes"), List: l, Rows: rows})
		},
	})
}

// redirectBulk redirects from the list of products to the form of the pressed button,
// with the selected products and the filters. If the button is unknown, it redirects
// to the list.
func redirectBulk(r *request) error {
	q := r.QueryParams()
	kind := store.BulkKind(q.Get(views.ButtonParam))
	if kind.Permission() == store.Nobody {
		return web.Redirect(r.Context, "/products")
	}
	return web.Redirect(r.Context, views.BulkFormPath(kind)+"?"+url.Values{
		"product": q["product"], "all": q["all"], "bucket": q["bucket"], "name": q["name"], "category": q["category"],
	}.Encode())
}

// showBulkForm shows the form of a bulk change for the products that the list of products
// sent: the selected ones, or all that match its filters.
func showBulkForm(kind store.BulkKind) func(*request) error {
	return func(r *request) error {
		q := r.QueryParams()
		selection := views.BulkSelection{
			Products: q["product"], All: q.Get("all") != "",
			Filter: store.ProductFilter{Bucket: q.Get("bucket"), Name: q.Get("name"), Category: q.Get("category")},
		}
		return r.showForm(r.bulkForm(kind, selection, r.newPick("category", store.ChooseCategory)))
	}
}

// bulkForm returns the form of a bulk change. category is its field for a category.
func (r *request) bulkForm(kind store.BulkKind, selection views.BulkSelection, category pick) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		p := views.BulkForm{
			Page: r.page(views.BulkTitle(kind)), Form: r.formState(form, rejected, 0), Kind: kind, Selection: selection,
			Percent: formInput(form, rejected, "percent"), Rounding: formInput(form, rejected, "rounding"), Category: formInput(form, rejected, "category"), CategoryPick: category.view(),
			Warehouse: formInput(form, rejected, "warehouse"), Reorder: formInput(form, rejected, "reorder"), Why: formInput(form, rejected, "why"),
		}
		p.Category.Value = category.input.Value
		if kind == store.BulkReorderPoint {
			warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
			if err != nil {
				return nil, err
			}
			p.Warehouses = warehouses.Rows
			p.Page = r.page(views.BulkTitle(kind)) // r.page must follow the read of the warehouses, to include its cost
		}
		return views.BulkFormPage(p), nil
	}
}

// bulkFields are the fields of all forms of bulk changes.
var bulkFields = []string{"product*", "all", "filter-bucket", "filter-name", "filter-category", "percent", "rounding", "category", "category-id", "category-was", "warehouse", "reorder", "why"}

// previewBulkChange stores a bulk change, lists its products and redirects to the
// preview. It lists selected products immediately, and products that match a filter in
// the background.
func previewBulkChange(kind store.BulkKind) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(bulkFields...)
		if err != nil {
			return err
		}
		selection := views.BulkSelection{
			Products: form.All("product"), All: form.Get("all") != "",
			Filter: store.ProductFilter{Bucket: form.Get("filter-bucket"), Name: form.Get("filter-name"), Category: form.Get("filter-category")},
		}
		category, err := r.readPick(form, "category", store.ChooseCategory)
		var b *store.BulkChange
		if err == nil {
			b, err = r.addBulkChange(kind, selection, form, category.id())
		}
		if err != nil {
			return r.rejectChange(err, r.rerender(form, r.bulkForm(kind, selection, category)))
		}
		if b.State == store.BulkListing {
			r.workOnBulkChange(b.ID, len(b.Selected) > 0)
		}
		return r.redirectWithFlash("", views.BulkPath(b.ID)) // without a message, but with the changes, so that the next page shows the rows
	}
}

func (r *request) addBulkChange(kind store.BulkKind, selection views.BulkSelection, form web.Form, category string) (*store.BulkChange, error) {
	b := store.BulkChange{
		Kind: kind, Percent: form.Get("percent"), Rounding: form.Get("rounding"), Category: category,
		WarehouseID: form.Get("warehouse"), Reason: form.Get("why"),
	}
	if kind == store.BulkReorderPoint {
		var err error
		if b.ReorderPoint, err = number(form, "reorder"); err != nil {
			return nil, err
		}
	}
	products := selection.Products
	switch f := selection.Filter; {
	case selection.All && f.Bucket != "" && !slices.Contains(key.Buckets, f.Bucket), selection.All && f.Category != "" && f.Bucket != "" && f.Bucket < "a":
		return nil, store.InvalidField("", "The filters of the list have changed. Go back and select the products again.")
	case selection.All:
		b.Filter, products = f, nil
	case len(products) == 0:
		return nil, store.InvalidField("", "Select at least one product in the list.")
	}
	return r.shop.AddBulkChange(r.ctx(), b, products, form.Token())
}

// workOnBulkChange lists or changes the products of a started bulk change, in this
// request or in the background. If this fails, the page of the change shows why.
func (r *request) workOnBulkChange(id string, atOnce bool) {
	if !atOnce {
		r.site.jobs.StartBulkChange(id)
		return
	}
	// The work ends even if the client disconnects.
	err := r.site.jobs.RunBulkChange(context.WithoutCancel(r.ctx()), id)
	if err != nil && !errors.Is(err, store.ErrLeased) {
		r.site.tools.LogFailure(r.Context, "a bulk change stopped", err)
	}
}

// showBulkChange shows the preview of a bulk change, its progress, or its result.
func showBulkChange(r *request) error { return r.showBulkChange("") }

func (r *request) showBulkChange(problem string) error {
	q, err := r.query("show")
	if err != nil {
		return err
	}
	b, err := r.shop.BulkChange(r.ctx(), r.id())
	if err != nil {
		return err
	}
	state := b.StateAt(r.site.store.Now())
	if (state == store.BulkListing || state == store.BulkRunning) && !r.wantsFile() {
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page without JavaScript
	}
	failures := web.OneOf(q, "show", []string{"failures"}) != ""
	return respondList(r, q, listPage[store.BulkRow]{
		file: "bulk-change", columns: bulkRowColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.BulkRow], error) {
			return r.shop.BulkRows(ctx, b, failures, p)
		},
		page: func(l views.List, rows []store.BulkRow) templ.Component {
			return views.BulkChangePage(r.bulkChangePage(b, l, rows, failures))
		},
	})
}

func (r *request) bulkChangePage(b *store.BulkChange, l views.List, rows []store.BulkRow, failures bool) views.BulkChange {
	return views.BulkChange{
		Page: r.page(b.Describe()), List: l, Change: *b, State: b.StateAt(r.site.store.Now()), Failures: failures,
		CanStart: b.By == r.user.Name && r.user.May(b.Kind.Permission()), Token: r.newFormToken(), Rows: rows,
	}
}

// startBulkChange starts or continues a bulk change. It changes up to one page of
// products in this request, and more products in the background.
func startBulkChange(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	b, err := r.shop.StartBulkChange(r.ctx(), r.id(), form.Version(), form.Token())
	if err != nil {
		return r.rejectChange(err, r.bulkProblem)
	}
	r.workOnBulkChange(b.ID, b.Listed && b.Rows <= store.DefaultLimit)
	return r.redirectWithFlash("", views.BulkPath(b.ID))
}

// bulkProblem shows the first rows of a bulk change and the reason why it did not
// start.
func (r *request) bulkProblem(rejected *store.Error) (templ.Component, error) {
	b, err := r.shop.BulkChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	rows, err := r.shop.BulkRows(r.ctx(), b, false, store.Page{})
	if err != nil {
		return nil, err
	}
	l := views.List{Path: views.BulkPath(b.ID), Pager: ui.Pager{Shown: len(rows.Rows)}}
	p := r.bulkChangePage(b, l, rows.Rows, false)
	p.Problem = rejected.Message
	return views.BulkChangePage(p), nil
}

// undoBulkChange stores a bulk change that undoes the one in the path, lists its products
// in the background and redirects to the preview.
func undoBulkChange(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	b, err := r.shop.AddBulkUndo(r.ctx(), r.id(), form.Token())
	if err != nil {
		return r.rejectChange(err, r.bulkProblem)
	}
	if b.State == store.BulkListing {
		r.workOnBulkChange(b.ID, false)
	}
	return r.redirectWithFlash("", views.BulkPath(b.ID))
}

func stopBulkChange(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if err := r.shop.StopBulkChange(r.ctx(), r.id()); err != nil {
		return err
	}
	return r.redirectWithFlash("The change will stop when the products in progress are finished.", views.BulkPath(r.id()))
}

var bulkChangeColumns = []web.Column[store.BulkChange]{
	{Name: "BulkChangeID", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.ID) }},
	{Name: "Change", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.Describe()) }},
	{Name: "By", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.By) }},
	{Name: "Created", Cell: func(b store.BulkChange) web.Cell { return instant(b.Created) }},
	{Name: "State", Cell: func(b store.BulkChange) web.Cell { return web.Text(string(b.State)) }},
	{Name: "Products", Cell: func(b store.BulkChange) web.Cell { return integer(b.Rows) }},
	{Name: "Changed", Cell: func(b store.BulkChange) web.Cell { return integer(b.Changed) }},
	{Name: "Failed", Cell: func(b store.BulkChange) web.Cell { return integer(b.Failed) }},
	{Name: "Skipped", Cell: func(b store.BulkChange) web.Cell { return integer(b.Skipped) }},
}

var bulkRowColumns = []web.Column[store.BulkRow]{
	{Name: "Number", Cell: func(r store.BulkRow) web.Cell { return web.Text(strconv.Itoa(r.Number)) }},
	{Name: "ProductID", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.ProductID) }},
	{Name: "Name", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Name) }},
	{Name: "Before", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Before) }},
	{Name: "After", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.After) }},
	{Name: "Outcome", Cell: func(r store.BulkRow) web.Cell { return web.Text(string(r.Outcome)) }},
	{Name: "Why", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Why) }},
}
