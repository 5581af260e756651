package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Product is the page of a product: its stock, expected deliveries, transfers, orders
// and notes.
type Product struct {
	Page
	Product    store.Product
	Stock      []store.WarehouseItem
	Level      store.StockLevel  // stock level in all warehouses
	Warehouses []store.Warehouse // names of the warehouses; may be empty
	CanChange  bool              // the user may change the product's stock
	CanEdit    bool
	Token      string            // token of the forms that finish a rename and add a note
	Notes      Part[store.Event] // newest first
	Expected   Part[store.ExpectedDelivery]
	Transfers  Part[store.Transfer] // transfers in transit
	From, To   ui.Input             // range of the dates of orders
	Orders     Part[store.OrderItem]
	OnOrder    Part[store.OrderItem] // order lines that are not fully shipped, oldest first
}

// ProductStock is the stock of a product in each warehouse.
type ProductStock struct {
	Page
	ProductID string
	Rows      []store.WarehouseItem
	Level     store.StockLevel // stock level in all warehouses
}
