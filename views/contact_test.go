package views_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func markup(t *testing.T, component templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := component.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEmail_BreaksAtItsPartsOnly checks that a line can break in an email address only
// before a dot or before @.
func TestEmail_BreaksAtItsPartsOnly(t *testing.T) {
	customer := store.Customer{ID: "C1", Email: "anna.karenina@mail.example"}
	shown := views.Customer{Page: signedIn()}
	shown.Customer.Found = customer
	for name, page := range map[string]templ.Component{
		"invoice":  views.InvoicePage(views.Invoice{Page: signedIn(), Customer: &customer}),
		"customer": views.CustomerPage(shown),
		"account":  views.BillingPage(views.Billing{Page: signedIn(), Subscriptions: views.Part[store.Subscription]{Rows: []store.Subscription{{ID: "S1", Email: customer.Email}}}}),
	} {
		want := `<a href="mailto:anna.karenina@mail.example">anna<wbr>.karenina<wbr>@mail<wbr>.example</a>`
		if got := markup(t, page); !strings.Contains(got, want) {
			t.Errorf("%s: got no %s", name, want)
		}
	}
}

func TestSubscriptions_KeepDaysOnOneLine(t *testing.T) {
	s := store.Subscription{ID: "S1", Status: store.SubscriptionActive, Attempt: 1, NextPaymentDate: someDay, NextAttemptDate: someDay.AddDate(0, 0, 1)}
	page := markup(t, views.DuePage(views.Due{Page: signedIn(), Rows: []store.Subscription{s}}))
	for _, want := range []string{`<span class="day">20 Nov 2026</span>`, `<span class="day">21 Nov 2026</span>`} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %s", want)
		}
	}
}

// TestSubscriptions_HideNextPaymentUnlessActive checks that a paused or cancelled
// subscription shows no day of a next payment or reminder.
func TestSubscriptions_HideNextPaymentUnlessActive(t *testing.T) {
	for status, shows := range map[store.SubscriptionStatus]bool{
		store.SubscriptionActive: true, store.SubscriptionPastDue: true, store.SubscriptionPaused: false, store.SubscriptionCancelled: false,
	} {
		s := store.Subscription{ID: "S1", Status: status, NextPaymentDate: someDay, NextAttemptDate: someDay, NextReminderDate: someDay}
		for name, page := range map[string]templ.Component{
			"list": views.DuePage(views.Due{Page: signedIn(), Rows: []store.Subscription{s}}),
			"form": views.SubscriptionPage(views.SubscriptionChanging{Page: signedIn(), Action: views.SubscriptionChange, Subscription: s}),
		} {
			if got := markup(t, page); strings.Contains(got, "20 Nov 2026") != shows {
				t.Errorf("%s, %s: got %s, want a day: %v", name, status, got, shows)
			} else if paused := strings.Contains(strings.ToLower(got), "paused, no payment"); paused != (status == store.SubscriptionPaused) {
				t.Errorf("%s, %s: got %s, want the text about a paused subscription: %v", name, status, got, !paused)
			}
		}
	}
}

func TestReceipts_KeepDaysOnOneLine(t *testing.T) {
	r := store.Receipt{SubscriptionID: "S1", DueDate: someDay, Expires: someDay.AddDate(0, 0, 1)}
	page := markup(t, views.BillingPage(views.Billing{Page: signedIn(), Receipts: views.Part[store.Receipt]{Rows: []store.Receipt{r}}}))
	for _, want := range []string{`<span class="day">20 Nov 2026</span>`, `<td class="day">21 Nov 2026</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %s", want)
		}
	}
}

func TestTimeline_ShowsDaysWithoutTime(t *testing.T) {
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	page := markup(t, views.TimelinePage(views.Timeline{Page: signedIn(), Rows: []store.TimelineEntry{{When: day, Kind: "receipt", What: "paid"}}}))
	if want := `<time datetime="2026-11-20">20 Nov 2026</time>`; !strings.Contains(page, want) {
		t.Errorf("got %s, want %s", page[max(0, strings.Index(page, "<time")):], want)
	}
}

// TestTimeline_ShowsReturns checks that the timeline of a customer uses the same words
// for returns, invoices and credit notes as printed documents.
func TestTimeline_ShowsReturns(t *testing.T) {
	invoice := store.Invoice{ID: "500002", Number: 2, Amount: store.MinorUnits(41490), Status: store.InvoicePaid, Date: someDay}
	note := func(reason store.CreditReason) store.TimelineEntry {
		n := store.CreditNote{ID: "7", Number: 3, OrderID: "100002", Amount: store.MinorUnits(41490), Reason: reason, Date: someDay}
		return n.TimelineEntry()
	}
	page := rendered(t, views.TimelinePage(views.Timeline{
		Page: signedIn(), Rows: []store.TimelineEntry{note(store.CreditReturned), note(store.CreditEdited), invoice.TimelineEntry()},
	}))
	for text, path := range map[string]string{"Items of order 100002 returned": "/credit-notes/7", "Credit note CN-3": "/credit-notes/7", "Invoice INV-2": "/invoices/500002"} {
		if got := page.link(t, text).attr("href"); got != path {
			t.Errorf("%s: got link to %s, want %s", text, got, path)
		}
	}
	for _, want := range []string{"Items of order 100002 returned Credit note CN-3, €414.90", "Credit note CN-3 €414.90, Items changed"} {
		if got := page.all("main")[0].text(); !strings.Contains(got, want) || strings.Contains(got, "Payments and refunds are") {
			t.Errorf("got no %q, or a text about payments: %s", want, got)
		}
	}
}

// TestTimeline_ShowsPayments checks that the timeline says where payments are, and that the
// entry of an invoice lists its last payments and their reversals, and the same status as the
// list of invoices.
func TestTimeline_ShowsPayments(t *testing.T) {
	invoice := store.Invoice{ID: "500002", Number: 2, Amount: store.MinorUnits(41490), Status: store.InvoiceUnpaid, Date: someDay, DueDate: someDay.AddDate(0, 0, -3), Payments: []store.Payment{
		{ID: "1", Type: "BankTransfer", Amount: store.MinorUnits(41490), Received: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)},
		{ID: "2", Type: "BankTransfer", Amount: store.MinorUnits(-41490), Received: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC), ReversalOf: "1"},
	}}
	text := func() string {
		page := rendered(t, views.TimelinePage(views.Timeline{Page: signedIn(), Rows: []store.TimelineEntry{invoice.TimelineEntry()}}))
		return page.all("main")[0].text()
	}
	if got, want := text(), "Payments and refunds are listed with their invoice. Invoice INV-2"; !strings.Contains(got, want) {
		t.Errorf("got no %q: %s", want, got)
	}
	if got, want := text(), "€414.90, Overdue Payment of €414.90, Bank transfer, 2 Nov 2026 Reversed payment of €414.90, Bank transfer, 3 Nov 2026"; !strings.Contains(got, want) {
		t.Errorf("got no %q: %s", want, got)
	}
	for range 4 {
		invoice.Payments = append(invoice.Payments, invoice.Payments[1])
	}
	if got, want := text(), "€414.90, Overdue 1 earlier payment Reversed payment of €414.90, Bank transfer"; !strings.Contains(got, want) {
		t.Errorf("got no %q: %s", want, got)
	}
}

// TestTimeline_EndsSentenceBeforeAuthor checks the punctuation between a note and
// the name of its author.
func TestTimeline_EndsSentenceBeforeAuthor(t *testing.T) {
	for note, want := range map[string]string{
		"Called": "Called, by kim", "Called.": "Called. By kim", "Called?": "Called? By kim", "": "by kim",
	} {
		order := someOrder()
		order.Events = []store.Event{{ID: "E", When: someDay, By: "kim", What: "note", Why: note}}
		for name, page := range map[string]templ.Component{
			"order":    views.OrderPage(views.Order{Page: signedIn(), Order: order}),
			"customer": views.TimelinePage(views.Timeline{Page: signedIn(), Rows: []store.TimelineEntry{{When: someDay, Kind: "event", What: "note", About: note, By: "kim"}}}),
		} {
			if got := markup(t, page); !strings.Contains(got, `<p>`+want+`</p>`) {
				t.Errorf("%s: note %q: got no %q", name, note, want)
			}
		}
	}
}
