package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Receiving is the form that asks which product arrived in a warehouse.
type Receiving struct {
	Page
	Warehouse store.Warehouse
	Product   ui.Input // ID or SKU
}
