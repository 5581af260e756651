package handlers

import (
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// askShipment shows the form of a parcel from the warehouse in the address,
// or from the one that can send the most.
func askShipment(r *request) error {
	q, err := r.query(store.FieldWarehouse)
	if err != nil {
		return err
	}
	return r.ask(r.shipmentForm(q.Get(store.FieldWarehouse)))
}

func ship(r *request) error {
	form, err := r.lineForm(store.FieldWarehouse, store.FieldService, store.FieldCarrier, store.FieldTracking)
	if err != nil {
		return err
	}
	packing := store.Packing{
		OrderID: r.id(), Version: form.Version(), WarehouseID: form.Get(store.FieldWarehouse),
		Service: form.Get(store.FieldService), Carrier: form.Get(store.FieldCarrier), Tracking: form.Get(store.FieldTracking),
	}
	if packing.Quantities, err = quantities(form); err == nil {
		err = r.shop.Ship(r.ctx(), packing, form.Once())
	}
	return r.changed(err, "The parcel was packed.", views.OrderPath(r.id()), r.again(form, r.shipmentForm(packing.WarehouseID)))
}

// shipmentForm is the form of a parcel from a warehouse. A parcel holds so
// many lines; of more, the first are suggested.
func (r *request) shipmentForm(from string) formPage {
	return func(form web.Form, refused *store.Error) (templ.Component, error) {
		order, err := r.shop.OrderForChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		stock, err := r.shop.StockOfLines(r.ctx(), order)
		if err != nil {
			return nil, err
		}
		warehouses, err := r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit})
		if err != nil {
			return nil, err
		}
		p := views.Shipping{
			Form: r.formOf(form, refused, order.Version), Order: order.Order, Stock: stock,
			From: from, Warehouses: holding(warehouses.Rows, stock),
			Service: typed(form, refused, store.FieldService), Carrier: typed(form, refused, store.FieldCarrier), Tracking: typed(form, refused, store.FieldTracking),
		}
		if p.From == "" {
			p.From = fullest(order, stock)
		}
		if p.Form.Problem == "" && refused != nil && refused.Field == store.FieldWarehouse {
			p.Form.Problem = refused.Message // it is chosen beside the form, not in it
		}
		suggested := 0
		p.Lines = typedLines(order, (*store.OrderItem).Open, func(line *store.OrderItem) int {
			n := min(line.Open(), store.InWarehouse(stock[line.ProductID], p.From))
			if n > 0 {
				suggested++
			}
			if suggested > store.MaxParcelLines {
				return 0
			}
			return n
		}, form, refused)
		p.Page = r.page("Ship")
		return views.ShipPage(p), nil
	}
}

// holding are those warehouses in which something of the lines lies.
func holding(warehouses []store.Warehouse, stock map[string][]store.WarehouseItem) []store.Warehouse {
	return slices.DeleteFunc(slices.Clone(warehouses), func(w store.Warehouse) bool {
		for _, items := range stock {
			if store.InWarehouse(items, w.ID) > 0 {
				return false
			}
		}
		return true
	})
}

// fullest is the warehouse that can send the most pieces of an order; "" where
// none has any.
func fullest(d *store.OrderDetails, stock map[string][]store.WarehouseItem) string {
	ready := map[string]int{}
	best := ""
	for i := range d.Items {
		for _, item := range stock[d.Items[i].ProductID] {
			ready[item.WarehouseID] += min(d.Items[i].Open(), item.Quantity)
		}
	}
	for id, n := range ready {
		if n > ready[best] || n == ready[best] && n > 0 && id < best {
			best = id
		}
	}
	return best
}

func askReturn(r *request) error { return r.ask(r.returnForm) }

func takeBack(r *request) error {
	form, err := r.lineForm(store.FieldWarehouse, "why")
	if err != nil {
		return err
	}
	back := store.Comeback{OrderID: r.id(), Version: form.Version(), WarehouseID: form.Get(store.FieldWarehouse), Why: form.Get("why")}
	if back.Quantities, err = quantities(form); err == nil {
		err = r.shop.TakeBack(r.ctx(), back, form.Once())
	}
	return r.changed(err, "It was taken back. What was paid for it can be paid back from the invoice.", views.OrderPath(r.id()), r.again(form, r.returnForm))
}

func (r *request) returnForm(form web.Form, refused *store.Error) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit})
	if err != nil {
		return nil, err
	}
	returnable := r.shop.Returnable(order)
	none := func(*store.OrderItem) int { return 0 }
	return views.TakeBackPage(views.TakingBack{
		Page: r.page("Take back"), Form: r.formOf(form, refused, order.Version), Order: order.Order, Warehouses: warehouses.Rows,
		Lines:     typedLines(order, func(line *store.OrderItem) int { return returnable[line.ProductID] }, none, form, refused),
		Warehouse: typed(form, refused, store.FieldWarehouse), Why: typed(form, refused, "why"),
	}), nil
}

func askCancel(r *request) error { return r.ask(r.cancelForm) }

func cancelOrder(r *request) error {
	form, err := r.form("why")
	if err != nil {
		return err
	}
	err = r.shop.Cancel(r.ctx(), store.Cancelling{OrderID: r.id(), Version: form.Version(), Why: form.Get("why")}, form.Once())
	return r.changed(err, "What had not left was cancelled.", views.OrderPath(r.id()), r.again(form, r.cancelForm))
}

func (r *request) cancelForm(form web.Form, refused *store.Error) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	return views.CancelPage(views.Cancelling{
		Page: r.page("Cancel"), Form: r.formOf(form, refused, order.Version), Order: *order, Why: typed(form, refused, "why"),
	}), nil
}
