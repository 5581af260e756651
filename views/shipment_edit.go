package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// ShipmentEdit is the form that moves a shipment to its next status.
type ShipmentEdit struct {
	Page
	Form
	Shipment          store.Shipment // the current shipment
	Carrier, Tracking ui.Input
}

// NextName returns the title of the form that sets a shipment to this status.
func NextName(next store.ShipmentStatus) string {
	switch next {
	case store.ShipmentSent:
		return "Mark as shipped"
	case store.ShipmentDelivered:
		return "Mark as delivered"
	}
	return "Update shipment"
}

func (p ShipmentEdit) fields() []ui.Field {
	if p.Shipment.Next() != store.ShipmentSent {
		return nil
	}
	return []ui.Field{
		{Name: store.FieldCarrier, Label: "Carrier", Now: p.now(p.Carrier.Value, p.Shipment.Carrier), Input: p.Carrier},
		{Name: store.FieldTracking, Label: "Tracking number", Now: p.now(p.Tracking.Value, p.Shipment.Tracking), Input: p.Tracking},
	}
}
