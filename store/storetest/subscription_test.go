package storetest_test

import (
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
