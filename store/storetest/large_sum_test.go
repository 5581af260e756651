package storetest_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTotals_StayReadable places orders on days whose totals are random numbers of
// any size that the table can store. Each order must be counted or rejected, and the
// total must remain readable.
func TestTotals_StayReadable(t *testing.T) {
	// With several shards, the order could be added to another item of the day's total.
	shops[1].OnEachEngine(t, func(t *testing.T, db *store.Store, clock *storetest.Clock) {
		s := &selling{t, db, db.As(admin), storetest.NewShop()}
		random := rand.New(rand.NewPCG(1, 2))
		digits := func(n int) string {
			text := []byte(strings.Repeat("9", n)) // many nines, so that additions have carries
			for i := range text {
				if random.IntN(4) == 0 {
					text[i] = byte('0' + random.IntN(10))
				}
			}
			return string(text)
		}
		counted, refused := 0, 0
		for n := range 200 {
			clock.Advance(24 * time.Hour)
			before := store.Total{Kind: store.TotalOrders, Day: clock.Now().Truncate(24 * time.Hour), Version: 1}
			before.Count = int(min(random.Int64N(2*store.MaxCount), store.MaxCount+random.Int64N(3)-1))
			text := digits(1+random.IntN(34)) + "." + digits(random.IntN(5))
			if n%8 == 0 {
				text = strings.Repeat("9", 34) + ".9999"
			}
			if n%3 == 0 {
				before.Count, text = -before.Count, "-"+text
			}
			var err error
			if before.Amount, err = store.ParseSum(text); err != nil {
				t.Fatal(err)
			}
			total := before
			if loaded, err := s.store.Load(t.Context(), []store.Entity{&total}, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
				t.Fatal(before, err, loaded.Rejected)
			}
			_, err = s.admin.PlaceOrder(t.Context(), s.sampleOrder(), s.store.NewToken())
			want := store.DayTotal{Count: before.Count, Amount: before.Amount}
			switch {
			case err == nil:
				counted++
				want.Count, want.Amount = want.Count+1, want.Amount.Plus(s.sampleOrder().Total.Sum())
			case store.KindOf(err) == store.Invalid:
				refused++
			default:
				t.Fatalf("%+v: got error %v, want the order counted or rejected", before, err)
			}
			days, err := s.admin.Totals(t.Context(), store.TotalOrders, store.DateRange{From: before.Day, To: before.Day})
			if err != nil || len(days) != 1 || days[0].Count != want.Count || days[0].Amount.Compare(want.Amount) != 0 {
				t.Fatalf("%+v: got %+v, %v; want %+v", before, days, err, want)
			}
		}
		if counted < 20 || refused < 20 {
			t.Errorf("got %d counted and %d rejected, want many of each", counted, refused)
		}
	})
}
