package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// october returns a customer whose name is markup, with invoices before, in and after
// October 2026. Two of the invoices are overdue on 31 October.
func october() []store.Entity {
	invoice := func(id string, month, cents int, payments ...store.Payment) *store.Invoice {
		date := storetest.Day(2026, 0, 5).AddDate(0, month, 0)
		return &store.Invoice{
			ID: id, OrderID: "of" + id, CustomerID: "owing", Date: date, DueDate: date.AddDate(0, 0, 14), Amount: store.MinorUnits(int64(cents)),
			Status: store.InvoicePartial, Payments: payments, Version: 1,
		}
	}
	pay := func(id string, day, cents int, data string) store.Payment {
		return store.Payment{ID: id, Type: "Visa", Amount: store.MinorUnits(int64(cents)), Date: storetest.Day(2026, 10, day), Data: data}
	}
	refunded := invoice("october", 10, 50_00, pay("2", 8, 20_00, "4111 1111 1111 4242"), pay("3", 9, -5_00, "4111 1111 1111 4242"))
	refunded.Credit = store.MinorUnits(5_00)
	return []store.Entity{
		&store.Customer{ID: "owing", Name: "Kim " + evil, Email: "kim@example.com", Address: store.Address{City: "Odense <b>"}, Version: 1},
		invoice("september", 9, 100_00, pay("1", 2, 40_00, "•••• 4242")),
		refunded,
		invoice("november", 11, 7_00),
		&store.CreditNote{ID: "cnoctober", OrderID: "ofoctober", CustomerID: "owing", InvoiceID: "october", Date: storetest.Day(2026, 10, 9), Reason: store.CreditRefunded, Amount: store.MinorUnits(5_00), Version: 1},
	}
}

const octoberDays = "?from=2026-10-01&to=2026-10-31"

// TestStatement shows the statement of a month as a page, a printed page, a PDF, an
// email and a CSV file. They must show the lines and balances of the month.
func TestStatement(t *testing.T) {
	b := open(t, october()...)
	saveCompany(t, b.as(t, "admin"), "1", "25", http.StatusSeeOther)
	support := b.as(t, "support")
	page := support.get("/customers/owing/statement" + octoberDays)
	for _, want := range []string{
		"Balance before 1 Oct 2026</dt><dd>€100.00", "Balance on 31 Oct 2026</dt><dd>€90.00", "Overdue on 31 Oct 2026</dt><dd>€90.00", "/customers/owing/statement/pdf?from=2026-10-01&amp;to=2026-10-31",
	} {
		if page.status != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("page: got status %d and no %q: %s", page.status, want, content(page.body))
		}
	}
	print := support.get("/customers/owing/statement/print" + octoberDays).body
	row := func(cells ...string) string {
		text := "<tr>"
		for i, cell := range cells {
			if text += `<td class="num">`; i == 0 {
				text = `<tr><td dir="auto">`
			}
			text += cell + "</td>"
		}
		return text + "</tr>"
	}
	for _, want := range []string{
		"<h1>Statement</h1>", "<dt>Period</dt><dd>1 Oct 2026 to 31 Oct 2026</dd>", "VAT number DK12345678", "IBAN DK50 0040 0440 1162 43", "Thank you.", "Odense &lt;b&gt;",
		row("Opening balance", "1 Oct 2026", "", "€100.00") +
			row("Payment for invoice september, Visa, •••• 4242", "2 Oct 2026", "−€40.00", "€60.00") +
			row("Invoice october", "5 Oct 2026", "€50.00", "€110.00") +
			row("Payment for invoice october, Visa, •••• 4242", "8 Oct 2026", "−€20.00", "€90.00") +
			row("Credit note cnoctober for invoice october", "9 Oct 2026", "−€5.00", "€85.00") +
			row("Refund for invoice october, Visa, •••• 4242", "9 Oct 2026", "€5.00", "€90.00"),
		`Balance due on 31 Oct 2026</th><td class="num">€90.00</td>`,
		`Overdue: invoice september, due on 19 Sep 2026</th><td class="num">€60.00</td>`, `Overdue: invoice october, due on 19 Oct 2026</th><td class="num">€30.00</td>`,
		`Overdue on 31 Oct 2026</th><td class="num">€90.00</td>`,
	} {
		if !strings.Contains(print, want) {
			t.Errorf("printed page: got no %q: %s", want, content(print))
		}
	}
	if found := executable(page.body + print); found != "" {
		t.Errorf("got a page that runs the name of the customer: %s", found)
	}
	pdf := support.get("/customers/owing/statement/pdf" + octoberDays)
	if disposition := pdf.header.Get("Content-Disposition"); disposition != `inline; filename=statement-2026-10-01-2026-10-31.pdf` {
		t.Errorf("got the Content-Disposition %s of the PDF, want inline, with the period in the file name", disposition)
	}
	checkPDF(t, pdf, print)
	csv := support.get("/customers/owing/statement.csv" + octoberDays).body
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 8 || !strings.HasPrefix(lines[1], "2026-10-01,opening-balance,") || !strings.HasSuffix(strings.TrimSpace(lines[7]), ",90.00") {
		t.Errorf("got the CSV file %s, want 8 lines, from the opening balance to the balance of 90.00", csv)
	}
	checkStatementEmail(t, b, support, print)
}

// checkStatementEmail emails the statement twice. Both PDFs must contain the text of the
// printed page.
func checkStatementEmail(t *testing.T, b *backOffice, support *browser, print string) {
	t.Helper()
	path := "/customers/owing/statement/send" + octoberDays
	if got := support.get(path).body; !strings.Contains(got, `value="kim@example.com"`) || !strings.Contains(got, "timeline of the customer") {
		t.Errorf("got a form without the address of the customer: %s", content(got))
	}
	for range 2 {
		form := url.Values{"to": {"books@example.com"}, "once": {support.token(path)}}
		for range 2 {
			if got := support.post(path, form); got.status != http.StatusSeeOther || got.location != "/customers/owing/statement"+octoberDays {
				t.Fatalf("got status %d to %s, want 303 to the statement: %s", got.status, got.location, content(got.body))
			}
		}
		m, parts := emailParts(t, deliverEmails(t, b, jobs.Delivery{Sent: 1})[0])
		if m.Header.Get("Subject") != "Statement 1 Oct 2026 to 31 Oct 2026" || parts["file"] != "statement-2026-10-01-2026-10-31.pdf" {
			t.Errorf("got the subject %q with the file %s, want those of the statement of October", m.Header.Get("Subject"), parts["file"])
		}
		for _, want := range []string{"Your statement (1 Oct 2026 to 31 Oct 2026) is attached.", "Balance due on 31 Oct 2026: €90.00", "Overdue on 31 Oct 2026: €90.00"} {
			if !strings.Contains(parts["text/plain"], want) || !strings.Contains(parts["text/html"], want) {
				t.Errorf("got no %q in both parts: %s", want, parts["text/plain"])
			}
		}
		checkPDFTexts(t, parts["application/pdf"], print, 20)
	}
	timeline := support.get("/customers/owing").body
	for _, want := range []string{"Email queued: statement 1 Oct 2026 to 31 Oct 2026", "Email sent: statement 1 Oct 2026 to 31 Oct 2026", "to books@example.com"} {
		if !strings.Contains(timeline, want) {
			t.Errorf("got no %q in the timeline of the customer", want)
		}
	}
}

// TestStatement_OfManyInvoices opens the statement of a customer with too many invoices.
// The pages must say so, and must not show a wrong balance.
func TestStatement_OfManyInvoices(t *testing.T) {
	entities := october()[:1]
	for n := range store.MaxStatementDocuments + 1 {
		entities = append(entities, &store.Invoice{ID: fmt.Sprintf("i%04d", n), OrderID: fmt.Sprintf("x%04d", n), CustomerID: "owing", Date: storetest.Now, Amount: store.MinorUnits(1), Status: store.InvoiceUnpaid, Version: 1})
	}
	b := open(t, entities...)
	support := b.as(t, "support")
	for _, path := range []string{"/customers/owing/statement", "/customers/owing/statement/print", "/customers/owing/statement/pdf", "/customers/owing/statement.json"} {
		before := b.db.requests.Load()
		got := support.get(path)
		if requests := b.db.requests.Load() - before; requests > 2+statementReads {
			t.Errorf("%s: got %d requests, want at most %d", path, requests, 2+statementReads)
		}
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "more than 1,000 invoices") {
			t.Errorf("%s: got status %d: %s", path, got.status, content(got.body))
		}
	}
	path := "/customers/owing/statement/send"
	if got := support.post(path, url.Values{"to": {"a@example.com"}, "once": {support.token(path)}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "more than 1,000 invoices") {
		t.Errorf("sending: got status %d: %s", got.status, content(got.body))
	}
}

// TestStatement_DefaultPeriod opens a statement without a period: in the first days of a
// month, it shows the previous month, and later the current one.
func TestStatement_DefaultPeriod(t *testing.T) {
	b := open(t, october()...)
	want := func(title string) {
		t.Helper()
		if page := b.as(t, "support").get("/customers/owing/statement").body; !strings.Contains(page, title) {
			t.Errorf("got no %q: %s", title, content(page))
		}
	}
	want("Balance on 21 Nov 2026")
	b.clock.Advance(13 * 24 * time.Hour)
	want("Balance on 30 Nov 2026")
	b.clock.Advance(7 * 24 * time.Hour)
	want("Balance on 11 Dec 2026")
}
