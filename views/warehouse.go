package views

import "stockroom/store"

// Warehouses is the list of warehouses, by name.
type Warehouses struct {
	Page
	List // parameter limit
	Rows []store.Warehouse
}

// Warehouse is one warehouse: what lies there, what runs out, what leaves it.
type Warehouse struct {
	Page
	Warehouse store.Warehouse
	Stock     Part[store.WarehouseItem] // by product ID
	Low       Part[store.WarehouseItem] // the least first
	Shipments Part[store.Shipment]      // newest first
	Employees Part[store.Employee]      // by name
	Ledger    Part[store.StockMove]     // newest first
	MayEdit   bool
	MayChange bool // and then the next is the token of the forms of reorder points
	Once      string
}

// warehouseName returns the name of a warehouse, or its ID if it is not among
// those that were read.
func warehouseName(warehouses []store.Warehouse, id string) string {
	for i := range warehouses {
		if warehouses[i].ID == id {
			return named(warehouses[i].Name, id)
		}
	}
	return id
}
