package handlers

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestInvoices_OverdueTab lists overdue invoices on the page and in files.
func TestInvoices_OverdueTab(t *testing.T) {
	invoice := func(id string, status store.InvoiceStatus, dueInDays int) store.Entity {
		return &store.Invoice{
			ID: id, OrderID: "o" + id, CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -30), DueDate: storetest.Now.AddDate(0, 0, dueInDays),
			Amount: store.MinorUnits(100), Status: status, Version: 1,
		}
	}
	b := open(t, invoice("late", store.InvoiceUnpaid, -1), invoice("partlylate", store.InvoicePartial, -2), invoice("duetoday", store.InvoiceUnpaid, 0), invoice("paidlate", store.InvoicePaid, -9))
	browser := b.as(t, "viewer")
	page := browser.get("/invoices?status=OVERDUE&limit=200")
	if page.status != http.StatusOK || !strings.Contains(page.body, `href="/invoices?limit=200&amp;status=OVERDUE" aria-current="page">Overdue</a>`) {
		t.Errorf("got status %d without the tab: %s", page.status, content(page.body))
	}
	for path, text := range map[string]string{"page": table(page.body), "CSV": browser.get("/invoices.csv?status=overdue").body, "JSON": browser.get("/invoices.json?status=OVERDUE").body} {
		for id, want := range map[string]bool{"late": true, "partlylate": true, "duetoday": false, "paidlate": false} {
			if strings.Contains(text, id) != want {
				t.Errorf("%s: got %s %t, want %t", path, id, !want, want)
			}
		}
	}
}

// TestInvoices_DueTab lists the invoices with a balance due on the page and in files: unpaid
// and partly paid ones. The CSV file also has the words of the page.
func TestInvoices_DueTab(t *testing.T) {
	invoice := func(id string, status store.InvoiceStatus, paid int64) store.Entity {
		i := &store.Invoice{ID: id, OrderID: "o" + id, CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(100), Status: status, Version: 1}
		if paid > 0 {
			i.Payments = []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(paid), Date: storetest.Now, Data: "•••• 1234"}}
		}
		return i
	}
	b := open(t, invoice("nothing", store.InvoiceUnpaid, 0), invoice("part", store.InvoicePartial, 50), invoice("whole", store.InvoicePaid, 100))
	browser := b.as(t, "viewer")
	page := browser.get("/invoices?status=DUE&limit=200&from=2026-11-21")
	if page.status != http.StatusOK || !strings.Contains(page.body, `href="/invoices?from=2026-11-21&amp;limit=200&amp;status=DUE" aria-current="page">Balance due</a>`) {
		t.Errorf("got status %d without the tab: %s", page.status, content(page.body))
	}
	csv := browser.get("/invoices.csv?status=due&from=2026-11-21").body
	for path, text := range map[string]string{"page": table(page.body), "CSV": csv} {
		for id, want := range map[string]bool{"nothing": true, "part": true, "whole": false} {
			if strings.Contains(text, id) != want {
				t.Errorf("%s: got %s %t, want %t", path, id, !want, want)
			}
		}
	}
	if !strings.Contains(csv, `PARTIAL,"Partly paid"`) {
		t.Errorf("got the CSV file %.300s, want the words of the page", csv)
	}
}
