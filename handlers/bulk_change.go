package handlers

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// listBulkChanges lists the bulk changes of the user, or of all users for admins.
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

// bulkTabs maps each tab of a bulk change to the outcome of the rows that it shows.
var bulkTabs = map[string]store.BulkOutcome{views.ShowFailures: store.BulkFailed, views.ShowSkipped: store.BulkSkipped}

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
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page, also without JavaScript
	}
	only := bulkTabs[web.OneOf(q, "show", []string{views.ShowFailures, views.ShowSkipped})]
	var recipients map[string]*store.Renter
	return respondList(r, q, listPage[store.BulkRow]{
		file: "bulk-change", columns: bulkRowColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.BulkRow], error) {
			rows, err := r.shop.BulkRows(ctx, b, only, p)
			if err == nil && !r.wantsFile() && b.Kind.SendsEmails() {
				recipients, err = r.shop.BulkRecipients(ctx, rows.Rows)
			}
			return rows, err
		},
		page: func(l views.List, rows []store.BulkRow) templ.Component {
			p := r.bulkChangePage(b, l, rows, only)
			p.Recipients, p.Query = recipients, r.QueryParams().Encode()
			r.passOnChanges()
			return views.BulkChangePage(p)
		},
	})
}

// passOnChanges passes on to the next page the changes that this page got from
// redirectWithFlash. From the result of a bulk change, users return to the list, whose
// index may not contain the changes yet.
func (r *request) passOnChanges() {
	if r.earlier == nil {
		return
	}
	if err := r.site.tools.SetFlash(r.Context, "", r.earlier); err != nil {
		r.site.tools.LogFailure(r.Context, "cannot pass on changes", err)
	}
}

func (r *request) bulkChangePage(b *store.BulkChange, l views.List, rows []store.BulkRow, only store.BulkOutcome) views.BulkChange {
	title, state := b.Describe(), b.StateAt(r.site.store.Now())
	if result := views.BulkResult(b, state); result != "" {
		title += ": " + result
	}
	page := r.page(title)
	page.Menu = r.site.menus.of(r.user.Role, sectionOf(views.BulkListOf(b.Kind).Path))
	return views.BulkChange{
		Page: page, List: l, Change: *b, State: state, Only: only,
		CanStart: b.By == r.user.Name && r.user.May(b.Kind.Permission()), Token: r.newFormToken(), Rows: rows,
	}
}

// startBulkChange starts or continues a bulk change. If the form contains quantities, it
// saves them first, and then starts the change only if the user pressed the button for
// starting it. A change of at most one page of rows is made in this request, and a larger
// one in the background.
func startBulkChange(r *request) error {
	form, err := r.readForm(quantityFields...)
	if err != nil {
		return err
	}
	version, quantities := form.Version(), bulkQuantities(form)
	if quantities.Rows > 0 {
		if version, err = r.shop.SetBulkQuantities(r.ctx(), r.id(), version, quantities); err != nil {
			return r.rejectChange(err, r.quantitiesProblem(form, quantities))
		}
		switch button := form.Get(views.ButtonParam); button {
		case views.ButtonRun:
		case views.ButtonBefore, views.ButtonNext:
			return r.redirectWithFlash("", bulkPage(r.id(), form.Get(button)))
		default:
			return r.redirectWithFlash("Quantities saved.", bulkPage(r.id(), form.Get("page")))
		}
	}
	b, err := r.shop.StartBulkChange(r.ctx(), r.id(), version, form.Token())
	if err != nil {
		return r.rejectChange(err, r.bulkProblem)
	}
	r.workOnBulkChange(b.ID, b.Listed && b.Rows <= store.DefaultLimit)
	return r.redirectWithFlash("", views.BulkPath(b.ID))
}

// workOnBulkChange lists or changes the rows of a bulk change: in this request if atOnce is
// true, and otherwise in the background. After a failure, the page of the change shows the
// reason.
func (r *request) workOnBulkChange(id string, atOnce bool) {
	if !atOnce {
		r.site.jobs.StartBulkChange(id)
		return
	}
	// Continue the work even if the client disconnects.
	err := r.site.jobs.RunBulkChange(context.WithoutCancel(r.ctx()), id)
	if err != nil && !errors.Is(err, store.ErrLeased) {
		r.site.tools.LogFailure(r.Context, "a bulk change stopped", err)
	}
}

// bulkProblem shows the first unchanged rows of a bulk change that could not be started,
// undone or cancelled, and the reason.
func (r *request) bulkProblem(rejected *store.Error) (templ.Component, error) {
	b, err := r.shop.BulkChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	rows, err := r.shop.BulkRows(r.ctx(), b, store.BulkToDo, store.Page{})
	if err != nil {
		return nil, err
	}
	if err := r.relate(store.RelatedTo(rows.Rows)); err != nil {
		return nil, err
	}
	var recipients map[string]*store.Renter
	if b.Kind.SendsEmails() {
		if recipients, err = r.shop.BulkRecipients(r.ctx(), rows.Rows); err != nil {
			return nil, err
		}
	}
	l := views.List{Path: views.BulkPath(b.ID), Pager: ui.Pager{Shown: len(rows.Rows)}}
	p := r.bulkChangePage(b, l, rows.Rows, store.BulkToDo)
	p.Problem, p.Recipients = rejected.Message, recipients
	return views.BulkChangePage(p), nil
}

// undoBulkChange stores a bulk change that undoes an earlier one, lists its products in the
// background and redirects to the preview.
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

// cancelBulkChange cancels a bulk change that has not changed anything yet, and returns
// to the list in which its rows were selected.
func cancelBulkChange(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	b, err := r.shop.CancelBulkChange(r.ctx(), r.id())
	if err != nil {
		return r.rejectChange(err, r.bulkProblem)
	}
	return r.redirectWithFlash("Cancelled. Nothing was "+views.BulkDone(b.Kind)+".", views.BulkListPath(b))
}

func stopBulkChange(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if err := r.shop.StopBulkChange(r.ctx(), r.id()); err != nil {
		return err
	}
	return r.redirectWithFlash("The change will stop when the rows in progress are finished.", views.BulkPath(r.id()))
}

var bulkChangeColumns = []web.Column[store.BulkChange]{
	{Name: "BulkChangeID", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.ID) }},
	{Name: "Change", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.Describe()) }},
	{Name: "Warehouse", Cell: func(b store.BulkChange) web.Cell {
		return web.Text(cmp.Or(b.WarehouseName, strings.Join(b.Warehouses(), " ")))
	}},
	{Name: "By", Cell: func(b store.BulkChange) web.Cell { return web.Text(b.By) }},
	{Name: "Created", Cell: func(b store.BulkChange) web.Cell { return instant(b.Created) }},
	{Name: "State", Cell: func(b store.BulkChange) web.Cell { return web.Text(string(b.State)) }},
	{Name: "Rows", Cell: func(b store.BulkChange) web.Cell { return integer(b.Rows) }},
	{Name: "Changed", Cell: func(b store.BulkChange) web.Cell { return integer(b.Changed) }},
	{Name: "Failed", Cell: func(b store.BulkChange) web.Cell { return integer(b.Failed) }},
	{Name: "Skipped", Cell: func(b store.BulkChange) web.Cell { return integer(b.Skipped) }},
}

var bulkRowColumns = []web.Column[store.BulkRow]{
	{Name: "Number", Cell: func(r store.BulkRow) web.Cell { return web.Text(strconv.Itoa(r.Number)) }},
	{Name: "ProductID", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.ProductID) }},
	referColumn("WarehouseID", func(r store.BulkRow) string { return r.WarehouseID }),
	referColumn("SourceID", func(r store.BulkRow) string { return r.SourceID }),
	{Name: "OrderID", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.OrderID) }},
	{Name: "InvoiceID", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.InvoiceID) }},
	{Name: "PersonID", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.PersonID) }},
	{Name: "Name", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Name) }},
	{Name: "Before", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Before) }},
	{Name: "After", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.After) }},
	{Name: "Outcome", Cell: func(r store.BulkRow) web.Cell { return web.Text(string(r.Outcome)) }},
	{Name: "Why", Cell: func(r store.BulkRow) web.Cell { return web.Text(r.Why) }},
}
