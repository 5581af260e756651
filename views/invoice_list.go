package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices: oldest first if it is filtered by status,
// otherwise newest first.
type Invoices struct {
	Page
	List                         // URL parameters: status, from, to, sort, limit
	Status   store.InvoiceStatus // status filter; "" for all
	From, To ui.Input            // range of invoice dates
	Rows     []store.Invoice
}
