package views_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestMoment checks that formatted moments keep the exact second. A moment without seconds
// means the end of the minute.
func TestMoment(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	minute := time.Date(2026, 11, 3, 10, 0, 0, 0, zone)
	for want, at := range map[string]time.Time{
		"2026-11-03T10:00":    minute.Add(time.Minute - time.Nanosecond),
		"2026-11-03T10:00:00": minute,
		"2026-11-03T10:00:59": minute.Add(59 * time.Second),
		"2026-11-03T10:00:07": minute.Add(7*time.Second + 5*time.Millisecond),
	} {
		p := signedIn()
		p.Zone = zone
		if got := views.Moment(&p, at); got != want {
			t.Errorf("%v: got %s, want %s", at, got, want)
		}
	}
	p := signedIn()
	p.Zone = zone
	repeated := time.Date(2026, 10, 25, 0, 30, 59, 999999999, time.UTC) // this hour occurs twice, because the clock is set back
	if first, second := views.Moment(&p, repeated), views.Moment(&p, repeated.Add(time.Hour)); first == second {
		t.Errorf("got %s for both, want different texts", first)
	}
}

// TestPastPage_FitsPhone checks that tables with many columns show all values of a row
// in its first cell on narrow pages, and that the page shows the name of the account
// rep.
func TestPastPage_FitsPhone(t *testing.T) {
	p := signedIn()
	p.Related.Employees = map[string]*store.Employee{"e1": {ID: "e1", Name: "Robin Lind"}}
	order := store.OrderDetails{Order: store.Order{ID: "1", AccountRepID: "e1"}, Items: []store.OrderItem{
		{ProductID: "p1", Name: "Lamp", Quantity: 3, Shipped: 1, Cancelled: true}, {ProductID: "p2", Name: "Chair", Quantity: 1},
	}}
	record := views.PastOrder(&p, &store.PastOrder{Past: store.Past{At: someDay}, Order: order})
	record.Past.At = someDay
	page := rendered(t, views.PastPage(views.PastState{Page: p, Record: record}))
	if !strings.Contains(page.text(), "Robin Lind") {
		t.Errorf("got no name of the account rep in %s", page.text())
	}
	table := page.all("table")[0]
	for _, heading := range table.all("th")[1:] {
		if class := heading.attr("class"); !strings.HasPrefix(class, "p2") {
			t.Errorf("%s: got class %q, want the column hidden on a phone", heading.text(), class)
		}
	}
	cells := table.all("td")
	if first := cells[0].text(); !strings.Contains(first, "In shipments: 1") || !strings.Contains(first, "Cancelled: 2") {
		t.Errorf("got %q in the first cell, want all values of the item", first)
	}
	if last := cells[len(cells)-1].text(); last != "0" {
		t.Errorf("got %q cancelled of the second item, want 0", last)
	}
}

func TestPastInvoice_MasksCardNumbers(t *testing.T) {
	p := signedIn()
	record := views.PastInvoice(&p, &store.PastInvoice{Invoice: store.Invoice{ID: "1", Payments: []store.Payment{{Type: "Visa", Data: "4242424242424242"}}}})
	if got := record.Tables[0].Rows[0].Cells[3]; strings.Contains(got, "42424242") || !strings.Contains(got, "4242") {
		t.Errorf("got %q, want the last digits only", got)
	}
}

func TestPastInvoice_NamesReversals(t *testing.T) {
	p := signedIn()
	record := views.PastInvoice(&p, &store.PastInvoice{Invoice: store.Invoice{ID: "1", Payments: []store.Payment{{ID: "2", Type: "Visa", Amount: store.MinorUnits(-100), ReversalOf: "1"}}}})
	if got := record.Tables[0].Rows[0].Cells[1]; !strings.HasPrefix(got, "Reversal") {
		t.Errorf("got %q, want a reversal", got)
	}
}

// TestPastOrder_HasStatusOfMoment describes an order before and after its invoice was overdue,
// and one with an amount to refund. The status of the order and of the invoice must be the one
// that the pages showed at that moment.
func TestPastOrder_HasStatusOfMoment(t *testing.T) {
	p := signedIn()
	unpaid := store.Invoice{ID: "1", Amount: store.MinorUnits(10_00), Status: store.InvoiceUnpaid, DueDate: someDay}
	paidTwice := store.Invoice{ID: "1", Amount: store.MinorUnits(10_00), Status: store.InvoicePaid, Payments: []store.Payment{{Type: "Visa", Amount: store.MinorUnits(20_00)}}}
	for _, tt := range []struct {
		invoice store.Invoice
		days    int // days after someDay
		want    string
	}{{unpaid, -1, "Unpaid"}, {unpaid, 2, "Overdue"}, {paidTwice, 0, "To refund"}} {
		past := store.Past{At: someDay.AddDate(0, 0, tt.days)}
		order := store.OrderDetails{Order: store.Order{ID: "1", PaymentState: tt.invoice.Status}, Invoices: []store.Invoice{tt.invoice}}
		ofOrder := views.PastOrder(&p, &store.PastOrder{Past: past, Order: order})
		ofInvoice := views.PastInvoice(&p, &store.PastInvoice{Past: past, Invoice: tt.invoice})
		got := []string{ofOrder.Facts[4].Value, ofOrder.Tables[1].Rows[0].Cells[1], ofInvoice.Facts[0].Value}
		if want := []string{tt.want, tt.want, tt.want}; !slices.Equal(got, want) {
			t.Errorf("after %d days: got the statuses %q, want %s", tt.days, got, tt.want)
		}
	}
}

// TestPastPage_FormatsAmount shows a state before a payment that can't be undone. The amount
// in the description of the payment must have its currency.
func TestPastPage_FormatsAmount(t *testing.T) {
	p := signedIn()
	record := views.PastInvoice(&p, &store.PastInvoice{Invoice: store.Invoice{ID: "1"}})
	record.Past = store.Past{At: someDay, Gap: store.PastNoValues, Since: someDay, What: store.Event{What: store.EventPaymentRecorded, Subject: "1: 4.5"}}
	if text := rendered(t, views.PastPage(views.PastState{Page: p, Record: record})).text(); !strings.Contains(text, "“Payment recorded for invoice 1: €4.50”") {
		t.Errorf("got no amount with its currency: %s", text)
	}
}

// TestPastPage_ShowsLedgerQuantity shows the stock of a product that has ledger entries but
// no history at the moment. The quantity must be shown as that of the moment, apart from
// the bin, which is the current one.
func TestPastPage_ShowsLedgerQuantity(t *testing.T) {
	p := signedIn()
	past := store.PastStock{Past: store.Past{At: someDay, Gap: store.PastBegins}, Item: store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Quantity: 67, Bin: "A-04"}}
	ledger := store.List[store.StockMove]{Rows: []store.StockMove{{ID: "m1", When: someDay, To: 67, Delta: 67}}}
	record := views.PastStock(&p, &past, store.Warehouse{ID: "w1"}, ledger)
	record.Past = past.Past
	page := rendered(t, views.PastPage(views.PastState{Page: p, Record: record}))
	if text := page.text(); !strings.Contains(text, "As it was on") || strings.Contains(text, "There is no record") {
		t.Errorf("got no known quantity in %s", text)
	}
	for i, want := range []string{"67 pieces", "A-04"} {
		list := page.all("dl")
		if len(list) != 2 || !strings.Contains(list[i].text(), want) {
			t.Errorf("got %d groups of values, want 2 with %q in group %d: %s", len(list), want, i, page.text())
		}
	}
}
