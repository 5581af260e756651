package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// AllShipments is the value of the status filter that selects all shipments. Without it, the
// list of all warehouses shows packed shipments.
const AllShipments store.ShipmentStatus = "ALL"

// ShipmentFilterText returns the word for a value of the status filter.
func ShipmentFilterText(s store.ShipmentStatus) string {
	if s == AllShipments {
		return "All"
	}
	return ShipmentStatusText(s)
}

// Shipments is the list of shipments with one status, oldest first, the list of all
// shipments, or the list of all shipments from one warehouse. The latter cannot be
// filtered by date, because the keys of its index contain no date.
type Shipments struct {
	Page
	List
	Status     store.ShipmentStatus // status filter; "" for all
	Warehouse  ui.Input             // warehouse ID
	Warehouses []store.Warehouse    // options of the filter
	OwnOnly    bool                 // the user sees only their own warehouses, so there is no list of all warehouses
	From, To   ui.Input             // range of dates on which shipments were packed
	Rows       []store.Shipment
}
