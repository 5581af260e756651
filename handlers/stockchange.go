package handlers

import (
	"fmt"
	"strconv"

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
	return func(r *request) error { return r.ask(r.stockForm(kind)) }
}

// stockFields are what the form of a change of stock sends. The list of what a
// warehouse runs out of has forms too, which say that they lead back to it.
func stockFields(kind views.StockChangeKind) []string {
	switch kind {
	case views.StockTransfer:
		return []string{"to", "quantity", "reason"}
	case views.StockReorder:
		return []string{"reorder", "bin", "back"}
	}
	return []string{"quantity", "reason"}
}

// changeStock makes a change of stock.
func changeStock(kind views.StockChangeKind, change stockChange) func(*request) error {
	return func(r *request) error {
		form, err := r.form(stockFields(kind)...)
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
		return r.changed(err, done, path, r.again(form, r.stockForm(kind)))
	}
}

// stockForm is the form of a change of stock. After a conflict it says who was
// first.
func (r *request) stockForm(kind views.StockChangeKind) formPage {
	return func(form web.Form, refused *store.Error) (templ.Component, error) {
		item, err := r.shop.StockItem(r.ctx(), r.id(), r.warehouseID())
		if err != nil {
			return nil, err
		}
		warehouse, err := r.shop.Warehouse(r.ctx(), item.WarehouseID)
		if err != nil {
			return nil, err
		}
		p := views.StockChange{
			Form: r.formOf(form, refused, item.Version), Kind: kind, Item: *item, Warehouse: *warehouse,
			Quantity: typed(form, refused, "quantity"), To: typed(form, refused, "to"), Reason: typed(form, refused, "reason"),
			Reorder: typed(form, refused, "reorder"), Bin: typed(form, refused, "bin"),
		}
		if refused == nil {
			p.Reorder.Value, p.Bin.Value = strconv.Itoa(item.ReorderPoint), item.Bin
		}
		if kind == views.StockTransfer {
			to, err := r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit})
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
