package handlers

import (
	"cmp"
	"context"
	"strconv"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// showOverdue is the value of the parameter "show" that selects overdue deliveries.
const showOverdue = "overdue"

// listDeliveries lists the expected deliveries of one warehouse, or of all warehouses
// that the user may see.
func listDeliveries(r *request) error {
	q, err := r.query("warehouse", "show")
	if err != nil {
		return err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	f := store.DeliveryFilter{Warehouses: filteredWarehouses(q, warehouses.Rows)}
	overdue := web.OneOf(q, "show", []string{showOverdue}) != ""
	if overdue {
		today, err := r.shop.Today(r.ctx())
		if err != nil {
			return err
		}
		f.Until = today.AddDate(0, 0, -1)
	}
	return respondList(r, q, listPage[store.ExpectedDelivery]{
		file: "deliveries", columns: deliveryColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ExpectedDelivery], error) {
			return r.shop.ExpectedDeliveries(ctx, f, p)
		},
		page: func(l views.List, rows []store.ExpectedDelivery) templ.Component {
			return views.DeliveriesPage(views.Deliveries{
				Page: r.page("Expected deliveries"), List: l.NameWarehouses(warehouses.Rows), Overdue: overdue, Warehouse: queryInput(q, "warehouse"), Warehouses: warehouses.Rows, Rows: rows,
			})
		},
	})
}

var deliveryColumns = []web.Column[store.ExpectedDelivery]{
	{Name: "ExpectedDeliveryID", Cell: func(d store.ExpectedDelivery) web.Cell { return web.Text(d.ID) }, Minor: true},
	referColumn("WarehouseID", func(d store.ExpectedDelivery) string { return d.WarehouseID }),
	{Name: "ProductID", Cell: func(d store.ExpectedDelivery) web.Cell { return web.Text(d.ProductID) }, Minor: true},
	{Name: "Name", Cell: func(d store.ExpectedDelivery) web.Cell { return web.Text(d.Name) }},
	{Name: "Due", Cell: func(d store.ExpectedDelivery) web.Cell { return calendarDay(d.Due) }},
	{Name: "Supplier", Cell: func(d store.ExpectedDelivery) web.Cell { return web.Text(d.Supplier) }},
	{Name: "Quantity", Cell: func(d store.ExpectedDelivery) web.Cell { return integer(d.Quantity) }},
	{Name: "Received", Cell: func(d store.ExpectedDelivery) web.Cell { return integer(d.Received) }, Minor: true},
	{Name: "Open", Cell: func(d store.ExpectedDelivery) web.Cell { return integer(d.Open()) }},
}

// deliveryEditor edits the expected delivery in the path.
var deliveryEditor = editorFor[store.ExpectedDelivery](func(r *request) (*editor[store.ExpectedDelivery], error) {
	return &editor[store.ExpectedDelivery]{
		noun: "Expected delivery", list: views.DeliveriesPath, listName: "Expected deliveries",
		path:   func(productID string) string { return views.StockPath(productID, r.warehouseID()) },
		fields: store.DeliveryFields,
		key: func(d *store.ExpectedDelivery) (*string, *int, string) {
			return &d.ProductID, &d.Version, cmp.Or(d.Name, d.ProductID)
		},
		read: func(a store.Access, ctx context.Context, productID string) (*store.ExpectedDelivery, error) {
			return a.DeliveryForChange(ctx, productID, r.warehouseID(), r.param("delivery"))
		},
		also: func(_ *request, d *store.ExpectedDelivery, p *views.Edit) error {
			if d.Open() > 0 {
				p.Other = ui.FieldLink{Path: views.DeliveryPath(*d) + "/" + string(views.DeliveryCancel), Text: views.DeliveryCancel.Title()}
			}
			return nil
		},
		save: func(a store.Access, ctx context.Context, d store.ExpectedDelivery, token string) error {
			d.WarehouseID, d.ID = r.warehouseID(), r.param("delivery")
			return a.SaveDelivery(ctx, d, token)
		},
	}, nil
})

// newDelivery adds an expected delivery. The query string of its form can contain the
// product and the warehouse.
var newDelivery = editorFor[store.ExpectedDelivery](func(r *request) (*editor[store.ExpectedDelivery], error) {
	var stock string
	return &editor[store.ExpectedDelivery]{
		noun: "Expected delivery", list: views.DeliveriesPath, listName: "Expected deliveries",
		path:   func(string) string { return stock },
		fields: store.NewDeliveryFields,
		key: func(d *store.ExpectedDelivery) (*string, *int, string) {
			return &d.ID, &d.Version, ""
		},
		start: func() (*store.ExpectedDelivery, error) {
			q, err := r.query("product", "warehouse")
			if err != nil {
				return nil, err
			}
			d := &store.ExpectedDelivery{ProductID: q.Get("product"), WarehouseID: q.Get("warehouse"), Quantity: 1}
			if len(r.user.Warehouses) == 1 {
				d.WarehouseID = cmp.Or(d.WarehouseID, r.user.Warehouses[0])
			}
			return d, nil
		},
		add: func(a store.Access, ctx context.Context, d store.ExpectedDelivery, token string) (string, error) {
			stock = views.StockPath(d.ProductID, d.WarehouseID)
			return a.AddDelivery(ctx, d, token)
		},
	}, nil
})

func showDeliveryForm(kind views.DeliveryChangeKind) func(*request) error {
	return func(r *request) error { return r.showForm(r.deliveryForm(kind)) }
}

// changeDelivery receives or cancels the expected delivery in the path. If the received
// quantity differs from the open quantity, the user must confirm it first.
func changeDelivery(kind views.DeliveryChangeKind) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(kind.Fields()...)
		if err != nil {
			return err
		}
		f := store.DeliveryForm{
			ProductID: r.id(), WarehouseID: r.warehouseID(), ID: r.param("delivery"),
			Seen: form.Version(), Token: form.Token(), Reason: form.Get("reason"),
		}
		var message string
		switch kind {
		case views.DeliveryReceive:
			pieces := number(form, "quantity", &f.Wrong)
			if pieces > 0 && form.Get("confirmed") != strconv.Itoa(pieces) {
				d, err := r.shop.DeliveryForChange(r.ctx(), f.ProductID, f.WarehouseID, f.ID)
				if err != nil {
					return err
				}
				if d.Version == f.Seen && d.Open() > 0 && pieces != d.Open() {
					return r.confirmQuantity(form, pieces)
				}
			}
			message, err = "Received "+countPieces(pieces)+".", r.shop.ReceiveDelivery(r.ctx(), f, pieces)
		case views.DeliveryCancel:
			message, err = "Expected delivery cancelled.", r.shop.CancelDelivery(r.ctx(), f)
		}
		return r.finishChange(err, message, views.StockPath(f.ProductID, f.WarehouseID), r.rerender(form, r.deliveryForm(kind)))
	}
}

// confirmQuantity shows the form again and asks the user to confirm the entered quantity.
func (r *request) confirmQuantity(form web.Form, pieces int) error {
	page, err := r.deliveryFormWith(views.DeliveryReceive, pieces)(form, &store.Error{Kind: store.Invalid, Field: "confirmed"})
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) deliveryForm(kind views.DeliveryChangeKind) formPage {
	return r.deliveryFormWith(kind, 0)
}

// deliveryFormWith returns a form of an expected delivery. The argument differing is the
// quantity that the user must confirm, or 0.
func (r *request) deliveryFormWith(kind views.DeliveryChangeKind, differing int) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		d, err := r.shop.DeliveryForChange(r.ctx(), r.id(), r.warehouseID(), r.param("delivery"))
		if err != nil {
			return nil, err
		}
		warehouse, err := r.shop.Warehouse(r.ctx(), d.WarehouseID)
		if err != nil && store.KindOf(err) != store.NotFound {
			return nil, err
		}
		p := views.DeliveryChange{
			Page: r.page(kind.Title()), Form: r.formState(form, rejected, d.Version), Kind: kind, Delivery: *d, Warehouse: warehouseOrID(warehouse, d.WarehouseID),
			Quantity: formInput(form, rejected, "quantity"), Reason: formInput(form, rejected, "reason"), Differing: differing,
		}
		if rejected == nil && kind == views.DeliveryReceive {
			p.Quantity.Value, p.Reason.Value = strconv.Itoa(d.Open()), views.DeliveryReason(d.Supplier)
		}
		return views.DeliveryChangePage(p), nil
	}
}
