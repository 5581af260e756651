package storetest_test

import (
	"fmt"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// loadReceipts loads receipts with the amount 1 and the given processing times.
func loadReceipts(t *testing.T, s *store.Store, options store.LoadOptions, processed ...time.Time) {
	t.Helper()
	var all []store.Entity
	for n, at := range processed {
		all = append(all, &store.Receipt{
			AccountID: "a1", SubscriptionID: "s1", SKU: "PLAN", DueDate: at.AddDate(0, n, 0), ProcessedDate: at,
			ProcessedAmount: store.MinorUnits(1_00), Expires: at.AddDate(0, 6, 0), Version: 1,
		})
	}
	if loaded, err := s.Load(t.Context(), all, options); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// TestCheckTotals_KeepsPaymentsFromBeforeZoneChange checks that a rebuild does not change
// the totals of payments that were made before the time zone changed.
func TestCheckTotals_KeepsPaymentsFromBeforeZoneChange(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		setZone := func(zone string) {
			settings, err := s.As(admin).CurrentSettings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			settings.TimeZone = zone
			if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
				t.Fatal(err)
			}
		}
		setZone("Pacific/Auckland")
		before := storetest.Now.AddDate(0, 0, -2)
		loadReceipts(t, s, store.LoadOptions{}, before.Add(-time.Hour), before.Add(time.Hour), storetest.Now)
		setZone("America/Los_Angeles")
		clock.Advance(5 * 24 * time.Hour)
		loadReceipts(t, s, store.LoadOptions{TotalsIncluded: true}, clock.Now().AddDate(0, 0, -1), clock.Now())
		day := func(days int) string { return storetest.Now.AddDate(0, 0, days).Format(time.DateOnly) }
		want := fmt.Sprint([]string{
			"payments of " + day(4) + ": stored 0 (0), correct 1 (1)",
			"payments of " + day(5) + ": stored 0 (0), correct 1 (1)",
		})
		if got, result := checkTotals(t, s, true); fmt.Sprint(got) != want || result.Rebuilt != 2 || result.NotChecked != 3 {
			t.Errorf("got %q, %+v; want %s", got, result, want)
		}
		days, err := s.As(admin).Totals(t.Context(), store.TotalPayments, store.DateRange{From: before.AddDate(0, 0, -1), To: clock.Now()})
		sum := 0
		for _, d := range days {
			sum += d.Count
		}
		if err != nil || sum != 5 {
			t.Errorf("got totals %+v, %v; want 5 payments", days, err)
		}
	})
}
