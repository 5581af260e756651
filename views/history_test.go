package views_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// TestHistoryPage_FitsPhone checks that the first cell of a row names the record. On a
// phone, the other cells are hidden.
func TestHistoryPage_FitsPhone(t *testing.T) {
	event := store.Event{Partition: "o#12345", What: store.EventOrderPlaced, By: "kim", When: someDay}
	page := rendered(t, views.HistoryPage(views.History{Page: signedIn(), Rows: []store.Event{event}}))
	table := page.all("table")[0]
	for _, heading := range table.all("th")[1:] {
		if class := heading.attr("class"); !strings.HasPrefix(class, "p") {
			t.Errorf("%s: got class %q, want the column hidden on a phone", heading.text(), class)
		}
	}
	if text := table.all("td")[0].text(); !strings.Contains(text, "Order placed") || !strings.Contains(text, "Order 12345") {
		t.Errorf("got %q in the first cell, want the change and its record", text)
	}
}

func TestRecordName(t *testing.T) {
	for partition, want := range map[string]string{
		"o#12345": "Order 12345", "c#7": "Customer 7", "p#1": "Product 1", "w#2": "Warehouse 2", "user#kim": "User kim", "user#stockroom": "Command line",
		"e#9": "Employee 9", "ACC#7": "Account 7", "v1#inventory#inventoryULID#01H": "Kayak 01H", "v1#store#storeULID#01S": "Store 01S",
		"v1#person#personULID#01P": "Person 01P", "settings": "Settings", "views": "Shared views", "job#payments": "Payments job", "bulk#01B": "Bulk change", "import#01I": "Import", "views#kim": "Views of kim",
		"job#reminders": "Reminders job", "": "–", "other#x": "other#x", "o#": "o#",
	} {
		if got := views.RecordName(partition); got != want {
			t.Errorf("%q: got %q, want %q", partition, got, want)
		}
	}
}

// TestBillingPage_ShowsPaymentsOfRuns checks that the page of an account shows payments
// that have a receipt but no event, such as those of payment runs.
func TestBillingPage_ShowsPaymentsOfRuns(t *testing.T) {
	paid := time.Date(2026, time.March, 2, 4, 0, 0, 0, time.UTC)
	receipt := store.Receipt{
		AccountID: "c1", SubscriptionID: "s1", SKU: "PLAN", DueDate: paid.Truncate(24 * time.Hour), NextPaymentDate: paid.Truncate(24*time.Hour).AddDate(0, 1, 0),
		ProcessedDate: paid, ProcessedAmount: store.MinorUnits(500),
	}
	receipts := views.Part[store.Receipt]{Rows: []store.Receipt{receipt}}
	page := markup(t, views.BillingPage(views.Billing{Page: signedIn(), AccountID: "c1", Receipts: receipts}))
	if !strings.Contains(page, "Payment charged") || strings.Contains(page, "No history yet.") || strings.Contains(page, "event=") {
		t.Errorf("got a history without the payment, or with a link to undo it: %s", page)
	}
	imported := receipt
	imported.NextPaymentDate = time.Time{}
	page = markup(t, views.BillingPage(views.Billing{Page: signedIn(), AccountID: "c1", Receipts: views.Part[store.Receipt]{Rows: []store.Receipt{imported}}}))
	if !strings.Contains(page, "The receipts show the payments.") || strings.Contains(page, "No history yet.") {
		t.Errorf("imported receipt: got a history that does not name the receipts: %s", page)
	}
	edited := store.Event{ID: "E", When: paid.Add(time.Hour), What: store.EventPaymentSkipped, Partition: "ACC#c1"}
	for name, events := range map[string]views.Part[store.Event]{
		"an earlier page": {Rows: []store.Event{edited}, Pager: ui.Pager{NextURL: "/next"}},
		"no event":        {Failed: true},
	} {
		page := markup(t, views.BillingPage(views.Billing{Page: signedIn(), AccountID: "c1", Receipts: receipts, Events: events}))
		if strings.Contains(page, "Payment charged") {
			t.Errorf("%s: got the payment in the history, want it left out: %s", name, page)
		}
	}
	about := markup(t, views.HistoryPage(views.History{Page: signedIn(), About: ui.Input{Value: "ACC#c1"}}))
	if !strings.Contains(about, `href="/accounts/c1/receipts"`) {
		t.Errorf("got no link to the receipts: %s", about)
	}
}
