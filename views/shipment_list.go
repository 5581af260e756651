package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Shipments is the list of shipments: of one status, oldest first, or of one
// warehouse. The key of a warehouse's list has no status or date, so these
// filters don't apply to it.
type Shipments struct {
	Page
	List                            // parameters status, from, to, or warehouse; sort, limit
	Status     store.ShipmentStatus // "" if a warehouse is set
	Warehouse  ui.Input             // its ID
	Warehouses []store.Warehouse    // options
	OwnOnly    bool                 // the user has only some warehouses: no list by status
	From, To   ui.Input             // dates packed
	Rows       []store.Shipment
}
