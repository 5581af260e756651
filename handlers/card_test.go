package handlers

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestCardNumbers_AreMasked loads the published sample, which contains a full card
// number, and enters another full number in a form. No page, file, log or event may
// contain more than four digits of either number.
func TestCardNumbers_AreMasked(t *testing.T) {
	file, err := os.Open("../store/exchange/testdata/RecurringPayments.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sample, err := exchange.ReadModel("RecurringPayments.json", file)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, sample.Entities...)
	browser := b.as(t, "admin")
	browser.post("/jobs/payments/2023-06-28/run", url.Values{"once": {b.store.NewToken()}})
	storetest.WaitFor(t, "payment", func() bool {
		return strings.Contains(browser.get("/accounts/123/receipts.csv").body, "2023-06-28")
	})
	form := url.Values{"once": {b.store.NewToken()}, "sku": {"X"}, "amount": {"5"}, "day": {"1"}, "card": {"4111111111114242"}, "email": {"no"}}
	rejected := browser.post("/accounts/123/subscribe", form)
	form.Set("email", "")
	if got := browser.post("/accounts/123/subscribe", form); rejected.status != http.StatusUnprocessableEntity || got.status != http.StatusSeeOther {
		t.Fatalf("subscribing: got %d, then %d; want 422, then 303", rejected.status, got.status)
	}
	cancel := browser.post("/accounts/123/subscriptions/123/999/cancel", url.Values{"once": {b.store.NewToken()}, "version": {"3"}, "why": {"card 1234123412341234 expired"}})
	if cancel.status != http.StatusSeeOther {
		t.Fatalf("cancelling: got %d, want 303: %s", cancel.status, cancel.body)
	}
	seen := map[string]string{"the rejected form": rejected.body, "the log": b.log.String()}
	for _, path := range []string{
		"/subscriptions", "/subscriptions?status=CANCELLED", "/due?date=2023-07-28", "/due?span=week", "/due?span=behind", "/jobs", "/jobs/payments/2023-06-28",
		"/accounts/123", "/accounts/123.json", "/accounts/123/subscriptions.csv", "/accounts/123/receipts.csv", "/accounts/123/events.csv",
		"/accounts/123/subscriptions/123/999/change", "/subscriptions.csv?status=CANCELLED", "/subscriptions.json?status=CANCELLED",
		"/data/partitions?pk=ACC%23123", "/admin/events", "/admin/events.csv",
	} {
		got := browser.get(path)
		if got.status != http.StatusOK {
			t.Errorf("%s: got status %d, want 200", path, got.status)
		}
		seen[path] = got.body
	}
	for what, text := range seen {
		for _, digits := range []string{"41234", "14242"} {
			if strings.Contains(text, digits) {
				t.Errorf("%s: got more than four digits of a card, want four", what)
			}
		}
	}
	if page := seen["/accounts/123"]; !strings.Contains(page, "•••• 1234") || !strings.Contains(page, "28th of each month") || !strings.Contains(page, "12.99") || !strings.Contains(page, "23 May 2027") {
		t.Errorf("account page: got %s, want the card, payment day, amount and expiry", page)
	}
}

// TestCardNumbers_InDocuments uses an invoice with a payment that contains a full card
// number. It refunds the payment, and sends the invoice, the credit note, the order
// confirmation and the statement. No page, PDF, file or email may contain more than the
// last four digits.
func TestCardNumbers_InDocuments(t *testing.T) {
	entities := openOrder()
	for _, e := range entities {
		if i, ok := e.(*store.Invoice); ok && i.ID == "iopen" {
			i.Payments = append(i.Payments, store.Payment{ID: "2", Type: "Visa", Amount: store.MinorUnits(100), Date: i.Date, Data: "4111 1111 1111 4242"})
		}
	}
	b := open(t, entities...)
	admin := b.as(t, "admin")
	refund := url.Values{"payment": {"2"}, "amount": {"0.50"}, "credit": {"0.50"}, "why": {"card 4111111111114242"}, "version": {"1"}, "once": {admin.token("/invoices/iopen/refund")}}
	if got := admin.post("/invoices/iopen/refund", refund); got.status != http.StatusSeeOther {
		t.Fatalf("refunding: got %d, want 303: %s", got.status, content(got.body))
	}
	_, note, _ := strings.Cut(admin.get("/invoices/iopen").body, `href="/credit-notes/`)
	note, _, _ = strings.Cut(note, `"`)
	seen := map[string]string{}
	const november = "?from=2026-11-01&to=2026-11-21" // period of the statement
	for _, path := range []string{"/invoices/iopen", "/credit-notes/" + note, "/orders/open/confirmation", "/customers/c01/statement"} {
		print, query := path+"/print", ""
		switch path {
		case "/orders/open/confirmation":
			print = path
		case "/customers/c01/statement":
			query = november
		}
		if got := admin.post(path+"/send"+query, url.Values{"to": {"books@example.com"}, "once": {b.store.NewToken()}}); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got %d, want 303", path, got.status)
		}
		page := admin.get(print + query).body
		seen[path], seen[print] = admin.get(path+query).body, page
		seen[path+"/pdf"] = checkPDFTexts(t, admin.get(path+"/pdf"+query).body, page, 10)
		for what, part := range sentParts(t, b) {
			if what == "application/pdf" {
				part = checkPDFTexts(t, part, page, 10)
			}
			seen["the email of "+path+", "+what] = part
		}
	}
	for _, file := range []string{"/customers/c01/statement.csv", "/customers/c01/statement.json"} {
		seen[file] = admin.get(file + november).body
	}
	for _, path := range []string{"/orders/open", "/orders/open.json", "/invoices/iopen.json", "/accounts/c01/emails.csv", "/admin/events.csv"} {
		seen[path] = admin.get(path).body
	}
	for what, text := range seen {
		if digits := strings.Join(strings.Fields(text), ""); strings.Contains(digits, "14242") {
			t.Errorf("%s: got more than four digits of a card, want four", what)
		}
	}
	for _, what := range []string{"/invoices/iopen/print", "/customers/c01/statement", "/customers/c01/statement/print", "/customers/c01/statement.csv", "/customers/c01/statement.json"} {
		if !strings.Contains(seen[what], "•••• 4242") {
			t.Errorf("%s: got no last four digits: %s", what, content(seen[what]))
		}
	}
}

// TestCardNumbers_InNotices checks that notices mask card numbers in the names of kayaks
// and products.
func TestCardNumbers_InNotices(t *testing.T) {
	const number = "4111 1111 1111 4242"
	b := open(t,
		&store.Person{ID: "renter", Name: "Kim", Email: "kim@example.com", Version: 1},
		&store.ActiveRental{StoreID: "s1", PersonID: "renter", KayakID: "k90", RentalID: "R90", KayakName: number, Out: storetest.Now, Due: storetest.Day(2026, time.November, 22), Version: 1},
		&store.ExpectedDelivery{ID: "d90", ProductID: "p90", WarehouseID: "w1", Name: number, Due: storetest.Day(2026, time.November, 1), Quantity: 1, Version: 1},
	)
	if got := b.as(t, "manager").post("/account/email", url.Values{"email": {"mia@example.com"}, "notices": {"yes"}, "version": {"1"}, "once": {b.store.NewToken()}}); got.status != http.StatusSeeOther {
		t.Fatalf("got %d, want 303", got.status)
	}
	settings, err := b.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Notices = true
	if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	day := storetest.Day(2026, time.November, 21)
	runner := jobs.New(jobs.Config{Store: b.store, Processor: jobs.Record{}, Render: RenderEmail(b.store, NewViewReader(b.store), ""), Log: slog.New(slog.DiscardHandler)})
	defer runner.Close()
	if report, err := runner.Run(t.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: day}); err != nil || report.Done < 2 {
		t.Fatalf("got %+v, %v; want at least two notices", report, err)
	}
	queued, err := b.store.EmailsDue(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	masked := 0
	for i := range queued {
		m, err := RenderEmail(b.store, NewViewReader(b.store), "")(t.Context(), &queued[i])
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string]string{"text": m.Text, "HTML": m.HTML} {
			if digits := strings.Join(strings.Fields(text), ""); strings.Contains(digits, "14242") {
				t.Errorf("%s: got more than four digits of a card, want four: %s", what, text)
			} else if strings.Contains(digits, "4242") {
				masked++
			}
		}
	}
	if masked != 4 {
		t.Errorf("got %d parts with the last four digits, want the text and the HTML of two notices", masked)
	}
}

// sentParts sends the only email in the outbox, and returns its decoded parts.
func sentParts(t *testing.T, b *backOffice) map[string]string {
	t.Helper()
	_, parts := emailParts(t, deliverEmails(t, b, jobs.Delivery{Sent: 1})[0])
	return parts
}
