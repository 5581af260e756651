package storetest_test

import (
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestExpectedRevenue_Recurring checks expected payments: the next payment of each
// subscription and its monthly repetitions. Paused subscriptions must not count.
func TestExpectedRevenue_Recurring(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var all []store.Entity
		for _, of := range []struct {
			id     string
			status store.SubscriptionStatus
			due    time.Time
		}{
			{"monthly", store.SubscriptionActive, day(2026, 11, 30)},
			{"later", store.SubscriptionActive, day(2027, 1, 15)},
			{"paused", store.SubscriptionPaused, day(2026, 11, 25)},
		} {
			all = append(all, &store.Subscription{
				ID: of.id, AccountID: "c1", SKU: "PLAN", Status: of.status, PaymentDay: of.due.Day(), PaymentAmount: store.MinorUnits(500),
				NextPaymentDate: of.due, NextAttemptDate: of.due, Version: 1,
			})
		}
		if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		expected, err := s.As(admin).Expected(t.Context(), store.DateRange{From: day(2026, 11, 21), To: day(2027, 3, 1)})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, total := range expected {
			got[total.Day.Format(time.DateOnly)] += total.Count
		}
		want := []string{"2026-11-30", "2026-12-30", "2027-01-30", "2027-02-28", "2027-01-15", "2027-02-15"}
		for _, due := range want {
			if got[due] != 1 {
				t.Errorf("%s: got %d expected payments, want 1", due, got[due])
			}
		}
		if len(got) != len(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// TestExpectedRevenue_KeepsPaymentDay checks that payments that are moved to the last day of
// a short month are expected on their payment day in longer months.
func TestExpectedRevenue_KeepsPaymentDay(t *testing.T) {
	for name, tt := range map[string]struct {
		due        time.Time
		paymentDay int
		want       []string
	}{
		"from January":             {day(2027, 1, 31), 31, []string{"2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"}},
		"from February":            {day(2027, 2, 28), 31, []string{"2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"}},
		"from February, day 30":    {day(2027, 2, 28), 30, []string{"2027-02-28", "2027-03-30", "2027-04-30", "2027-05-30"}},
		"from February, day 29":    {day(2027, 2, 28), 29, []string{"2027-02-28", "2027-03-29", "2027-04-29", "2027-05-29"}},
		"from February, day 28":    {day(2027, 2, 28), 28, []string{"2027-02-28", "2027-03-28", "2027-04-28", "2027-05-28"}},
		"from April":               {day(2027, 4, 30), 31, []string{"2027-04-30", "2027-05-31"}},
		"from April, day 30":       {day(2027, 4, 30), 30, []string{"2027-04-30", "2027-05-30"}},
		"moved to the 10th of May": {day(2027, 5, 10), 31, []string{"2027-05-10"}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
				sub := func(id string, due time.Time, day int) store.Entity {
					return &store.Subscription{
						ID: id, AccountID: "c1", SKU: "PLAN", Status: store.SubscriptionActive, PaymentDay: day, PaymentAmount: store.MinorUnits(500),
						NextPaymentDate: due, NextAttemptDate: due, Version: 1,
					}
				}
				all := []store.Entity{sub("tested", tt.due, tt.paymentDay), sub("other", day(2027, 2, 28), 28)}
				if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
				expected, err := s.As(admin).Expected(t.Context(), store.DateRange{From: day(2027, 1, 21), To: day(2027, 5, 31)})
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]int{}
				for _, total := range expected {
					got[total.Day.Format(time.DateOnly)] += total.Count
				}
				for _, due := range append(tt.want, "2027-02-28", "2027-03-28", "2027-04-28", "2027-05-28") {
					got[due]--
				}
				for due, count := range got {
					if count != 0 {
						t.Errorf("%s: got %+d payments more than expected", due, count)
					}
				}
			})
		})
	}
}

// TestSubscription_WhileCustomerCloses creates a subscription, or undoes its cancellation,
// for a customer who is being closed. It also closes a customer for whom this happens. The
// closed customer must have no active subscription.
func TestSubscription_WhileCustomerCloses(t *testing.T) {
	for name, tt := range map[string]struct{ closesFirst, undoes bool }{
		"closed, then created": {true, false}, "created, then closed": {false, false},
		"closed, then undone": {true, true}, "undone, then closed": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
				s := storetest.OpenTable(t, db, table, clock)
				if loaded, err := s.Load(t.Context(), []store.Entity{&store.Customer{ID: "c1", Name: "Kim Ek", Version: 1}}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
				var id string
				change := func(s *store.Store) (err error) {
					id, err = s.As(admin).CreateSubscription(t.Context(), store.NewSubscription{AccountID: "c1", SKU: "PLAN", PlanName: "Tea", Day: 1, Amount: store.MinorUnits(500), Token: s.NewToken()})
					return err
				}
				if tt.undoes {
					err := change(s)
					if err == nil {
						err = s.As(admin).CancelSubscription(t.Context(), store.SubscriptionForm{AccountID: "c1", ID: id, SKU: "PLAN", Version: 1, Token: s.NewToken()}, "moved")
					}
					events, errEvents := s.As(admin).Events(t.Context(), store.EventFilter{About: "ACC#c1"}, store.Page{})
					if err != nil || errEvents != nil {
						t.Fatal(err, errEvents)
					}
					cancelled := events.Rows[0]
					plan, err := s.As(admin).PlanUndo(t.Context(), cancelled.Partition, cancelled.ID)
					if err != nil {
						t.Fatal(err)
					}
					change = func(s *store.Store) error {
						return s.As(admin).Undo(t.Context(), store.UndoForm{Partition: cancelled.Partition, ID: cancelled.ID, Seen: plan.Seen, Token: s.NewToken()})
					}
				}
				before, err := s.As(admin).CustomerForChange(t.Context(), "c1")
				if err != nil {
					t.Fatal(err)
				}
				closeCustomer := func(s *store.Store) error {
					return s.As(admin).CloseCustomer(t.Context(), store.Archiving{ID: "c1", Version: before.Version, Token: s.NewToken()})
				}
				slow, fast := change, closeCustomer
				if !tt.closesFirst {
					slow, fast = closeCustomer, change
				}
				r := &renaming{DB: db, rename: func() {
					if err := fast(s); err != nil {
						t.Error(err)
					}
				}}
				if err := slow(storetest.OpenTable(t, r, table, clock)); store.KindOf(err) != store.Conflict {
					t.Errorf("got %v, want Conflict", err)
				}
				customer, err := s.As(admin).CustomerForChange(t.Context(), "c1")
				if err != nil {
					t.Fatal(err)
				}
				found, err := s.As(admin).SubscriptionsOfAccount(t.Context(), "c1", store.Page{})
				active := slices.DeleteFunc(found.Rows, func(s store.Subscription) bool { return s.Status != store.SubscriptionActive })
				if err != nil || customer.IsClosed() == (len(active) > 0) {
					t.Errorf("got a closed customer %t with %d active subscriptions, %v", customer.IsClosed(), len(active), err)
				}
			})
		})
	}
}
