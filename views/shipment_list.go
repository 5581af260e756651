package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Shipments is the list of shipments with one status, oldest first, or the list of all
// shipments from one warehouse. A list with all statuses cannot be filtered by date,
// because the keys of its index contain none.
type Shipments struct {
	Page
	List
	Status     store.ShipmentStatus // status filter; "" only if a warehouse is set
	Warehouse  ui.Input             // warehouse ID
	Warehouses []store.Warehouse    // options of the filter
	OwnOnly    bool                 // the user sees only their own warehouses, so there is no list of all warehouses
	From, To   ui.Input             // range of dates on which shipments were packed
	Rows       []store.Shipment
}
