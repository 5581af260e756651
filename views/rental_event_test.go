package views_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestTimeline_RentalEvents checks that a timeline shows amounts, days and times of events
// in the format of the page, although the store saves them as plain text.
func TestTimeline_RentalEvents(t *testing.T) {
	page := signedIn()
	page.Zone = time.FixedZone("", 3600)
	for want, e := range map[string]store.Event{
		"Checked out from Available to Rented out, to Ebba until 1 Dec 2026, deposit €50.00 paid in cash, by kim": {
			What: store.EventKayakCheckedOut, Before: string(store.KayakIn), After: string(store.KayakOut), Why: "to Ebba until 1 Dec 2026, deposit 50 paid in cash",
		},
		"Checked in by Ebba after 2 days, on time, charge €81.00 paid by card; deposit of €30.00 kept; deposit of €20.50 returned; damage: hull, charge 40, by kim": {
			What: store.EventKayakCheckedIn, Why: "by Ebba after 2 days, on time, charge 81 paid by card; deposit of 30 kept; deposit of 20.5 returned; damage: hull, charge 40",
		},
		"Kayak edited from name Teal, daily rate €40.50 to name Heron, daily rate €42.00, by kim": {
			What: store.EventKayakEdited, Before: "name Teal, daily rate 40.5", After: "name Heron, daily rate 42",
		},
		"Kayak edited from name price 100 to name Teal, price 20, by kim": {
			What: store.EventKayakEdited, Before: "name price 100", After: "name Teal, price 20", Values: `[{"n":"name","b":"price 100","a":"Teal, price 20"}]`,
		},
		"Kayak edited from daily rate €40.50 to daily rate €42.00, by kim": {
			What: store.EventKayakEdited, Before: "daily rate 40.5", After: "daily rate 42", Values: `[{"n":"rate","b":"40.5","a":"42"}]`,
		},
		"Checked in by Bo, deposit 5 after 1 day, late, charge €81.00, by kim": {
			What: store.EventKayakCheckedIn, Why: "by Bo, deposit 5 after 1 day, late, charge 81",
		},
		"Checked out to Bo, charge 5 until 1 Dec 2026, deposit €50.00 paid in cash, by kim": {
			What: store.EventKayakCheckedOut, Why: "to Bo, charge 5 until 1 Dec 2026, deposit 50 paid in cash",
		},
		"Product edited from price €12.50 to price €13.00, by kim": {What: store.EventProductEdited, Before: "price 12.5", After: "price 13"},
		"Product edited from price €9.50 to price €9.75, by kim":   {What: store.EventProductEdited, Before: "price €9.50", After: "price €9.75"},
		"Rental charge of €195.00 paid Cash, by Ebba, by kim":      {What: store.EventRentalPaid, Subject: "195", After: string(store.PayByCash), Why: "by Ebba"},
		"Payment recorded for invoice i1: €4.50 by kim":            {What: store.EventPaymentRecorded, Subject: "i1: 4.5"},
		"Refund recorded for invoice i1: €4.50 by kim":             {What: store.EventPaymentRefunded, Subject: "i1: -4.5"},
		"Booked any Touring on 12 Dec 2026, for Ebba, by kim":      {What: store.EventBookingAdded, After: "any Touring on 12 Dec 2026", Why: "for Ebba"},
		"Booking moved G (k1), dates from 12–13 Dec 2026 to 14 Dec 2026, by kim": {
			What: store.EventBookingMoved, Before: "G (k1) from 12 Dec 2026 to 13 Dec 2026", After: "G (k1) on 14 Dec 2026",
		},
		"Booking moved from G (k1) to T (k2), 12–13 Dec 2026, by kim": {
			What: store.EventBookingMoved, Before: "G (k1) from 12 Dec 2026 to 13 Dec 2026", After: "T (k2) from 12 Dec 2026 to 13 Dec 2026",
		},
		"Booking moved from G (k1), 12–13 Dec 2026, to T (k2), 14 Dec 2026, by kim": {
			What: store.EventBookingMoved, Before: "G (k1) from 12 Dec 2026 to 13 Dec 2026", After: "T (k2) on 14 Dec 2026",
		},
		"Booking moved by kim":                        {What: store.EventBookingMoved, Before: "G (k1) on 14 Dec 2026", After: "G (k1) on 14 Dec 2026"}, // only the note has changed
		"Booking moved from G (k1) to T (k2), by kim": {What: store.EventBookingMoved, Before: "G (k1)", After: "T (k2)"},
		"Kayak edited Undoes “Kayak edited” (ole, 30 Nov 2026, 01:22), by kim": {
			What: store.EventKayakEdited, Undoes: "e1", Why: "Undoes “Kayak edited” (ole, 30 Nov 2026 00:22 UTC)",
		},
	} {
		e.By, e.When = "kim", someDay
		shown := rendered(t, views.KayakPage(views.Kayak{Page: page, Events: views.Part[store.Event]{Rows: []store.Event{e}}}))
		if got := shown.one(t, "class", "timeline").all("li")[0].text(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTimeline_RentalPayments(t *testing.T) {
	for want, payment := range map[string]store.RentalPayment{
		"Deposit of €50.00 Cash":          {Kind: store.DepositTaken, Amount: store.MinorUnits(5000)},
		"Deposit of €20.00 returned Cash": {Kind: store.DepositReturned, Amount: store.MinorUnits(-2000)},
		"Deposit of €30.00 kept Cash":     {Kind: store.DepositKept, Amount: store.MinorUnits(3000)},
		"Rental charge of €96.00 Cash":    {Kind: store.RentalCharge, Amount: store.MinorUnits(9600)},
	} {
		payment.Method = store.PayByCash
		rows := store.TimelineEntries([]store.RentalPayment{payment})
		page := rendered(t, views.TimelinePage(views.Timeline{Page: signedIn(), Rows: rows}))
		if got := page.one(t, "class", "timeline").all("li")[0].text(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestKayakPage_ShowsDepositHeld(t *testing.T) {
	for want, deposit := range map[bool]store.Amount{true: store.MinorUnits(5000), false: {}} {
		page := views.Kayak{Page: signedIn(), Kayak: store.Kayak{ID: "k1", StoreID: "s1", Status: store.KayakOut}}
		page.Rentals.Rows = []store.Rental{{ID: "r1", StoreID: "s1", KayakID: "k1", PersonID: "c1", Out: someDay, Due: someDay, Deposit: deposit, DepositBy: store.PayByCash}}
		if got := strings.Contains(rendered(t, views.KayakPage(page)).text(), "Deposit held €50.00, Cash"); got != want {
			t.Errorf("deposit %s: got the deposit on the page: %v, want %v", deposit, got, want)
		}
	}
}
