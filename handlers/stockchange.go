package handlers

import (
	"fmt"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// stockChange makes one kind of change of stock from its form, and says what
// was done.
type stockChange func(r *request, f store.StockForm, form web.Form) (done string, err error)

func receiveStock(r *request, f store.StockForm, form web.Form) (string, error) {
	pieces, err := number(form, "quantity")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Received: %d.", pieces), r.shop.ReceiveStock(r.ctx(), f, pieces)
}

func adjustStock(r *request, f store.StockForm, form web.Form) (string, error) {
	by, err := number(form, "quantity")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Adjusted by %+d.", by), r.shop.AdjustStock(r.ctx(), f, by)
}

func countStock(r *request, f store.StockForm, form web.Form) (string, error) {
	counted, err := number(form, "quantity")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Counted: %d.", counted), r.shop.CountStock(r.ctx(), f, counted)
}

func transferStock(r *request, f store.StockForm, form web.Form) (string, error) {
	pieces, err := number(form, "quantity")
	if err != nil {
		return "", err
	}
	to := form.Get("to")
	return fmt.Sprintf("Sent %d to %s.", pieces, to), r.shop.TransferStock(r.ctx(), f, to, pieces)
}

func setReorderPoint(r *request, f store.StockForm, form web.Form) (string, error) {
	point, err := number(form, "reorder")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is reordered at %d.", f.ProductID, point), r.shop.SetReorderPoint(r.ctx(), f, point, form.Get("bin"))
}

// askStock shows the form of a change of stock.
func askStock(kind views.StockChangeKind) func(*request) error {
	return func(r *request) error {
		page, err := r.stockForm(kind, web.Form{}, nil)
		if err != nil {
			return err
		}
		return r.show(page)
	}
}

// changeStock makes a change of stock. Forms in the list of what a warehouse
// runs out of lead back to it.
func changeStock(kind views.StockChangeKind, change stockChange) func(*request) error {
	return func(r *request) error {
		form, err := r.form("quantity", "reason", "to", "reorder", "bin", "back")
		if err != nil {
			return err
		}
		f := store.StockForm{
			ProductID: r.id(), WarehouseID: r.warehouseID(),
			Seen: form.Version(), Once: form.Once(), Reason: form.Get("reason"),
		}
		path := views.StockPath(f.ProductID, f.WarehouseID)
		if form.Get("back") == "warehouse" {
			path = views.WarehousePath(f.WarehouseID)
		}
		done, err := change(r, f, form)
		return r.changed(err, done, path, func(refused *store.Error) (templ.Component, error) {
			return r.stockForm(kind, form, refused)
		})
	}
}

// stockForm is the form of a change of stock: new, or as it was typed where it
// was refused. Where somebody else was first, it is made for what is there
// now, and says so, so that sending it again is a choice.
func (r *request) stockForm(kind views.StockChangeKind, form web.Form, refused *store.Error) (templ.Component, error) {
	item, err := r.shop.StockItem(r.ctx(), r.id(), r.warehouseID())
	if err != nil {
		return nil, err
	}
	warehouse, err := r.shop.Warehouse(r.ctx(), item.WarehouseID)
	if err != nil {
		return nil, err
	}
	p := views.StockChange{
		Kind: kind, Item: *item, Warehouse: *warehouse, Seen: item.Version, Once: r.token(),
		Quantity: typed(form, refused, "quantity"), To: typed(form, refused, "to"), Reason: typed(form, refused, "reason"),
		Reorder: typed(form, refused, "reorder"), Bin: typed(form, refused, "bin"),
	}
	if kind == views.StockTransfer {
		to, err := r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit})
		if err != nil {
			return nil, err
		}
		p.Warehouses = to.Rows
	}
	switch {
	case refused == nil:
		p.Reorder.Value, p.Bin.Value = fmt.Sprint(item.ReorderPoint), item.Bin
	case refused.Kind == store.Conflict:
		p.Conflict = refused.Message
		if p.Last, err = r.shop.LastStockChange(r.ctx(), item.ProductID, item.WarehouseID); err != nil {
			return nil, err
		}
	default:
		p.Seen = form.Version()
	}
	p.Page = r.page(kind.Title())
	return views.StockChangePage(p), nil
}
