package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestInvoices_OverdueTab checks that the tab and the files contain only overdue invoices.
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

// TestInvoices_DueTab lists the unpaid and partly paid invoices, on the page and in a
// CSV file. The file must also contain the status in the words of the page.
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

// TestInvoices_FormsShowTheSameStatus opens the forms for payments of an overdue invoice.
// They must show the same status as the list.
func TestInvoices_FormsShowTheSameStatus(t *testing.T) {
	b := open(t, &store.Invoice{
		ID: "late", OrderID: "olate", CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -40), DueDate: storetest.Now.AddDate(0, 0, -10).Truncate(24 * time.Hour),
		Amount: store.MinorUnits(100_00), Status: store.InvoicePartial, Version: 1,
		Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(50_00), Date: storetest.Now}},
	})
	admin := b.as(t, "admin")
	for _, path := range []string{"/invoices?status=overdue", "/invoices/late", "/invoices/late/pay", "/invoices/late/refund", "/invoices/late/reverse"} {
		if page := content(admin.get(path).body); !strings.Contains(page, `>Overdue</span>`) || strings.Contains(page, `">Partly paid</span>`) {
			t.Errorf("%s: got no status Overdue: %s", path, page)
		}
	}
}

// TestInvoices_FilesShowTheSameStatus lists an overdue invoice and one with an amount to
// refund in CSV files. The status in words must be the one of the page, and the code the
// stored status.
func TestInvoices_FilesShowTheSameStatus(t *testing.T) {
	b := open(
		t,
		&store.Invoice{
			ID: "late", OrderID: "olate", CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -40), DueDate: storetest.Now.AddDate(0, 0, -10).Truncate(24 * time.Hour),
			Amount: store.MinorUnits(100_00), Status: store.InvoiceUnpaid, Version: 1,
		},
		&store.Invoice{
			ID: "back", OrderID: "oback", CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -40), Amount: store.MinorUnits(10_00), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(15_00), Date: storetest.Now}},
		},
	)
	viewer := b.as(t, "viewer")
	for path, want := range map[string]string{
		"/invoices.csv?status=overdue":   `UNPAID,Overdue,`,
		"/invoices.csv?status=to_refund": `PAID,"To refund"`,
		"/orders/olate/invoices.csv":     `UNPAID,Overdue,`,
	} {
		if csv := viewer.get(path).body; !strings.Contains(csv, want) {
			t.Errorf("%s: got no %s in %s", path, want, csv)
		}
	}
}

// TestInvoices_SumsRefundsApart lists an invoice with a balance due, and one with an
// amount to refund. The list must show two sums, and not their difference.
func TestInvoices_SumsRefundsApart(t *testing.T) {
	invoice := func(id string, credit, paid int64) store.Entity {
		return &store.Invoice{
			ID: id, OrderID: "o" + id, CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -20000), Amount: store.MinorUnits(252_30), Credit: store.MinorUnits(credit), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(paid), Date: storetest.Now}},
		}
	}
	b := open(t, invoice("back", 234_80, 252_30), invoice("unpaid", 0, 0))
	page := b.as(t, "viewer").get("/invoices?from=1972-02-01&to=1972-03-31").body
	rows, sums, _ := strings.Cut(page, "<tfoot>")
	sums, _, _ = strings.Cut(sums, "</tfoot>")
	for _, want := range []string{"€504.60", "€252.30", `<span class="sub">€234.80 to refund</span>`} {
		if !strings.Contains(sums, want) {
			t.Errorf("got no %q in the sums %s", want, sums)
		}
	}
	amount, words, _ := strings.Cut(rows, "€234.80")
	if amount == rows || !strings.Contains(words, `<span class="sub p2">to refund</span>`) || strings.Contains(page, "−€") {
		t.Errorf("got another amount to refund in %s", rows)
	}
}

// TestInvoices_Sums checks the row with the sums: for a complete list, for one page of a
// list, and for a list without the customer column.
func TestInvoices_Sums(t *testing.T) {
	invoice := func(id string, days int, amount int64) store.Entity {
		return &store.Invoice{
			ID: id, OrderID: "o" + id, CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, days), Amount: store.MinorUnits(amount), Status: store.InvoicePartial, Version: 1,
			Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(50), Date: storetest.Now}},
		}
	}
	b := open(t, invoice("first", -20001, 1_250_00), invoice("second", -20000, 100))
	browser := b.as(t, "viewer")
	const list = "/invoices?from=1972-02-01&to=1972-03-31"
	for path, want := range map[string][]string{
		list:               {"Total</th>", "€1,251.00", "€1,250.00"},
		list + "&limit=1":  {"Total of this page</th>", "€1.00", "€0.50"},
		list + "&cols=due": {"Total</th>"},
	} {
		page := browser.get(path)
		_, sums, _ := strings.Cut(page.body, "<tfoot>")
		sums, _, _ = strings.Cut(sums, "</tfoot>")
		for _, text := range want {
			if !strings.Contains(sums, text) {
				t.Errorf("%s: got no %q in the sums %s", path, text, sums)
			}
		}
		if head, foot := strings.Count(tableIn(page.body, "Invoices"), "<th scope=\"col\""), strings.Count(sums, "<td")+1; head != foot {
			t.Errorf("%s: got %d cells in the row with the sums, want %d", path, foot, head)
		}
	}
	if page := browser.get("/invoices?to=1969-01-01"); strings.Contains(page.body, "<tfoot>") {
		t.Error("got sums of an empty list, want none")
	}
}
