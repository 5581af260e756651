package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices. If it is filtered by status, the oldest invoice is
// first, otherwise the newest.
type Invoices struct {
	Page
	List                         // parameters status, from, to, sort, limit
	Status   store.InvoiceStatus // "" for all
	From, To ui.Input            // invoice dates
	Rows     []store.Invoice
}
