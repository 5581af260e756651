package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// StockLow is the list of stock at or below its reorder point. It is sorted by warehouse,
// then by quantity, lowest first.
type StockLow struct {
	Page
	List                         // parameters warehouse, limit
	Warehouse  ui.Input          // warehouse ID
	Warehouses []store.Warehouse // options of the filter
	Rows       []store.StockRow
}
