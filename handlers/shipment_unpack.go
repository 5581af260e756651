package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showUnpackForm(r *request) error { return r.showForm(r.unpackForm) }

func unpackShipment(r *request) error {
	form, err := r.readForm("why")
	if err != nil {
		return err
	}
	shipment, err := r.shop.Shipment(r.ctx(), r.id())
	if err != nil {
		return err
	}
	err = r.shop.UnpackShipment(r.ctx(), store.Unpacking{ShipmentID: r.id(), Version: form.Version(), Why: form.Get("why")}, form.Token())
	return r.finishChange(err, "Shipment "+r.id()+" unpacked.", views.OrderPath(shipment.OrderID), r.rerender(form, r.unpackForm))
}

func (r *request) unpackForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	shipment, order, err := r.shop.ShipmentForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	if err := r.relate(store.RelatedIDs{Warehouses: []string{shipment.WarehouseID}}); err != nil {
		return nil, err
	}
	p := views.ShipmentUnpack{
		Page: r.page("Unpack shipment"), Form: r.formState(form, rejected, shipment.Version), Shipment: *shipment, Why: formInput(form, rejected, "why"),
	}
	if err := order.CheckUnpack(shipment); err != nil {
		p.Refusal = err.Error()
	}
	return views.ShipmentUnpackPage(p), nil
}
