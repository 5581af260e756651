package jobs_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func TestPaymentsAreTakenOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		all := many(60)
		load(t, s, all...)
		b := newBank(t, 0)
		r := runner(t, s, teller{b.URL}, &post{})
		first := run(t, r, store.PaymentsJob, due)
		again := run(t, r, store.PaymentsJob, due)
		if first.Done != len(all) || first.Failed+first.Declined+first.Held > 0 || again != first {
			t.Errorf("the first run: %+v, the second %+v", first, again)
		}
		wantPaid(t, s, b, all)
		// A runner that lost its shard comes too late with a failure.
		paid := results(t, s, store.PaymentsJob, due, false)[0]
		late := store.Doing{Job: store.PaymentsJob, Date: due, Shard: paid.Shard}
		is := one(t, s, &store.Subscription{AccountID: paid.AccountID, ID: paid.SubscriptionID, SKU: paid.SKU})
		if err := s.RecordFailure(t.Context(), &is, store.OutcomeFailed, "no line", late); err != nil {
			t.Fatal(err)
		}
		if failures := results(t, s, store.PaymentsJob, due, true); len(failures) != 0 {
			t.Errorf("what was paid is noted as %+v", failures)
		}
	})
}

// TestRehearsalIsWhatTheRunDoes rehearses a day on which some are paused, some
// were asked for before, at another price, some are of another day, and some
// are going to be declined: the run asks for what was listed, and nothing else.
func TestRehearsalIsWhatTheRunDoes(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(300)
		for n, sub := range all {
			asked := func(ago time.Duration) store.Asked {
				return store.Asked{Key: sub.AttemptKey(), Amount: amount("3.21"), At: clock.Now().Add(-ago)}
			}
			switch n % 10 {
			case 3:
				sub.Status = store.SubscriptionPaused
			case 4:
				sub.NextAttemptDate = due.AddDate(0, 0, 1)
			case 5:
				sub.Asked = asked(time.Hour)
			case 6:
				sub.Asked = asked(30 * time.Hour)
			case 7:
				sub.Status, sub.Attempt, sub.NextPaymentDate = store.SubscriptionPastDue, 1, due.AddDate(0, 0, -1)
			}
		}
		load(t, s, all...)
		b := newBank(t, 0)
		b.decline = func(key string) bool { return strings.Contains(key, "8/") }
		r := runner(t, s, teller{b.URL}, &post{})
		planned := map[string]int{}
		rehearsal := store.Each(func(p store.Page) (store.List[store.Planned], error) {
			return s.As(admin).Rehearse(t.Context(), store.PaymentsJob, due, p)
		})
		for p, err := range rehearsal {
			if err != nil {
				t.Fatal(err)
			}
			planned[p.ID+" "+p.Asking().String()]++
		}
		if b.requests() != 0 || len(receipts(t, s, "a00000")) != 0 {
			t.Fatal("the rehearsal took payments")
		}
		run(t, r, store.PaymentsJob, due)
		did, outcomes := map[string]int{}, map[store.JobOutcome]int{}
		done := store.Each(func(p store.Page) (store.List[store.JobResult], error) {
			runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
			if err != nil {
				return store.List[store.JobResult]{}, err
			}
			return s.As(admin).JobResults(t.Context(), runs, false, p)
		})
		for result, err := range done {
			if err != nil {
				t.Fatal(err)
			}
			did[result.SubscriptionID+" "+result.Amount.String()]++
			outcomes[result.Outcome]++
		}
		if len(planned) != 240 || !maps.Equal(planned, did) {
			t.Errorf("%d planned: %v\n%d done: %v", len(planned), planned, len(did), did)
		}
		if outcomes[store.OutcomePaid] != 210 || outcomes[store.OutcomeDeclined] != 30 {
			t.Errorf("outcomes %v", outcomes)
		}
	})
}

// TestDeclinedPaymentsAreTriedAgain follows one subscription through all of
// its attempts, and another that is paid at the second.
func TestDeclinedPaymentsAreTriedAgain(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		never, later := subscription(1), subscription(2)
		load(t, s, never, later)
		b := newBank(t, 0)
		b.decline = func(key string) bool {
			return strings.Contains(key, never.ID) || strings.HasSuffix(key, "/1")
		}
		r := runner(t, s, teller{b.URL}, &post{})
		day := due
		for i, want := range []struct {
			status store.SubscriptionStatus
			next   int // days after the due day
		}{{store.SubscriptionPastDue, 1}, {store.SubscriptionPastDue, 3}, {store.SubscriptionPastDue, 7}, {store.SubscriptionPaused, 7}} {
			run(t, r, store.PaymentsJob, day)
			is := one(t, s, never)
			if is.Status != want.status || is.Attempt != i+1 || !is.NextAttemptDate.Equal(due.AddDate(0, 0, want.next)) || !is.NextPaymentDate.Equal(due) {
				t.Fatalf("after attempt %d: %+v", i+1, is)
			}
			clock.Advance(is.NextAttemptDate.Sub(day))
			day = is.NextAttemptDate
		}
		want := []string{"payment declined", "payment declined", "payment declined", "payment declined, subscription paused"}
		if got := events(t, s, never.AccountID); !slices.Equal(got, want) {
			t.Errorf("events %v", got)
		}
		if is := one(t, s, later); is.Status != store.SubscriptionActive || is.Attempt != 0 || len(receipts(t, s, later.AccountID)) != 1 {
			t.Errorf("%+v", is)
		}
		failures := results(t, s, store.PaymentsJob, due, true)
		if len(failures) != 2 || failures[0].Outcome != store.OutcomeDeclined || failures[0].Why != "insufficient funds" {
			t.Errorf("failures %+v", failures)
		}
	})
}

// TestUnknownOutcomesAreLookedUp asks for a payment whose answer is lost, goes
// on a day later, and never asks twice.
func TestUnknownOutcomesAreLookedUp(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		taken, never, gone := subscription(1), subscription(2), subscription(3)
		for _, sub := range []*store.Subscription{taken, never, gone} {
			sub.Asked = store.Asked{Key: sub.AttemptKey(), Amount: sub.PaymentAmount, At: clock.Now().Add(-25 * time.Hour)}
		}
		gone.Status = store.SubscriptionCancelled
		load(t, s, taken, never, gone)
		b := newBank(t, 0)
		b.taken[taken.Asked.Key] = 1
		r := runner(t, s, teller{b.URL}, &post{})
		run(t, r, store.PaymentsJob, due)
		for _, sub := range []*store.Subscription{taken, never} {
			if got := receipts(t, s, sub.AccountID); len(got) != 1 || one(t, s, sub).Asked != (store.Asked{}) {
				t.Errorf("%s: %+v", sub.ID, got)
			}
		}
		if got := events(t, s, gone.AccountID); !slices.Equal(got, []string{"payment dropped"}) || len(receipts(t, s, gone.AccountID)) != 0 {
			t.Errorf("the cancelled one: %v", got)
		}
		if len(b.taken) != 2 {
			t.Errorf("the bank took %v", b.taken)
		}
	})
}

// TestChangesWhileTheProcessorIsAsked cancels one subscription and raises the
// price of another between the attempt and its answer.
func TestChangesWhileTheProcessorIsAsked(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ended, dearer := subscription(1), subscription(2)
		load(t, s, ended, dearer)
		b := newBank(t, 0)
		b.decline = func(key string) bool {
			shop := s.As(admin)
			for _, sub := range []*store.Subscription{ended, dearer} {
				if !strings.Contains(key, sub.ID) {
					continue
				}
				is := one(t, s, sub)
				f := store.SubscriptionForm{AccountID: is.AccountID, ID: is.ID, SKU: is.SKU, Seen: is.Version, Once: s.NewToken()}
				change := func() error { return shop.ChangeSubscription(t.Context(), f, 5, amount("99")) }
				if sub == ended {
					change = func() error { return shop.CancelSubscription(t.Context(), f, "moved") }
				}
				if err := change(); err != nil {
					t.Error(err)
				}
			}
			return false
		}
		run(t, runner(t, s, teller{b.URL}, &post{}), store.PaymentsJob, due)
		if is := one(t, s, ended); is.Status != store.SubscriptionCancelled || len(receipts(t, s, ended.AccountID)) != 1 || is.Asked != (store.Asked{}) {
			t.Errorf("cancelled: %+v", is)
		}
		is, got := one(t, s, dearer), receipts(t, s, dearer.AccountID)
		if want := time.Date(2026, time.December, 5, 0, 0, 0, 0, time.UTC); !is.NextPaymentDate.Equal(want) || is.PaymentAmount.Compare(amount("99")) != 0 || got[0].ProcessedAmount.Compare(dearer.PaymentAmount) != 0 {
			t.Errorf("changed: %+v, %+v", is, got)
		}
	})
}

func TestRetry(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		open, fine := subscription(1), subscription(2)
		open.Status, open.Attempt, open.NextAttemptDate = store.SubscriptionPastDue, 2, due.AddDate(0, 0, 3)
		load(t, s, open, fine)
		b := newBank(t, 0)
		r := runner(t, s, teller{b.URL}, &post{})
		support := s.As(&store.User{Name: "kim", Role: store.Support})
		form := func(sub *store.Subscription) store.SubscriptionForm {
			return store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Seen: 1, Once: s.NewToken()}
		}
		f := form(open)
		for range 2 { // the same form, sent twice
			if _, err := r.Retry(t.Context(), support, f); err != nil {
				t.Error(err)
			}
		}
		if is := one(t, s, open); is.Status != store.SubscriptionActive || len(receipts(t, s, open.AccountID)) != 1 || len(b.taken) != 1 {
			t.Errorf("%+v", is)
		}
		if _, err := r.Retry(t.Context(), support, form(fine)); store.KindOf(err) != store.Conflict {
			t.Errorf("what is not open: %v", err)
		}
		if _, err := r.Retry(t.Context(), s.As(&store.User{Role: store.Manager}), form(fine)); store.KindOf(err) != store.Forbidden {
			t.Errorf("a manager: %v", err)
		}
	})
}

func TestNoRunForADayToCome(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, err := runner(t, s, jobs.Record{}, &post{}).Run(t.Context(), jobs.Order{Job: store.PaymentsJob, Date: due.AddDate(0, 0, 1)})
	if store.KindOf(err) != store.Invalid {
		t.Errorf("tomorrow's run: %v", err)
	}
}
