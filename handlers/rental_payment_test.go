package handlers

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/views"
)

// TestRentalPayment_AtTheCounter rents out a kayak with a deposit, and checks it in with
// a payment, without scripts. The slip, the takings and Today must show the amounts. It
// then records the payment of an earlier unpaid rental, which must disappear from the
// unpaid rentals.
func TestRentalPayment_AtTheCounter(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")

	form := url.Values{"kayaks": {"k10"}, "person": {"c01"}, "due": {"2026-11-23"}, "deposit": {"100"}, "do": {"look"}}
	page := manager.get("/stores/s1/check-out?kayaks=k10")
	form.Set("once", hiddenFields(page.body).Get("once"))
	if got := manager.post("/stores/s1/check-out", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Choose how the deposit is paid.") {
		t.Fatalf("deposit without a method: got status %d, want an error: %s", got.status, content(got.body))
	}
	form.Set("deposit-method", "CASH")
	got := manager.post("/stores/s1/check-out", form)
	if got.status != http.StatusOK || !strings.Contains(got.body, "€100.00, Cash") {
		t.Fatalf("review: got status %d, want the deposit: %s", got.status, content(got.body))
	}
	confirmed := hiddenFields(got.body)
	confirmed.Set("do", "take")
	for range 2 { // the second submission must change nothing
		if got := manager.post("/stores/s1/check-out", confirmed); got.status != http.StatusSeeOther {
			t.Fatalf("check-out: got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	slip := manager.get("/stores/s1/slip?person=c01").body
	for _, want := range []string{"Check-out slip", "Heron 10 (k10)", "23 Nov 2026", "€35.00", "€100.00", "Payment method of the deposit: Cash.", "Date and signature"} {
		if !strings.Contains(slip, want) {
			t.Errorf("slip: got no %q, want one: %s", want, content(slip))
		}
	}

	charge := manager.get("/stores/s1/return?kayaks=k10").body
	if !strings.Contains(charge, "Leave empty to return €100.00 in cash.") {
		t.Errorf("check-in: got no deposit to return: %s", content(charge))
	}
	back := hiddenFields(charge)
	back.Set("charge-paid", "CARD")
	back.Set("keep", "40")
	back.Set("keep-why", "Broken rudder")
	for range 2 {
		if got := manager.post("/stores/s1/return", back); got.status != http.StatusSeeOther {
			t.Fatalf("check-in: got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	takings := manager.get("/stores/s1/takings").body
	for _, want := range []string{"€75.00", "Deposit returned", "-€60.00", "Broken rudder", "4 payments"} {
		if !strings.Contains(strings.ReplaceAll(takings, "−", "-"), want) {
			t.Errorf("takings: got no %q, want one: %s", want, content(takings))
		}
	}
	if kept := "€40.00, taken at check-out"; !strings.Contains(takings, kept) {
		t.Errorf("takings: got no %q, want the kept deposit apart from the amounts that add up: %s", kept, content(takings))
	}
	if why := `<span class="sub wrap m" dir="auto">Broken rudder</span>`; !strings.Contains(takings, why) {
		t.Errorf("takings: got no %q, want the reason in the first column for phones: %s", why, content(takings))
	}
	csv := manager.get("/stores/s1/takings.csv").body
	if lines := strings.Count(csv, "\n"); lines != 5 {
		t.Errorf("takings.csv: got %d lines, want the header and 4 payments: %s", lines, csv)
	}
	for user, link := range map[*browser]string{manager: "/stores/s1/takings\">€75.00 taken today", b.as(t, "admin"): "/stores\">€35.00 of charges paid today"} {
		if page := wholeToday(user).body; !strings.Contains(page, `href="`+link) {
			t.Errorf("Today: got no link %s: %s", link, content(page))
		}
	}

	unpaid := manager.get("/stores/s1/unpaid").body
	if !strings.Contains(unpaid, "/stores/s1/settle?day=2026-11-18&amp;payment=rp1") {
		t.Fatalf("unpaid rentals: got no link to record the payment: %s", content(unpaid))
	}
	if page := content(manager.get("/stores/s1/settle?day=2026-11-18&payment=rp1").body); !strings.Contains(page, "<dt>Kayaks</dt>") {
		t.Errorf("settle: got no kayaks: %s", page)
	}
	if page := content(manager.get("/stores/s1/takings?day=2026-11-18").body); !strings.Contains(page, "€70.00, unpaid") || !strings.Contains(page, `<th scope="col" class="p2">Kayaks</th>`) {
		t.Errorf("takings: got no unpaid charge with its kayaks: %s", page)
	}
	settle := hiddenFields(manager.get("/stores/s1/settle?day=2026-11-18&payment=rp1").body)
	settle.Set("charge-paid", "CASH")
	for range 2 {
		if got := manager.post("/stores/s1/settle", settle); got.status != http.StatusSeeOther {
			t.Fatalf("settlement: got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	if unpaid := manager.get("/stores/s1/unpaid").body; !strings.Contains(unpaid, "No unpaid rentals.") {
		t.Errorf("unpaid rentals after the payment: got %s, want none", content(unpaid))
	}
	if page := content(manager.get("/stores/s1/takings?day=2026-11-18").body); !strings.Contains(page, "€70.00, paid later") || strings.Count(page, "€70.00") != 1 {
		t.Errorf("takings after the payment: got %s, want the charge once, as paid later", page)
	}
}

// TestUnpaidRentals_JSON reads the JSON of a customer with an unpaid rental charge. It
// must contain the charge for the manager of the store, but not for the manager of
// another store.
func TestUnpaidRentals_JSON(t *testing.T) {
	b := open(t)
	for user, want := range map[string]string{"manager": "rp1", "outsider": ""} {
		for _, path := range []string{"/customers/c10.json", "/people/c10.json"} {
			var got struct {
				UnpaidRentals struct {
					Rows []struct{ ID string } `json:"rows"`
				}
			}
			page := b.as(t, user).get(path)
			if err := json.Unmarshal([]byte(page.body), &got); err != nil {
				t.Fatal(err)
			}
			ids := ""
			for _, row := range got.UnpaidRentals.Rows {
				ids += row.ID
			}
			if ids != want || !strings.Contains(page.body, `"UnpaidRentals":{"rows":[`) {
				t.Errorf("%s: %s: got the unpaid rentals %q, want %q: %s", user, path, ids, want, page.body)
			}
		}
	}
}

// TestCustomer_UnpaidRentals opens the page of a customer with an unpaid rental charge.
// It must show the charge to the manager of the store and to an admin, but not to the
// manager of another store.
func TestCustomer_UnpaidRentals(t *testing.T) {
	b := open(t)
	figure := `<dt>Unpaid rentals</dt><dd><span class="big">€70.00</span> <span class="sub"><a href="#section-unpaid-rentals">1 charge</a>, not in the invoices</span>`
	for user, want := range map[string]bool{"manager": true, "admin": true, "outsider": false} {
		page := content(b.as(t, user).get("/customers/c10").body)
		if got := strings.Contains(page, figure); got != want {
			t.Errorf("%s: got the figure: %v, want %v: %s", user, got, want, page)
		}
		if got := strings.Contains(page, "/stores/s1/settle?day=2026-11-18&amp;payment=rp1"); got != want {
			t.Errorf("%s: got the link to record the payment: %v, want %v: %s", user, got, want, page)
		}
	}
}

// TestCustomer_ManyRentalPayments opens the page of a customer with unpaid charges at two
// stores. The newest charge must come first. The test then adds so many newer deposits
// that the page does not read the charges. The page must say that unpaid charges may be
// missing.
func TestCustomer_ManyRentalPayments(t *testing.T) {
	payment := func(id, storeID string, kind store.RentalPaymentKind, method store.PayMethod, day int) store.Entity {
		at := storetest.Day(2026, time.November, day).Add(12 * time.Hour)
		return &store.RentalPayment{
			ID: id, StoreID: storeID, PersonID: "c10", Day: at.Truncate(24 * time.Hour), At: at, Kind: kind, Method: method, Amount: store.MinorUnits(1_00),
			Rentals: []store.PaidRental{{RentalID: "r1", KayakID: "k1", Amount: store.MinorUnits(1_00)}}, Version: 1,
		}
	}
	b := open(t, payment("first", "s1", store.RentalCharge, store.PayLater, 19), payment("second", "s2", store.RentalCharge, store.PayLater, 20))
	admin := b.as(t, "admin")
	const note = "so unpaid charges may be missing"
	both := store.User{Name: "both", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1", "s2"}}
	if err := b.store.AddUser(t.Context(), both, password, "test"); err != nil {
		t.Fatal(err)
	}
	for _, browser := range []*browser{admin, b.as(t, "both")} {
		page := content(browser.get("/customers/c10").body)
		newest, older := strings.Index(page, "payment=second"), strings.Index(page, "payment=first")
		if newest < 0 || older < newest || strings.Contains(page, note) {
			t.Errorf("got the newer charge at %d and the older one at %d, want the newest first and no note: %s", newest, older, page)
		}
	}
	var entities []store.Entity
	for n := range store.MaxLimit {
		entities = append(entities, payment(fmt.Sprintf("deposit%03d", n), "s1", store.DepositTaken, store.PayByCash, 21))
	}
	if loaded, err := b.store.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(loaded.Rejected, err)
	}
	if page := content(admin.get("/customers/c10").body); !strings.Contains(page, note) || !strings.Contains(page, "<dt>Unpaid rentals</dt>") {
		t.Errorf("got no note that charges may be missing: %s", page)
	}
}

// TestCheckIn_TwoRenters checks in the kayaks of two renters. The form and the message must
// show the charge of each renter, and each renter must get a payment.
func TestCheckIn_TwoRenters(t *testing.T) {
	b := open(t)
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	for person, kayak := range map[string]string{"c01": "k10", "c02": "k13"} {
		out := store.CheckOut{StoreID: "s1", Person: person, KayakIDs: []string{kayak}, Due: storetest.Day(2026, 11, 23)}
		if _, err := admin.CheckOut(t.Context(), out, b.store.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	quote, err := admin.QuoteCheckIn(t.Context(), "s1", []string{"k10", "k13"})
	if err != nil || len(quote.Renters()) != 2 {
		t.Fatalf("got %+v, %v, want two renters", quote, err)
	}
	manager := b.as(t, "manager")
	form := manager.get("/stores/s1/return?kayaks=k10%0Ak13").body
	page := content(form)
	back := hiddenFields(form)
	back.Set("charge-paid", "CASH")
	manager.post("/stores/s1/return", back).want(t, http.StatusSeeOther)
	message := content(manager.get("/stores/s1").body)
	takings := manager.get("/stores/s1/takings.csv").body
	for _, renter := range quote.Renters() {
		charge := string(views.AppendMoney(nil, renter.Amount, "EUR"))
		if want := "For <bdi>" + html.EscapeString(renter.Renter); !strings.Contains(page, want) || !strings.Contains(page, "Each renter gets a separate payment.") {
			t.Errorf("form: got no %q and hint: %s", want, page)
		}
		if want := charge + " for " + html.EscapeString(renter.Renter); !strings.Contains(message, want) {
			t.Errorf("message: got no %q: %s", want, message)
		}
		if strings.Count(takings, ","+renter.PersonID+",") != 1 {
			t.Errorf("%s: got the takings %s, want one payment", renter.PersonID, takings)
		}
	}
}
