package storetest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// closing returns a request to close or reopen a customer.
func (s *selling) closing(id string, reopen bool) store.Archiving {
	s.Helper()
	c, err := s.admin.CustomerForChange(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return store.Archiving{ID: id, Restore: reopen, Version: c.Version, Why: " moved away ", Token: s.store.NewToken()}
}

func TestCloseCustomer(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		id, err := s.admin.AddCustomer(ctx, store.Customer{Name: "Quiet Zweig", Email: "quiet@example.com"}, s.store.NewToken())
		if err != nil {
			s.Fatal(err)
		}
		found := func() (choices int, closed bool) {
			suggested, err := s.admin.Choices(ctx, store.ChooseCustomer, "Zweig")
			if err != nil {
				s.Fatal(err)
			}
			all, err := s.admin.Search(ctx, "Zweig")
			if err != nil || len(all.Customers) != 1 {
				s.Fatalf("got %d customers, %v; want the customer", len(all.Customers), err)
			}
			return len(suggested), all.Customers[0].IsClosed()
		}
		how := s.closing(id, false)
		s.done("closing", s.admin.CloseCustomer(ctx, how))
		s.done("the same form", s.admin.CloseCustomer(ctx, how))
		s.refused("closing twice", s.admin.CloseCustomer(ctx, s.closing(id, false)), store.Conflict, "")
		outdated := s.closing(id, true)
		outdated.Version--
		s.refused("another version", s.admin.CloseCustomer(ctx, outdated), store.Conflict, "")
		if choices, closed := found(); choices != 0 || !closed {
			s.Errorf("got %d suggestions, closed %v; want none, and a closed customer in the search", choices, closed)
		}
		order := store.NewOrder{Basket: store.Basket{Customer: id, Lines: []store.BasketLine{{Product: "p10", Quantity: 1}}}, Total: store.MinorUnits(110)}
		_, err = s.admin.PlaceOrder(ctx, order, s.store.NewToken())
		s.refused("an order", err, store.Invalid, store.FieldCustomer)
		_, err = s.admin.CreateSubscription(ctx, store.NewSubscription{AccountID: id, SKU: "TEA", Day: 5, Amount: store.MinorUnits(9_00), Token: s.store.NewToken()})
		s.refused("a subscription", err, store.Invalid, "")
		_, err = s.admin.Book(ctx, store.BookingRequest{StoreID: "s0", Person: id, KayakID: "k15", From: monday, To: monday}, s.store.NewToken())
		s.refused("a booking", err, store.Invalid, "person")
		_, err = s.admin.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: id, KayakIDs: []string{"k15"}, Due: monday}, s.store.NewToken())
		s.refused("a rental", err, store.Invalid, "person")

		s.done("reopening", s.admin.CloseCustomer(ctx, s.closing(id, true)))
		if choices, closed := found(); choices != 1 || closed {
			s.Errorf("got %d suggestions, closed %v; want the open customer", choices, closed)
		}
		if _, err = s.admin.PlaceOrder(ctx, order, s.store.NewToken()); err != nil {
			s.Fatal(err)
		}
		open, err := s.admin.OpenMatters(ctx, id)
		if err != nil || len(open) != 2 || !strings.Contains(open[0].Reason, "still open") || !strings.Contains(open[1].Reason, "not paid") {
			s.Errorf("got %+v, %v; want the order and its invoice", open, err)
		}
		s.refused("closing with an open order", s.admin.CloseCustomer(ctx, s.closing(id, false)), store.Conflict, "")
		events, err := s.admin.EventsOfCustomer(ctx, id, store.Page{})
		if err != nil || len(events.Rows) != 3 || events.Rows[0].What != store.EventCustomerReopened || events.Rows[1].What != store.EventCustomerClosed || events.Rows[1].Why != "moved away" {
			s.Errorf("got %+v, %v; want the events of adding, closing and reopening", events.Rows, err)
		}
	})
}

// TestOpenMatters_HidesOtherStores checks that managers see what is open at their own
// stores, and only that something is open at other stores. Support staff see everything.
// Neither can close the customer.
func TestOpenMatters_HidesOtherStores(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		day := storetest.Now.Truncate(24 * time.Hour)
		entities := []store.Entity{
			&store.Customer{ID: "c", Name: "Kim", Version: 1},
			&store.Subscription{AccountID: "c", ID: "tea", SKU: "TEA", Status: store.SubscriptionActive, PaymentDay: 5, PaymentAmount: store.MinorUnits(900), NextPaymentDate: day.AddDate(0, 0, 5), Version: 1},
		}
		for _, id := range []string{"near", "far"} {
			entities = append(
				entities,
				&store.ActiveRental{StoreID: id, StoreName: "Store " + id, PersonID: "c", KayakID: "kayak-" + id, KayakName: "Kayak " + id, RentalID: "rental-" + id, Out: day, Due: day, Version: 1},
				&store.Booking{ID: "booking-" + id, StoreID: id, PersonID: "c", KayakID: "kayak-" + id, From: day, To: day, Status: store.BookingOpen, Version: 1},
				&store.Employment{StoreID: id, StoreName: "Store " + id, PersonID: "c", ID: "work-" + id, From: day, Version: 1},
			)
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		for _, tt := range []struct {
			user         store.User
			blockers     int
			isFarVisible bool
		}{
			{store.User{Name: "m", Role: store.Manager, Stores: []string{"near"}}, 5, false},
			{store.User{Name: "s", Role: store.Support}, 7, true},
		} {
			open, err := s.As(&tt.user).OpenMatters(t.Context(), "c")
			shown := fmt.Sprint(open)
			if err != nil || len(open) != tt.blockers || strings.Contains(shown, "far") != tt.isFarVisible || !strings.Contains(shown, "Kayak near") || !strings.Contains(shown, "tea") {
				t.Errorf("%s: got %d blockers %s, %v, want %d, other stores %v", tt.user.Name, len(open), shown, err, tt.blockers, tt.isFarVisible)
			}
			if err := s.As(&tt.user).CloseCustomer(t.Context(), store.Archiving{ID: "c", Version: 1, Token: s.NewToken()}); store.KindOf(err) != store.Conflict {
				t.Errorf("%s closes the customer: got %v, want Conflict", tt.user.Name, err)
			}
		}
	})
}

// TestCustomerAt_KeepsTimeOfClosing checks that the closed state of a customer still
// contains the time of closing after the customer is reopened.
func TestCustomerAt_KeepsTimeOfClosing(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		boss := s.As(admin)
		id, err := boss.AddCustomer(t.Context(), store.Customer{Name: "Quiet Zweig"}, s.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		change := func(reopen bool) store.Customer {
			clock.Advance(time.Hour)
			c, err := boss.CustomerForChange(t.Context(), id)
			if err == nil {
				err = boss.CloseCustomer(t.Context(), store.Archiving{ID: id, Restore: reopen, Version: c.Version, Token: s.NewToken()})
			}
			if err == nil {
				c, err = boss.CustomerForChange(t.Context(), id)
			}
			if err != nil {
				t.Fatal(err)
			}
			return *c
		}
		closed := change(false)
		between := clock.Now().Add(time.Minute)
		change(true)
		past, err := boss.CustomerAt(t.Context(), id, between)
		if err != nil || !past.Customer.Closed.Equal(closed.Closed) || closed.Closed.IsZero() {
			t.Errorf("got %+v, %v; want the customer closed at %s", past, err, closed.Closed)
		}
	})
}

// TestClosedCustomers checks that the list of closed customers is in the order of
// closing, counts those that are due for erasure, and omits erased and reopened
// customers.
func TestClosedCustomers(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, day := s.Context(), func(text string) time.Time {
			at, err := time.Parse(time.RFC3339, text+"T10:00:00Z")
			if err != nil {
				s.Fatal(err)
			}
			return at
		}
		if _, err := s.store.Load(ctx, []store.Entity{
			&store.Customer{ID: "late", Name: "Late", Closed: day("2026-11-01"), Version: 1},
			&store.Customer{ID: "early", Name: "Early", Closed: day("2019-03-01"), Version: 1},
			&store.Customer{ID: "erased", Closed: day("2020-03-01"), Version: 1},
		}, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		settings, err := s.admin.CurrentSettings(ctx)
		if err != nil {
			s.Fatal(err)
		}
		for _, invalid := range []int{1, 29, 36501} {
			wrong := settings
			wrong.EraseClosedDays = invalid
			s.refused("the setting", s.admin.ChangeSettings(ctx, wrong, s.store.NewToken()), store.Invalid, "erase-closed")
		}
		list := func(ids string, due int) {
			s.Helper()
			closed, err := s.admin.ClosedCustomers(ctx)
			var got []string
			for i := range closed.Next {
				got = append(got, closed.Next[i].ID)
			}
			if err != nil || strings.Join(got, " ") != ids || closed.Due != due || closed.Count != len(got) {
				s.Errorf("got %v, %d due of %d, %v; want %s, %d due", got, closed.Due, closed.Count, err, ids, due)
			}
		}
		list("early late", 0)
		settings.EraseClosedDays = 30
		s.done("the setting", s.admin.ChangeSettings(ctx, settings, s.store.NewToken()))
		list("early late", 1)
		s.store.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
		if _, err := s.admin.ErasePerson(ctx, "early"); err != nil {
			s.Fatal(err)
		}
		list("late", 0)
		s.done("reopening", s.admin.CloseCustomer(ctx, s.closing("late", true)))
		list("", 0)
	})
}

// TestCloseCustomer_WhileOrderIsPlaced places an order while its customer is being closed.
// Both must succeed. The data of the customer must not be erased while the order is open,
// and the order must be cancelled like any other.
func TestCloseCustomer_WhileOrderIsPlaced(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := storetest.OpenTable(t, db, table, clock)
		if loaded, err := s.Load(t.Context(), []store.Entity{
			&store.Customer{ID: "c1", Name: "Kim Ek", Version: 1},
			&store.Product{ID: "p1", Name: "Lamp", Price: store.MinorUnits(500), Version: 1},
		}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		a := s.As(admin)
		r := &renaming{DB: db, rename: func() {
			if err := a.CloseCustomer(t.Context(), store.Archiving{ID: "c1", Version: 1, Token: s.NewToken()}); err != nil {
				t.Error(err)
			}
		}}
		order := store.NewOrder{Basket: store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 1}}}, Total: store.MinorUnits(500)}
		id, err := storetest.OpenTable(t, r, table, clock).As(admin).PlaceOrder(t.Context(), order, s.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		if c, err := a.CustomerForChange(t.Context(), "c1"); err != nil || !c.IsClosed() {
			t.Errorf("got the customer %+v, %v; want it closed", c, err)
		}
		if erased, err := a.ErasePerson(t.Context(), "c1"); store.KindOf(err) != store.Conflict || len(erased.Blockers) != 2 {
			t.Errorf("got the blockers %+v, %v; want Conflict, and the order and its invoice", erased.Blockers, err)
		}
		if err := a.CancelOrder(t.Context(), store.Cancellation{OrderID: id, Version: 1, Why: "customer closed"}, s.NewToken()); err != nil {
			t.Error(err)
		}
		if erased, err := a.ErasePerson(t.Context(), "c1"); err != nil || len(erased.Blockers) > 0 {
			t.Errorf("got the blockers %+v, %v; want none after the cancellation", erased.Blockers, err)
		}
	})
}
