package handlers

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
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

// redirectBulk handles the buttons below a list. It redirects to the form or to the page
// for printing that belongs to the button, with the selected rows and the filters. For
// an unknown button, it redirects back to the list.
func redirectBulk(l *views.BulkList) func(*request) error {
	return func(r *request) error {
		q := r.QueryParams()
		button := q.Get(views.ButtonParam)
		var path string
		switch kind := store.BulkKind(button); {
		case slices.Contains(l.Kinds, kind):
			path = views.BulkFormPath(kind)
		case l.Print[button] != "":
			path = l.Print[button]
		default:
			return web.Redirect(r.Context, l.Path)
		}
		kept := url.Values{l.Row: q[l.Row]}
		if q.Get("all") != "" {
			kept = url.Values{"all": {"yes"}}
		}
		for _, filter := range l.Filters {
			kept[filter] = q[filter]
		}
		return web.Redirect(r.Context, path+"?"+kept.Encode())
	}
}

// bulkSelection returns the rows that a form or query string selects. all returns the
// values of a parameter. The names of the filter parameters start with prefix.
func bulkSelection(kind store.BulkKind, l *views.BulkList, all func(name string) []string, prefix string) views.BulkSelection {
	s := views.BulkSelection{BulkList: l, Kind: kind, Rows: all(l.Row), All: strings.Join(all("all"), "") != ""}
	for _, name := range l.Filters {
		if value := strings.Join(all(prefix+name), ""); value != "" {
			s.Filters = append(s.Filters, ui.Param{Name: name, Value: value})
		}
	}
	return s
}

// selected returns the rows of a list that the query string selects.
func (r *request) selected(kind store.BulkKind, l *views.BulkList) views.BulkSelection {
	q := r.QueryParams()
	return bulkSelection(kind, l, func(name string) []string { return q[name] }, "")
}

// showBulkForm shows the form of a bulk change. It changes the selected rows of the
// list, or all rows that match the list's filters.
func showBulkForm(kind store.BulkKind) func(*request) error {
	return func(r *request) error {
		return r.showForm(r.bulkForm(kind, r.selected(kind, views.BulkListOf(kind)), r.newPick("category", store.ChooseCategory)))
	}
}

// bulkForm returns the form of a bulk change. category is the value of the category
// field.
func (r *request) bulkForm(kind store.BulkKind, selection views.BulkSelection, category pick) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		p := views.BulkForm{
			Form: r.formState(form, rejected, 0), Kind: kind, Selection: selection,
			Percent: formInput(form, rejected, "percent"), Rounding: formInput(form, rejected, "rounding"), Category: formInput(form, rejected, "category"), CategoryPick: category.view(),
			Warehouse: formInput(form, rejected, "warehouse"), Reorder: formInput(form, rejected, "reorder"), Why: formInput(form, rejected, "why"),
			Due: formInput(form, rejected, "due"), Supplier: formInput(form, rejected, "supplier"),
		}
		p.Category.Value = category.input.Value
		if kind == store.BulkTransfer || kind == store.BulkShip {
			p.Warehouse = formInput(form, rejected, "source")
		}
		if kind == store.BulkReorderPoint || kind == store.BulkTransfer || kind == store.BulkShip {
			warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
			if err != nil {
				return nil, err
			}
			p.Warehouses = warehouses.Rows
		}
		p.Page = r.page(views.BulkTitle(kind)) // call r.page after reading the warehouses, so that the footer includes the read
		return views.BulkFormPage(p), nil
	}
}

// bulkFields are the fields of the forms of all bulk changes, except the fields for the
// selection.
var bulkFields = []string{"percent", "rounding", "category", "category-id", "category-was", "warehouse", "reorder", "due", "supplier", "source", "why"}

// previewBulkChange stores a bulk change, lists its rows and redirects to the preview.
// If that needs few reads, it lists the rows in this request, otherwise in the background.
func previewBulkChange(kind store.BulkKind) func(*request) error {
	return func(r *request) error {
		list := views.BulkListOf(kind)
		fields := append([]string{list.Row + "*", "all"}, bulkFields...)
		for _, filter := range list.Filters {
			fields = append(fields, "filter-"+filter)
		}
		form, err := r.readForm(fields...)
		if err != nil {
			return err
		}
		selection := bulkSelection(kind, list, form.All, "filter-")
		category, err := r.readPick(form, "category", store.ChooseCategory)
		var b *store.BulkChange
		if err == nil {
			b, err = r.addBulkChange(kind, selection, form, category.id())
		}
		if err != nil {
			return r.rejectChange(err, r.rerender(form, r.bulkForm(kind, selection, category)))
		}
		if b.State == store.BulkListing {
			r.workOnBulkChange(b.ID, r.listsAtOnce(b))
		}
		return r.redirectWithFlash("", views.BulkPath(b.ID)) // shows no message, but passes on the changes of this request, so that the next page shows the rows
	}
}

func (r *request) addBulkChange(kind store.BulkKind, selection views.BulkSelection, form web.Form, category string) (*store.BulkChange, error) {
	b := store.BulkChange{
		Kind: kind, Percent: form.Get("percent"), Rounding: form.Get("rounding"), Category: category,
		List: selection.Query(), WarehouseID: form.Get("warehouse"), Supplier: form.Get("supplier"), SourceID: form.Get("source"), Reason: form.Get("why"),
	}
	var err error
	switch kind {
	case store.BulkReorderPoint:
		b.ReorderPoint, err = number(form, "reorder")
	case store.BulkDelivery:
		due, ok := parseDay(form.Get("due"), r.now())
		if b.Due = due; !ok {
			err = store.InvalidField("due", "Enter a day, such as "+r.now().AddDate(0, 0, 7).Format(time.DateOnly)+" or tomorrow.")
		}
	}
	if err != nil {
		return nil, err
	}
	switch rows := selection.Rows; {
	case selection.All:
		if err := r.filterBulkChange(&b, &selection); err != nil {
			return nil, err
		}
		return r.shop.AddBulkChange(r.ctx(), b, nil, form.Token())
	case len(rows) == 0:
		return nil, store.InvalidField("", "Select at least one row in the list.")
	default:
		return r.shop.AddBulkChange(r.ctx(), b, rows, form.Token())
	}
}

var errFiltersChanged = store.InvalidField("", "The filters of the list have changed. Go back and select the rows again.")

// filterBulkChange sets the filters of a bulk change that changes all matching rows.
func (r *request) filterBulkChange(b *store.BulkChange, s *views.BulkSelection) (err error) {
	switch s.BulkList {
	case &views.BulkProducts:
		f := store.ProductFilter{Bucket: s.Filter("bucket"), Name: s.Filter("name"), Category: s.Filter("category")}
		if f.Bucket != "" && !slices.Contains(key.Buckets, f.Bucket) || f.Category != "" && f.Bucket != "" && f.Bucket < "a" {
			return errFiltersChanged
		}
		b.Filter = f
	case &views.BulkLowStock:
		show := s.Filter("show")
		if show != "" && show != views.ShowOut {
			return errFiltersChanged
		}
		b.WarehouseID, b.Empty = s.Filter("warehouse"), show == views.ShowOut
	case &views.BulkOverdue:
		if s.Filter("show") != "" {
			return errFiltersChanged
		}
	case &views.BulkOrders:
		b.Orders, err = orderFilter(s)
	case &views.BulkInvoices:
		b.Invoices, err = invoiceFilter(s)
	}
	return err
}

// shipsAtOnce is the maximum number of warehouses whose stock is read in the request that
// previews shipping orders.
const shipsAtOnce = 5

// listsAtOnce reports whether listing the rows of a bulk change needs so few table
// requests that the request of the user can do it.
func (r *request) listsAtOnce(b *store.BulkChange) bool {
	switch {
	case len(b.Selected) == 0:
		return false
	case views.BulkListOf(b.Kind) == &views.BulkProducts:
		return true
	case len(b.Selected) > store.DefaultLimit:
		return false
	case b.Kind != store.BulkShip || b.SourceID != "":
		return true
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: shipsAtOnce + 1})
	return err == nil && len(warehouses.Rows) <= shipsAtOnce
}

// workOnBulkChange lists or changes the rows of a bulk change, in this request or in the
// background. If this fails, the page of the change shows the reason.
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

// bulkTabs maps each tab of a bulk change to the outcome of its rows.
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
		r.Response().Header().Set("Refresh", refreshSeconds) // reload the page without JavaScript
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

// passOnChanges makes the next page show the changes that redirectWithFlash passed to
// this page. Users go from the result back to the list, whose index may not contain the
// changes yet.
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
	page.Menu = r.site.menus[menuKey{r.user.Role, sectionOf(views.BulkListOf(b.Kind).Path)}]
	return views.BulkChange{
		Page: page, List: l, Change: *b, State: state, Only: only,
		CanStart: b.By == r.user.Name && r.user.May(b.Kind.Permission()), Token: r.newFormToken(), Rows: rows,
	}
}

// quantityFields are the fields of the form with the quantities of a preview.
var quantityFields = func() []string {
	fields := []string{views.ButtonParam, "first", "rows", "page", views.ButtonBefore, views.ButtonNext}
	for n := range store.MaxLimit {
		fields = append(fields, store.SheetField("quantity", n+1))
	}
	return fields
}()

// startBulkChange starts or continues a bulk change. If the form contains quantities, it
// saves them first, and starts the change only if the user pressed the button for that.
// It changes up to one page of rows in this request, and more rows in the background.
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

// bulkPage returns the address of a page of a bulk change. query is the page's query
// string, which the form submits.
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

// quantitiesProblem returns a function that shows the form's rows again, with the
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

// bulkProblem shows the first rows of a bulk change and the reason why it did not
// start.
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
