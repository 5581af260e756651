package jobs_test

import (
	"context"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// chargeUntotalled charges payments, but does not add them to the totals, like runs that
// are killed before they do so.
func chargeUntotalled(t *testing.T, s *store.Store, shards int, all []*store.Subscription) {
	t.Helper()
	for _, sub := range all {
		shard, err := strconv.Atoi(key.Shard(sub.ID, shards))
		if err != nil {
			t.Fatal(err)
		}
		charging := store.RunContext{Job: store.PaymentsJob, Date: due, Shard: shard}
		attempted, err := s.RecordAttempt(t.Context(), sub, store.ServiceRecord, charging)
		if err != nil {
			t.Fatal(err)
		}
		if paid, err := s.RecordPayment(t.Context(), attempted, "", charging); err != nil || !paid {
			t.Fatal(paid, err)
		}
	}
}

// wantTotals fails the test unless the total of payments and the total of the next due
// payments both have this count. CheckTotals must find no difference.
func wantTotals(t *testing.T, s *store.Store, count int) {
	t.Helper()
	for kind, day := range map[store.TotalKind]time.Time{store.TotalPayments: due, store.TotalDue: due.AddDate(0, 1, 0)} {
		totals, err := s.As(admin).Totals(t.Context(), kind, store.DateRange{From: day, To: day})
		got := 0
		for _, total := range totals {
			got += total.Count
		}
		if err != nil || got != count {
			t.Errorf("got %d in the total of %s, %v; want %d", got, kind, err, count)
		}
	}
	result, err := s.CheckTotals(t.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) { t.Error(d) }})
	if err != nil || result.Different > 0 || result.Changing > 0 {
		t.Errorf("got %+v, %v; want no difference", result, err)
	}
}

// wantJobTotals fails the test unless the table has JobTotals, which contain payments that
// are not yet in the totals. If want is false, the table must have none.
func wantJobTotals(t *testing.T, s *store.Store, want bool) {
	t.Helper()
	var found atomic.Bool // several goroutines read the table
	err := s.Everything(t.Context(), func(page []store.Item) error {
		for _, item := range page {
			e, err := store.Decode(item)
			if _, ok := e.(*store.JobTotal); ok {
				found.Store(true)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || found.Load() != want {
		t.Errorf("got JobTotals %t, %v; want %t", found.Load(), err, want)
	}
}

// TestJobTotals_AddedOnce charges payments while several servers add the payments to the
// totals. Each payment must be counted once.
func TestJobTotals_AddedOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		setShards(t, s, 3)
		all := many(60)
		load(t, s, all...)
		chargeUntotalled(t, s, 3, all[:30])
		wantJobTotals(t, s, true)
		wantTotals(t, s, 0) // CheckTotals finds no difference, although the payments are not yet in the totals
		charging, stop := context.WithCancel(t.Context())
		var servers sync.WaitGroup
		defer servers.Wait()
		defer stop() // ends the goroutines even if the test fails
		for range 3 {
			servers.Go(func() {
				for shard := 0; charging.Err() == nil; shard = (shard + 1) % 3 {
					if err := s.AddJobTotals(t.Context(), shard); err != nil && store.KindOf(err) != store.Conflict {
						t.Error(err)
					}
				}
			})
		}
		chargeUntotalled(t, s, 3, all[30:])
		stop()
		servers.Wait()
		if report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due); report.Done != len(all) {
			t.Errorf("got %+v, want %d done", report, len(all))
		}
		wantCounts(t, s, store.PaymentsJob, due, len(all))
		wantTotals(t, s, len(all))
		wantJobTotals(t, s, false)
	})
}

// TestJobTotals_KeepPaymentDay charges payments on the last day of November. The payments
// after these are expected on their payment days, and CheckTotals must find no difference.
func TestJobTotals_KeepPaymentDay(t *testing.T) {
	for _, shards := range []int{1, 3} {
		t.Run(strconv.Itoa(shards), func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
				setShards(t, s, shards)
				clock.Advance(9 * 24 * time.Hour)
				last := due.AddDate(0, 0, 9)
				all := many(8)
				for i, sub := range all {
					sub.PaymentDay, sub.NextPaymentDate, sub.NextAttemptDate, sub.NextReminderDate = 30+i%2, last, last, last.AddDate(0, 0, 23)
				}
				load(t, s, all...)
				if report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, last); report.Done != len(all) {
					t.Errorf("got %+v, want %d done", report, len(all))
				}
				wantJobTotals(t, s, false)
				wantExpected(t, s, map[string]int{"2026-12-30": 4, "2026-12-31": 4, "2027-01-30": 4, "2027-01-31": 4, "2027-02-28": 8, "2027-03-30": 4, "2027-03-31": 4})
				for days := 1; days <= 62; days++ {
					clock.Advance(24 * time.Hour)
					run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, last.AddDate(0, 0, days))
				}
				if result, err := s.CheckTotals(t.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) { t.Error(d) }}); err != nil || result.Different > 0 {
					t.Errorf("got %+v, %v; want no differences", result, err)
				}
				wantExpected(t, s, map[string]int{"2027-02-28": 8, "2027-03-30": 4, "2027-03-31": 4})
			})
		})
	}
}

// wantExpected fails the test unless these are the numbers of expected payments by day, up
// to the end of March.
func wantExpected(t *testing.T, s *store.Store, want map[string]int) {
	t.Helper()
	expected, err := s.As(admin).Expected(t.Context(), store.DateRange{From: due, To: time.Date(2027, time.March, 31, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, total := range expected {
		if total.Count != 0 {
			got[total.Day.Format(time.DateOnly)] += total.Count
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got expected payments %v, want %v", got, want)
	}
}

// TestJobTotals_AddedDaily checks that TickTotals adds the payments of a killed run to the
// totals, from one to 34 days after the run. Some of these days are at the start of a
// month.
func TestJobTotals_AddedDaily(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		setShards(t, s, 3)
		all := many(34)
		load(t, s, all...)
		r := runner(t, s, jobs.Record{}, &mailbox{})
		for days := 1; days <= len(all); days++ {
			chargeUntotalled(t, s, 3, all[days-1:days])
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			if err := r.TickTotals(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantJobTotals(t, s, false)
		}
		if result, err := s.CheckTotals(t.Context(), store.TotalsCheck{}); err != nil || result.Different > 0 {
			t.Errorf("got %+v, %v; want no differences", result, err)
		}
	})
}

// TestJobTotals_TooOld rebuilds the totals when no server has run for two months, and then
// removes shards. The payments must be counted only once.
func TestJobTotals_TooOld(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		setShards(t, s, 3)
		all := many(20)
		load(t, s, all...)
		chargeUntotalled(t, s, 3, all)
		clock.Advance(70 * 24 * time.Hour)
		if result, err := s.CheckTotals(t.Context(), store.TotalsCheck{Rebuild: true}); err != nil || result.Rebuilt == 0 || result.Changing > 0 {
			t.Errorf("got %+v, %v; want rebuilt totals", result, err)
		}
		wantTotals(t, s, len(all))
		if _, err := s.Reshard(t.Context(), 1, store.Resharding{Wait: func(context.Context, time.Duration) error { return nil }}); err != nil {
			t.Fatal(err)
		}
		wantTotals(t, s, len(all))
	})
}

// TestJobTotals_RemovedShards removes shards with payments that are not yet in the totals.
// The payments must be counted once.
func TestJobTotals_RemovedShards(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		setShards(t, s, 5)
		all := many(40)
		load(t, s, all...)
		chargeUntotalled(t, s, 5, all)
		if _, err := s.Reshard(t.Context(), 2, store.Resharding{Wait: func(context.Context, time.Duration) error { return nil }}); err != nil {
			t.Fatal(err)
		}
		for shard := range 2 {
			if err := s.AddJobTotals(t.Context(), shard); err != nil {
				t.Fatal(err)
			}
		}
		wantTotals(t, s, len(all))
		wantJobTotals(t, s, false)
	})
}

// TestJobTotals_Rebuilt rebuilds totals that lack some subscriptions, while payments of the
// others are not yet in the totals. The totals must then be correct.
func TestJobTotals_Rebuilt(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		setShards(t, s, 3)
		all := many(20)
		load(t, s, all[:15]...)
		for _, uncounted := range all[15:] {
			if _, err := s.Load(t.Context(), []store.Entity{uncounted}, store.LoadOptions{TotalsIncluded: true}); err != nil {
				t.Fatal(err)
			}
		}
		chargeUntotalled(t, s, 3, all[:15])
		result, err := s.CheckTotals(t.Context(), store.TotalsCheck{Rebuild: true})
		if err != nil || result.Rebuilt == 0 || result.Changing > 0 {
			t.Errorf("got %+v, %v; want rebuilt totals", result, err)
		}
		chargeUntotalled(t, s, 3, all[15:])
		run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due)
		wantTotals(t, s, len(all))
	})
}

// TestJobTotals_UnusualPayments charges payments whose sums a JobTotal cannot contain,
// because the price changed during the charge, or because the payment failed before. The
// transactions of these payments must change the totals themselves.
func TestJobTotals_UnusualPayments(t *testing.T) {
	charging := store.RunContext{Job: store.PaymentsJob, Date: due}
	tests := map[string]func(*testing.T, *store.Store, *store.Subscription){
		"price changed": func(t *testing.T, s *store.Store, attempted *store.Subscription) {
			f := store.SubscriptionForm{AccountID: attempted.AccountID, ID: attempted.ID, SKU: attempted.SKU, Version: attempted.Version, Token: s.NewToken()}
			if err := s.As(admin).ChangeSubscription(t.Context(), f, attempted.PaymentDay, amount("77.00")); err != nil {
				t.Fatal(err)
			}
		},
		"failed before": func(t *testing.T, s *store.Store, attempted *store.Subscription) {
			if err := s.RecordFailure(t.Context(), attempted, store.OutcomeUnknown, "timed out", charging); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
				setShards(t, s, 1)
				sub := subscription(1)
				load(t, s, sub)
				attempted, err := s.RecordAttempt(t.Context(), sub, store.ServiceRecord, charging)
				if err != nil {
					t.Fatal(err)
				}
				change(t, s, attempted)
				if paid, err := s.RecordPayment(t.Context(), attempted, "", charging); err != nil || !paid {
					t.Fatal(paid, err)
				}
				wantJobTotals(t, s, false)
				wantTotals(t, s, 1)
				if report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due); report.JobCounts != (store.JobCounts{Done: 1, Amount: report.Amount}) {
					t.Errorf("got %+v, want 1 done", report)
				}
			})
		})
	}
}
