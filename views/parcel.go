package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Forwarding is the form that moves a parcel to its next state.
type Forwarding struct {
	Page
	Form
	Shipment          store.Shipment // as it is now
	Carrier, Tracking ui.Input
}

// Note is the form of a note, which also stands on the page of what the note
// is about.
type Note struct {
	Page
	Form
	OrderID    string // what the note is about: an order, or else a customer
	CustomerID string
	Text       ui.Input
}

// NextName is what moving a parcel to a state is called.
func NextName(next store.ShipmentStatus) string {
	switch next {
	case store.ShipmentSent:
		return "Mark as sent"
	case store.ShipmentDelivered:
		return "Mark as delivered"
	}
	return "Move on"
}

func (p Forwarding) fields() []ui.Field {
	if p.Shipment.Next() != store.ShipmentSent {
		return nil
	}
	return []ui.Field{
		{Name: store.FieldCarrier, Label: "Carrier", Now: p.now(p.Carrier.Value, p.Shipment.Carrier), Input: p.Carrier},
		{Name: store.FieldTracking, Label: "Tracking", Now: p.now(p.Tracking.Value, p.Shipment.Tracking), Input: p.Tracking},
	}
}

func noteField(text ui.Input) ui.Field {
	return ui.Field{Name: "note", Label: "Note", Required: true, Input: text}
}

// about is what the note is about, and the list that it stands in.
func (p Note) about() (list, listName, path, id string) {
	if p.OrderID != "" {
		return "/orders", "Orders", OrderPath(p.OrderID), p.OrderID
	}
	return "/customers", "Customers", CustomerPath(p.CustomerID), p.CustomerID
}
