package store_test

import (
	"testing"

	"stockroom/store"
)

func TestOrder_PaymentState(t *testing.T) {
	for _, tt := range []struct {
		invoices []store.InvoiceStatus
		want     store.InvoiceStatus
	}{
		{[]store.InvoiceStatus{store.InvoicePartial}, store.InvoicePartial},
		{[]store.InvoiceStatus{store.InvoiceVoid}, store.InvoiceVoid},
		{[]store.InvoiceStatus{store.InvoiceRefunded}, store.InvoiceRefunded},
		{[]store.InvoiceStatus{store.InvoiceVoid, store.InvoiceVoid}, store.InvoiceVoid},
		{[]store.InvoiceStatus{store.InvoiceVoid, store.InvoiceRefunded}, store.InvoiceRefunded},
		{[]store.InvoiceStatus{store.InvoiceRefunded, store.InvoiceVoid}, store.InvoiceRefunded},
		{[]store.InvoiceStatus{store.InvoiceVoid, store.InvoiceUnpaid}, store.InvoiceUnpaid},
		{[]store.InvoiceStatus{store.InvoicePaid, store.InvoiceRefunded}, store.InvoicePaid},
		{[]store.InvoiceStatus{store.InvoiceRefunded, store.InvoicePaid}, store.InvoicePaid},
		{[]store.InvoiceStatus{store.InvoiceRefunded, store.InvoiceUnpaid}, store.InvoiceUnpaid},
		{[]store.InvoiceStatus{store.InvoicePaid, store.InvoiceUnpaid}, store.InvoicePartial},
		{[]store.InvoiceStatus{store.InvoiceUnpaid, store.InvoiceRefunded, store.InvoicePaid}, store.InvoicePartial},
		{[]store.InvoiceStatus{store.InvoicePaid, store.InvoicePaid}, store.InvoicePaid},
	} {
		d := store.OrderDetails{Invoices: make([]store.Invoice, len(tt.invoices))}
		for n, status := range tt.invoices {
			d.Invoices[n].Status = status
		}
		if d.CompleteStates(); d.PaymentState != tt.want {
			t.Errorf("%v: got %s, want %s", tt.invoices, d.PaymentState, tt.want)
		}
	}
}
