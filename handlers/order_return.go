package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showReturnForm(r *request) error { return r.showForm(r.returnForm) }

func returnOrder(r *request) error {
	form, err := r.readLineForm(store.FieldWarehouse, "why")
	if err != nil {
		return err
	}
	returned := store.ReturnRequest{OrderID: r.id(), Version: form.Version(), WarehouseID: form.Get(store.FieldWarehouse), Why: form.Get("why")}
	returned.Quantities = quantities(form, &returned.Wrong)
	err = r.shop.ReturnItems(r.ctx(), returned, form.Token())
	return r.finishOrderChange(err, "Return recorded.", r.id(), r.rerender(form, r.returnForm))
}

func (r *request) returnForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return nil, err
	}
	returnable := r.shop.Returnable(order)
	none := func(*store.OrderItem) int { return 0 }
	return views.OrderReturnPage(views.OrderReturn{
		Page: r.page("Return items"), Form: r.formState(form, rejected, order.Version), Order: order.Order, Packed: order.PackedShipments(), Warehouses: warehouses.Rows,
		Lines:     lineForms(order, func(line *store.OrderItem) int { return returnable[line.ProductID] }, none, form, rejected),
		Warehouse: formInput(form, rejected, store.FieldWarehouse), Why: formInput(form, rejected, "why"),
	}), nil
}
