package views

import (
	"stockroom/store"
)

// Shipment is the page of a shipment.
type Shipment struct {
	Page
	Shipment store.ShipmentDetails
	CanMove  bool // the user has the permission, and the shipment has a next status
}
