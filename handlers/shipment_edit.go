package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showShipmentForm(r *request) error { return r.showForm(r.shipmentForm) }

// advanceShipment sets a shipment to its next status: from packed to shipped, or from
// shipped to delivered.
func advanceShipment(r *request) error {
	form, err := r.readForm("to", store.FieldCarrier, store.FieldTracking)
	if err != nil {
		return err
	}
	to := store.ShipmentStatus(form.Get("to"))
	err = r.shop.AdvanceShipment(r.ctx(), store.ShipmentUpdate{
		ShipmentID: r.id(), Version: form.Version(), To: to,
		Carrier: form.Get(store.FieldCarrier), Tracking: form.Get(store.FieldTracking),
	}, form.Token())
	return r.finishChange(err, "Shipment updated.", views.ShipmentPath(r.id()), r.rerender(form, r.shipmentForm))
}

func (r *request) shipmentForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	shipment, _, err := r.shop.ShipmentForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.ShipmentEdit{
		Form: r.formState(form, rejected, shipment.Version), Shipment: shipment.Shipment,
		Carrier: formInput(form, rejected, store.FieldCarrier), Tracking: formInput(form, rejected, store.FieldTracking),
	}
	if rejected == nil {
		p.Carrier.Value, p.Tracking.Value = shipment.Carrier, shipment.Tracking
	}
	if rejected != nil && rejected.Field == "to" {
		p.Problem = rejected.Message
	}
	p.Page = r.page(views.NextName(shipment.Next()))
	return views.ShipmentEditPage(p), nil
}
