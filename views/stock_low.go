package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// StockLow is the list of stock at or below its reorder point, by warehouse, lowest
// quantity first.
type StockLow struct {
	Page
	List                         // URL parameters: warehouse, limit
	Warehouse  ui.Input          // warehouse ID
	Warehouses []store.Warehouse // options of the filter
	Rows       []store.StockRow
}
