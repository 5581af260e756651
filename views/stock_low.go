package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// StockLow is the list of stock at or below its reorder point, by warehouse, lowest
// quantity first.
type StockLow struct {
	Page
	List
	Out        bool              // the list contains only stock with no pieces left
	Warehouse  ui.Input          // warehouse ID
	Warehouses []store.Warehouse // options of the filter
	Rows       []store.StockRow
}

// ShowOut is the value of the parameter "show" that selects stock with no pieces left.
const ShowOut = "out"

// Addresses of the lists of low stock.
const (
	lowStockPath = "/stock/low"
	outOfStock   = lowStockPath + "?show=" + ShowOut
)

// lowStockActions are the buttons for the selected rows.
var lowStockActions = []bulkAction{{string(store.BulkDelivery), "Add expected deliveries"}, {string(store.BulkTransfer), "Send transfers"}}

func (p *StockLow) tabs() []ui.Tab {
	return []ui.Tab{
		{Name: "All low stock", URL: p.With("show", ""), Current: !p.Out},
		{Name: "Out of stock", URL: p.With("show", ShowOut), Current: p.Out},
	}
}
