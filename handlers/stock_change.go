package handlers

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// stockChange makes one kind of stock change, and returns the success message.
type stockChange func(r *request, f store.StockForm, form web.Form) (message string, err error)

// countPieces returns "1 piece", "2 pieces" and so on.
func countPieces(n int) string { return store.NumberOf(n, "piece", "pieces") }

func receiveStock(r *request, f store.StockForm, form web.Form) (string, error) {
	pieces := number(form, "quantity", &f.Wrong)
	return "Received " + countPieces(pieces) + ".", r.shop.ReceiveStock(r.ctx(), f, pieces)
}

func adjustStock(r *request, f store.StockForm, form web.Form) (string, error) {
	delta := number(form, "quantity", &f.Wrong)
	return fmt.Sprintf("Stock adjusted by %+d.", delta), r.shop.AdjustStock(r.ctx(), f, delta)
}

func countStock(r *request, f store.StockForm, form web.Form) (string, error) {
	counted := number(form, "quantity", &f.Wrong)
	return fmt.Sprintf("Count of %d saved.", counted), r.shop.CountStock(r.ctx(), f, counted)
}

func transferStock(r *request, f store.StockForm, form web.Form) (string, error) {
	pieces := number(form, "quantity", &f.Wrong)
	to := form.Get("to")
	if err := r.shop.TransferStock(r.ctx(), f, to, pieces); err != nil {
		return "", err
	}
	name := to
	if warehouse, err := r.shop.Warehouse(r.ctx(), to); err == nil {
		name = cmp.Or(warehouse.Name, to)
	}
	return fmt.Sprintf("Transferred %s to %s.", countPieces(pieces), name), nil
}

func setReorderPoint(r *request, f store.StockForm, form web.Form) (string, error) {
	point := number(form, "reorder", &f.Wrong)
	if err := r.shop.SetReorderPoint(r.ctx(), f, point, form.Get("bin")); err != nil {
		return "", err
	}
	name := f.ProductID
	if item, err := r.shop.StockItem(r.ctx(), f.ProductID, f.WarehouseID); err == nil {
		name = cmp.Or(item.Name, name)
	}
	return fmt.Sprintf("Reorder point of %s set to %d.", name, point), nil
}

func showStockForm(kind views.StockChangeKind) func(*request) error {
	return func(r *request) error { return r.showForm(r.stockForm(kind)) }
}

// stockFields returns the names of the form's fields. The form for the reorder point is
// also on the page of a warehouse. It then contains a field "back", so that the user
// returns to this page.
func stockFields(kind views.StockChangeKind) []string {
	switch kind {
	case views.StockTransfer:
		return []string{"to", "quantity", "reason", "was"}
	case views.StockReorder:
		return []string{"reorder", "bin", "back", views.FieldSeen}
	}
	return []string{"quantity", "reason", "was"}
}

func changeStock(kind views.StockChangeKind, change stockChange) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(stockFields(kind)...)
		if err != nil {
			return err
		}
		f := store.StockForm{
			ProductID: r.id(), WarehouseID: r.warehouseID(),
			Seen: form.Version(), Token: form.Token(), Reason: form.Get("reason"),
		}
		path := views.StockPath(f.ProductID, f.WarehouseID)
		if form.Get("back") == "warehouse" {
			path = views.WarehousePath(f.WarehouseID)
		}
		message, err := change(r, f, form)
		return r.finishChange(err, message, path, r.rerender(form, r.stockForm(kind)))
	}
}

// stockForm returns the function that renders the form. After a conflict, the form also
// shows the last change of the stock.
func (r *request) stockForm(kind views.StockChangeKind) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		item, err := r.shop.StockItem(r.ctx(), r.id(), r.warehouseID())
		if err != nil {
			return nil, err
		}
		warehouse, err := r.shop.Warehouse(r.ctx(), item.WarehouseID)
		if err != nil {
			return nil, err
		}
		p := views.StockChange{
			Form: r.formState(form, rejected, item.Version), Kind: kind, Item: *item, Warehouse: *warehouse,
			Quantity: formInput(form, rejected, "quantity"), To: formInput(form, rejected, "to"), Reason: formInput(form, rejected, "reason"),
		}
		p.Was = cmp.Or(form.Get("was"), strconv.Itoa(item.Quantity))
		if kind == views.StockReorder {
			fields := reorderFields(form, rejected, item)
			p.Seen = seenOf(fields, form, rejected, form.Get)
			p.Reorder, p.Bin = fields[0].Input, fields[1].Input
			p.ToWarehouse = form.Get("back") == "warehouse"
		}
		if kind == views.StockTransfer {
			to, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
			if err != nil {
				return nil, err
			}
			p.Warehouses = to.Rows
		}
		if p.Conflict {
			if p.Last, err = r.shop.LastStockChange(r.ctx(), item.ProductID, item.WarehouseID); err != nil {
				return nil, err
			}
		}
		p.Page = r.page(kind.Title())
		return views.StockChangePage(p), nil
	}
}

// reorderSeen returns the field FieldSeen of a new form for a reorder point.
func reorderSeen(item *store.WarehouseItem) string {
	return hashes(reorderFields(web.Form{}, nil, item))
}

// reorderFields returns the fields of the form for a reorder point: with the entered values
// if the form was rejected, and otherwise with those of the stock item.
func reorderFields(form web.Form, rejected *store.Error, item *store.WarehouseItem) []views.EditField {
	fields := []views.EditField{
		{Spec: store.FieldSpec{Name: "reorder"}, Now: strconv.Itoa(item.ReorderPoint)},
		{Spec: store.FieldSpec{Name: "bin"}, Now: item.Bin},
	}
	for i := range fields {
		f := &fields[i]
		f.Input = formInput(form, rejected, f.Spec.Name)
		if rejected == nil {
			f.Input.Value = f.Now
		}
	}
	return fields
}
