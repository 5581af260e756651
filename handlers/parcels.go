package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func askForward(r *request) error { return r.ask(r.forwardForm) }

// forward moves a parcel on: packed, sent, delivered.
func forward(r *request) error {
	form, err := r.form("to", store.FieldCarrier, store.FieldTracking)
	if err != nil {
		return err
	}
	to := store.ShipmentStatus(form.Get("to"))
	err = r.shop.Forward(r.ctx(), store.Forwarding{
		ShipmentID: r.id(), Version: form.Version(), To: to,
		Carrier: form.Get(store.FieldCarrier), Tracking: form.Get(store.FieldTracking),
	}, form.Once())
	return r.changed(err, "The shipment moved on.", views.ShipmentPath(r.id()), r.again(form, r.forwardForm))
}

func (r *request) forwardForm(form web.Form, refused *store.Error) (templ.Component, error) {
	parcel, err := r.shop.ShipmentForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.Forwarding{
		Form: r.formOf(form, refused, parcel.Version), Shipment: *parcel,
		Carrier: typed(form, refused, store.FieldCarrier), Tracking: typed(form, refused, store.FieldTracking),
	}
	if refused == nil {
		p.Carrier.Value, p.Tracking.Value = parcel.Carrier, parcel.Tracking
	}
	if refused != nil && refused.Field == "to" {
		p.Problem = refused.Message
	}
	p.Page = r.page(views.NextName(parcel.Next()))
	return views.ForwardPage(p), nil
}
