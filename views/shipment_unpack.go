package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// ShipmentUnpack is the form that unpacks a shipment.
type ShipmentUnpack struct {
	Page
	Form
	Shipment store.ShipmentDetails
	Refusal  string // why the shipment can't be unpacked; "" if it can
	Why      ui.Input
}

func (p ShipmentUnpack) why() ui.Field {
	return ui.Field{Name: "why", Label: "Reason (optional)", Hint: "Shown in the history.", Input: p.Why}
}
