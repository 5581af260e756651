package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Products is the list of products, by name.
type Products struct {
	Page
	List                // parameters bucket, name, category, limit
	Bucket     string   // the first letter; "" is all
	Name       ui.Input // a beginning of the name
	Category   ui.Input
	Categories []string // those to choose from, where they are known
	Rows       []store.Product
	MayAdd     bool
}

// Product is one product: where it lies and who ordered it.
type Product struct {
	Page
	Product    store.Product
	Stock      []store.WarehouseItem
	Warehouses []store.Warehouse // to name those that stock lies in; may be empty
	MayChange  bool              // the user may receive it into any of them
	MayEdit    bool
	From, To   ui.Input // the days of the orders
	Orders     Part[store.OrderItem]
	OnOrder    Part[store.OrderItem] // what has not left yet, who waits longest first
}

// ProductStock is where one product lies, by itself.
type ProductStock struct {
	Page
	ProductID string
	Rows      []store.WarehouseItem
}
