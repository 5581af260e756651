package handlers

import (
	"cmp"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showShipForm shows the form that ships items from the warehouse in the query string.
// The default is the warehouse that can ship the most pieces.
func showShipForm(r *request) error {
	q, err := r.query(store.FieldWarehouse)
	if err != nil {
		return err
	}
	return r.showForm(r.shipForm(q.Get(store.FieldWarehouse)))
}

func shipOrder(r *request) error {
	form, err := r.readLineForm(store.FieldWarehouse, store.FieldService, store.FieldCarrier, store.FieldTracking)
	if err != nil {
		return err
	}
	packing := store.ShipmentRequest{
		OrderID: r.id(), Version: form.Version(), WarehouseID: form.Get(store.FieldWarehouse),
		Service: form.Get(store.FieldService), Carrier: form.Get(store.FieldCarrier), Tracking: form.Get(store.FieldTracking),
	}
	packing.Quantities = quantities(form, &packing.Wrong)
	err = r.shop.ShipItems(r.ctx(), packing, form.Token())
	return r.finishChange(err, "Shipment packed.", views.OrderPath(r.id()), r.rerender(form, r.shipForm(packing.WarehouseID)))
}

// shipForm returns the form that ships items from a warehouse. It suggests quantities for
// at most as many lines as a shipment can have.
func (r *request) shipForm(from string) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		order, err := r.shop.OrderForChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		stock, err := r.shop.StockForOrder(r.ctx(), order)
		if err != nil {
			return nil, err
		}
		warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
		if err != nil {
			return nil, err
		}
		p := views.OrderShip{
			Form: r.formState(form, rejected, order.Version), Order: order.Order, Stock: stock,
			From: from, Warehouses: warehousesWithStock(warehouses.Rows, stock), CanEditAddress: r.user.May(store.Sell) && order.CanChangeShipTo(), CanAddAddress: order.CanChangeShipTo(),
			Service: formInput(form, rejected, store.FieldService), Carrier: formInput(form, rejected, store.FieldCarrier), Tracking: formInput(form, rejected, store.FieldTracking),
		}
		if p.From == "" {
			p.From = bestWarehouse(order, stock, p.Warehouses)
		}
		p.Form.Problem = cmp.Or(p.Form.Problem, rejected.About(store.FieldWarehouse)) // the form has no field that could show this error, so show it at the top
		suggested := 0
		p.Lines = lineForms(order, (*store.OrderItem).Open, func(line *store.OrderItem) int {
			n := min(line.Open(), store.QuantityIn(stock[line.ProductID], p.From))
			if n > 0 {
				suggested++
			}
			if suggested > store.MaxShipmentLines {
				return 0
			}
			return n
		}, form, rejected)
		p.Page = r.page("Pack shipment")
		return views.OrderShipPage(p), nil
	}
}

// warehousesWithStock returns the warehouses that have at least one of the items in
// stock.
func warehousesWithStock(warehouses []store.Warehouse, stock map[string][]store.WarehouseItem) []store.Warehouse {
	return slices.DeleteFunc(slices.Clone(warehouses), func(w store.Warehouse) bool {
		for _, items := range stock {
			if store.QuantityIn(items, w.ID) > 0 {
				return false
			}
		}
		return true
	})
}

// bestWarehouse returns the ID of the warehouse, among these, that can ship the most pieces
// of an order, or "" if none can ship any.
func bestWarehouse(d *store.OrderDetails, stock map[string][]store.WarehouseItem, among []store.Warehouse) string {
	best, most := "", 0
	for i := range among {
		ready := 0
		for j := range d.Items {
			ready += min(d.Items[j].Open(), store.QuantityIn(stock[d.Items[j].ProductID], among[i].ID))
		}
		if ready > most {
			best, most = among[i].ID, ready
		}
	}
	return best
}
