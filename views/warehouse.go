package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Warehouses is the list of warehouses, by name.
type Warehouses struct {
	Page
	List
	Rows     []store.Warehouse
	Archived bool
}

// Warehouse is the page of a warehouse: its stock, ledger, expected deliveries,
// transfers, shipments and employees.
type Warehouse struct {
	Page
	Warehouse store.Warehouse
	Stock     Part[store.StockRow]  // sorted by product ID
	Low       Part[store.StockRow]  // lowest first
	Shipments Part[store.Shipment]  // newest first
	Employees Part[store.Employee]  // sorted by name
	Ledger    Part[store.StockMove] // newest first
	Expected  Part[store.ExpectedDelivery]
	Transfers Part[store.Transfer] // transfers in transit to the warehouse
	CanEdit   bool
	CanChange bool // show the forms for reorder points, which need the fields Token and Seen
	Token     string
	Seen      func(*store.WarehouseItem) string // returns the field FieldSeen of the form
}

// unassignedNote tells a manager without warehouses or stores why the page at path is empty.
// It returns "" for other users and pages.
func unassignedNote(p *Page, path string) string {
	if seesAll(p) {
		return ""
	}
	switch path {
	case "/warehouses", "/shipments", "/employees", lowStockPath, DeliveriesPath, TransfersPath, CountsPath:
		if len(p.User.Warehouses) == 0 {
			return "No warehouses are assigned to you. If you need one, ask an admin."
		}
	case "/stores", overduePath:
		if len(p.User.Stores) == 0 {
			return "No stores are assigned to you. If you need one, ask an admin."
		}
	case "/": // Today
		if len(p.User.Warehouses)+len(p.User.Stores) == 0 {
			return "No warehouses or stores are assigned to you. If you need one, ask an admin."
		}
	}
	return ""
}

// warehouseOptions returns an option for each warehouse. The first option has the argument
// all as its label and "" as its value. In a filter, it stands for all warehouses. In a
// form, it asks the user to choose one.
func warehouseOptions(all string, warehouses []store.Warehouse) []ui.Option {
	options := []ui.Option{{Value: "", Text: all}}
	for _, w := range warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}

// warehouseName returns the name of the warehouse with this ID, or the ID if it is not in
// the list.
func warehouseName(warehouses []store.Warehouse, id string) string {
	for i := range warehouses {
		if warehouses[i].ID == id {
			return nameOr(warehouses[i].Name, id)
		}
	}
	return id
}
