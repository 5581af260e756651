package views

import "stockroom/store"

// Today is the first page: what waits for somebody.
type Today struct {
	Page
	OpenOrders     Part[store.Order]   // not paid yet, newest first
	PaidOrders     Part[store.Order]   // paid and not sent, oldest first
	UnpaidInvoices Part[store.Invoice] // oldest first
	LowStock       []LowStock          // by warehouse
}

// LowStock is what one warehouse runs out of, the least first.
type LowStock struct {
	Warehouse store.Warehouse
	Rows      []store.WarehouseItem
	More      bool // there is more than these rows
}
