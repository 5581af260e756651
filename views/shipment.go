package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Shipments is the list of shipments: of one status, oldest first, or of one
// warehouse. A warehouse is a key of its own, so it takes neither status nor
// dates.
type Shipments struct {
	Page
	List                            // parameters status, from, to, or warehouse; sort, limit
	Status     store.ShipmentStatus // "" where a warehouse is named
	Warehouse  ui.Input             // the ID of one
	Warehouses []store.Warehouse    // those to choose from
	OwnOnly    bool                 // the user is in charge of some warehouses only: no list by status
	From, To   ui.Input             // the days on which they were packed
	Rows       []store.Shipment
}

// Shipment is one parcel.
type Shipment struct {
	Page
	Parcel    store.ShipmentDetails
	Warehouse *store.Warehouse // nil: not read, or gone; its ID is shown
	MayMove   bool             // the user may say that it went on, and it can
}
