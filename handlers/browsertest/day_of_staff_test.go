package browsertest

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/jobs"
)

// serveStaff serves a new business with a customer, a product and these entities, and
// signs in as this user.
func serveStaff(t *testing.T, sc screen, user store.User, entities ...store.Entity) *tab {
	t.Helper()
	s := newBusiness(t, append(entities,
		&store.Customer{ID: "c90", Name: "Maja Nyström", Email: "maja@example.com", Phones: []string{"+46 70 555 01 00"}, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Version: 1},
		&store.Product{ID: "p10", Name: "Tea jar", SKU: "SKU-10", Price: store.MinorUnits(4900), Version: 1},
	)...)
	addUser(t, s, user)
	b := open(t, serveStore(t, s, jobs.Record{}), sc)
	b.signIn(user.Name)
	return b
}

// TestDay_OfSupport finds a caller by family name, corrects the phone number, places
// and cancels an order, and pauses a subscription.
func TestDay_OfSupport(t *testing.T) {
	day := time.Date(2026, time.November, 28, 0, 0, 0, 0, time.UTC)
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := serveStaff(t, sc, store.User{Name: "mia", Role: store.Support}, &store.Subscription{
				ID: "sub90", AccountID: "c90", SKU: "PLAN-TEA", PlanName: "Tea every month", Email: "maja@example.com", Status: store.SubscriptionActive, PaymentDay: 28, PaymentAmount: store.MinorUnits(1299),
				NextPaymentDate: day, NextAttemptDate: day, NextReminderDate: day.AddDate(0, 0, -7), Version: 1,
			})
			b.visit("/search?q=nystr")
			b.link("Maja Nyström")
			b.wantText("+46 70 555 01 00", "maja@example.com")
			b.link("Edit")
			b.fill("phones", "+46 70 555 01 99")
			b.button("Save customer")
			b.wantText("+46 70 555 01 99")
			b.link("New order")
			b.fill("product-1", "tea jar")
			b.fill("quantity-1", "2")
			b.button("Review total")
			b.wantText("Maja Nyström", "Place order")
			b.button("Place order")
			b.wantText("Order placed.", "Maja Nyström", "+46 70 555 01 99")
			b.check("order for a call", sc)
			b.link("Cancel")
			b.fill("why", "changed her mind")
			b.button("Cancel unshipped items")
			b.wantText("Cancelled", "changed her mind")
			b.link("Maja Nyström")
			b.check("customer for a call", sc)
			b.follow(chromedp.Click(chromedp.CSS(`.head a[href="/accounts/c90"]`)))
			b.wantText("Subscription to Tea every month")
			b.follow(click("Pause"))
			b.button("Pause subscription")
			b.wantText("Subscription paused.", "Paused")
		})
	}
}

// TestDay_OfManager rents two kayaks to a new walk-in customer, on a phone. One of the
// kayaks comes back damaged.
func TestDay_OfManager(t *testing.T) {
	sc := screen{width: 390}
	b := serveStaff(
		t, sc, store.User{Name: "kim", Role: store.Manager, Stores: []string{"s1"}},
		&store.RentalStore{ID: "s1", Name: "Brygga", In: 2, Version: 1},
		&store.Kayak{ID: "k10", StoreID: "s1", Name: "Heron 10", DailyRate: store.MinorUnits(3500), Status: store.KayakIn, Version: 1},
		&store.Kayak{ID: "k13", StoreID: "s1", Name: "Heron 13", DailyRate: store.MinorUnits(3800), Status: store.KayakIn, Version: 1},
	)
	b.visit("/stores/s1")
	b.link("Check out")
	b.do(chromedp.SendKeys(field("person"), "Noa Mizrahi"), chromedp.WaitVisible(chromedp.CSS("[role=option]")))
	b.do(chromedp.Click(chromedp.CSS("[role=option]:last-child")))
	b.fill("new-phone", "+49 151 1234 5678")
	b.do(chromedp.SendKeys(field("kayaks"), "K10\nheron 13\n"))
	b.fill("due", "2026-11-24")
	b.check("check-out", sc)
	b.button("Continue")
	b.wantText("Noa Mizrahi", "New customer", "Heron 10", "Heron 13")
	b.button("Check out 2 kayaks")
	b.wantText("Heron 10 (k10), Heron 13 (k13) checked out to Noa Mizrahi until 24 Nov 2026.")
	b.link("Check in")
	b.do(chromedp.SendKeys(field("kayaks"), "Heron 13"))
	b.button("Show charge")
	b.wantText("Noa Mizrahi", "Heron 10", "Check in too")
	b.fill("damage-1", "Hole below the seat")
	b.do(chromedp.Click(field("repair-1")))
	b.check("check-in", sc)
	b.follow(chromedp.Click(chromedp.Search(`//button[starts-with(normalize-space(.), "Check in 1 kayak for")]`)))
	b.wantText("Checked in from Noa Mizrahi: Heron 13 (k13). Sent for repair: Heron 13 (k13).", "Heron 10")
	b.visit("/kayaks/k13")
	b.wantText("In repair", "Hole below the seat")
}

// TestDay_OfViewer finds the unpaid invoices of last month and exports them.
func TestDay_OfViewer(t *testing.T) {
	var entities []store.Entity
	for id, date := range map[string]time.Time{"x1": time.Date(2026, time.October, 12, 9, 0, 0, 0, time.UTC), "x2": time.Date(2026, time.November, 3, 9, 0, 0, 0, time.UTC)} {
		total := store.MinorUnits(4900)
		entities = append(entities,
			&store.Order{ID: id, CustomerID: "c90", CustomerName: "Maja Nyström", Date: date, Status: store.OrderOpen, Total: total, ItemCount: 1, PaymentState: store.InvoiceUnpaid, Version: 1},
			&store.OrderItem{OrderID: id, ProductID: "p10", CustomerID: "c90", Date: date, Name: "Jar", Price: total, Quantity: 1, Version: 1},
			&store.Invoice{ID: "i" + id, OrderID: id, CustomerID: "c90", Date: date, DueDate: date.AddDate(0, 0, 14), Amount: total, Status: store.InvoiceUnpaid, Version: 1},
		)
	}
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := serveStaff(t, sc, store.User{Name: "eva", Role: store.Viewer}, entities...)
			b.visit("/invoices")
			b.link("Unpaid")
			if sc.width < 500 {
				b.do(chromedp.Click(chromedp.CSS("main details > summary")))
			}
			b.fill("from", "last month")
			b.fill("to", "last month")
			b.button("Apply")
			b.wantText("ix1", "Maja Nyström", "€49.00")
			if page := b.text("main"); strings.Contains(page, "ix2") {
				t.Errorf("got an invoice of this month, want last month only:\n%s", page)
			}
			b.check("unpaid invoices", sc)
			if sc.noScript {
				return // the test reads the downloaded file with a script
			}
			file := run(b, chromedp.Evaluate[string](`fetch([...document.querySelectorAll("main a")].find((a) => a.textContent.trim() === "CSV").href).then((answer) => answer.text())`, chromedp.EvalAwaitPromise))
			if !strings.Contains(file, "\nix1,x1,c90,") || strings.Contains(file, "ix2") {
				t.Errorf("got file\n%s\nwant the invoices of last month only", file)
			}
		})
	}
}

// TestOrder_ForNewCaller places an order for a caller who is not a customer yet. The
// customer's name finds nobody, so the user adds the customer in the same form.
func TestOrder_ForNewCaller(t *testing.T) {
	sc := screen{width: 390}
	b := serveStaff(t, sc, store.User{Name: "mia", Role: store.Support})
	b.visit("/orders/new")
	b.do(chromedp.SendKeys(field("product-1"), "jar"), chromedp.WaitVisible(chromedp.CSS("[role=option]")), chromedp.Click(chromedp.CSS("[role=option]")))
	b.fill("quantity-1", "2")
	b.do(chromedp.SendKeys(field("customer"), "Noa Mizrahi"), chromedp.WaitVisible(chromedp.CSS("[role=option]")), chromedp.Click(chromedp.CSS("[role=option]")))
	b.fill("new-phone", "+49 151 1234 5678")
	b.fill("street", "Hafenstraße")
	b.check("order with a new customer", sc)
	b.button("Review total")
	b.wantText("Noa Mizrahi", "New customer", "Hafenstraße", "Tea jar", "€98.00")
	b.check("review of an order with a new customer", sc)
	b.button("Place order")
	b.wantText("Order placed.", "Noa Mizrahi", "+49 151 1234 5678")
}
