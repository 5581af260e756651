package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices: of one status, oldest first, or of all,
// newest first.
type Invoices struct {
	Page
	List                         // parameters status, from, to, sort, limit
	Status   store.InvoiceStatus // "" is all
	From, To ui.Input            // invoice dates
	Rows     []store.Invoice
}
