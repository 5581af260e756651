package views

import (
	"stockroom/store"
)

// Shipment is the page of a shipment.
type Shipment struct {
	Page
	Shipment  store.ShipmentDetails
	Warehouse *store.Warehouse // nil if deleted; the page then shows its ID
	CanMove   bool             // allowed, and the shipment has a next status
}
