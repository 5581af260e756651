package handlers

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// redirectBulk handles the buttons below a list. Each button leads to a form or to a page
// for printing. The selected rows and the filters are passed on as parameters. For an
// unknown button, redirectBulk redirects back to the list.
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

// bulkSelection returns the rows that a form or query string selects. Pass a function
// that returns all values of a parameter. The names of the parameters with filters begin
// with prefix.
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

// bulkForm returns the form of a bulk change, with category in the category field.
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
		if id := selection.Filter("warehouse"); id != "" {
			if err := r.relate(store.RelatedIDs{Warehouses: []string{id}}); err != nil {
				return nil, err
			}
			p.Selection.WarehouseName = r.related.WarehouseName(id)
		}
		p.Page = r.page(views.BulkTitle(kind)) // after reading the warehouses, so that the footer includes this read
		return views.BulkFormPage(p), nil
	}
}

// bulkFields are the fields of the forms of all bulk changes, except the fields for the
// selection.
var bulkFields = []string{"percent", "rounding", "category", "category-id", "category-was", "warehouse", "reorder", "due", "supplier", "source", "why"}

// previewBulkChange stores a bulk change, lists its rows and redirects to the preview. If
// listing needs few reads, it happens in this request, otherwise in the background.
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
		return r.redirectWithFlash("", views.BulkPath(b.ID)) // no message; the redirect also passes on the changes of this request, so that the preview shows the rows
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
		b.ReorderPoint, err = store.ParseWhole("reorder", form.Get("reorder"))
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

// shipsAtOnce is the maximum number of warehouses with which a request can preview a
// shipment of orders. With more warehouses, the preview is listed in the background; see
// listsAtOnce.
const shipsAtOnce = 5

// listsAtOnce reports whether the rows of a bulk change can be listed with few table
// requests, so that this request lists them instead of a background job.
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
