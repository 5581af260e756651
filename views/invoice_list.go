package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices. With a status, it shows the oldest first, otherwise
// the newest first.
type Invoices struct {
	Page
	List                         // parameters status, from, to, sort, limit
	Status   store.InvoiceStatus // "" for all
	From, To ui.Input            // invoice dates
	Rows     []store.Invoice
}
