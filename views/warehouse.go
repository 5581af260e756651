package views

import "stockroom/store"

// Warehouses is the list of warehouses, by name.
type Warehouses struct {
	Page
	List     // parameter limit
	Rows     []store.Warehouse
	Archived bool
}

// Warehouse is the page of a warehouse: its stock, shipments and employees.
type Warehouse struct {
	Page
	Warehouse store.Warehouse
	Stock     Part[store.WarehouseItem] // by product ID
	Low       Part[store.WarehouseItem] // lowest first
	Shipments Part[store.Shipment]      // newest first
	Employees Part[store.Employee]      // by name
	Ledger    Part[store.StockMove]     // newest first
	CanEdit   bool
	CanChange bool // show the reorder point forms, with the token Token
	Token     string
}

// warehouseName returns the name of a warehouse, or its ID if it is not among
// warehouses.
func warehouseName(warehouses []store.Warehouse, id string) string {
	for i := range warehouses {
		if warehouses[i].ID == id {
			return nameOr(warehouses[i].Name, id)
		}
	}
	return id
}
