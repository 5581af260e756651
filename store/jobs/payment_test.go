package jobs_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func TestRun_ChargesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		all := many(60)
		load(t, s, all...)
		b := newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		first := run(t, r, store.PaymentsJob, due)
		second := run(t, r, store.PaymentsJob, due)
		if first.Done != len(all) || first.Failed+first.Declined+first.Held > 0 || !reflect.DeepEqual(second.JobCounts, first.JobCounts) || second.Before.Done != len(all) {
			t.Errorf("got %+v, then %+v; want the same report twice, with all payments done", first, second)
		}
		wantPaid(t, s, b, all)
		// A runner that has lost its shard records a failure too late. This must not
		// replace the recorded payment.
		paid := results(t, s, store.PaymentsJob, due, false)[0]
		lost := store.RunContext{Job: store.PaymentsJob, Date: due, Shard: paid.Shard}
		sub := get(t, s, &store.Subscription{AccountID: paid.AccountID, ID: paid.SubscriptionID, SKU: paid.SKU})
		receipts, err := s.As(admin).ReceiptsOfAccount(t.Context(), sub.AccountID, store.Page{})
		if err != nil || paid.PlanName != sub.PlanName || receipts.Rows[0].PlanName != sub.PlanName {
			t.Errorf("got result %+v and receipts %+v, %v; want the plan %s", paid, receipts.Rows, err, sub.PlanName)
		}
		if err := s.RecordFailure(t.Context(), &sub, store.OutcomeFailed, "timed out", lost); err != nil {
			t.Fatal(err)
		}
		if failures := results(t, s, store.PaymentsJob, due, true); len(failures) != 0 {
			t.Errorf("got failures %+v, want none", failures)
		}
	})
}

// TestDryRun_ListsWhatRunDoes compares a dry run with the run of the same day. Some of the
// subscriptions are paused, past due or due later, or have a pending attempt. Some payments
// are declined.
func TestDryRun_ListsWhatRunDoes(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(300)
		for n, sub := range all {
			attempted := func(ago time.Duration) store.PaymentAttempt {
				return store.PaymentAttempt{Key: sub.AttemptKey(), Amount: amount("3.21"), At: clock.Now().Add(-ago)}
			}
			switch n % 10 {
			case 3:
				sub.Status = store.SubscriptionPaused
			case 4:
				sub.NextAttemptDate = due.AddDate(0, 0, 1)
			case 5:
				sub.PendingAttempt = attempted(time.Hour)
			case 6:
				sub.PendingAttempt = attempted(30 * time.Hour)
			case 7:
				sub.Status, sub.Attempt, sub.NextPaymentDate = store.SubscriptionPastDue, 1, due.AddDate(0, 0, -1)
			}
		}
		load(t, s, all...)
		b := newBank(t, 0)
		b.decline = func(key string) bool { return strings.Contains(key, "8#") }
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		planned := map[string]int{}
		dryRun := store.Each(func(p store.Page) (store.List[store.PlannedStep], error) {
			return s.As(admin).DryRun(t.Context(), store.PaymentsJob, due, p)
		})
		for p, err := range dryRun {
			if err != nil {
				t.Fatal(err)
			}
			charged := p.ChargeAmount()
			if p.Step == store.StepLookUp {
				charged = p.PaymentAmount // the bank has no charge, so the run makes a new attempt with the current price
			}
			planned[p.ID+" "+charged.String()]++
		}
		if totals, err := s.As(admin).DryRunTotals(t.Context(), store.PaymentsJob, due); err != nil || totals.Complete || totals.Due.Count != 240 {
			t.Errorf("got totals %+v, %v; want incomplete totals with 240 payments due", totals, err)
		}
		if b.requests() != 0 || len(receipts(t, s, "a00000")) != 0 {
			t.Fatal("the dry run charged payments, want none")
		}
		run(t, r, store.PaymentsJob, due)
		done, outcomes := map[string]int{}, map[store.JobOutcome]int{}
		jobResults := store.Each(func(p store.Page) (store.List[store.JobResult], error) {
			runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
			if err != nil {
				return store.List[store.JobResult]{}, err
			}
			return s.As(admin).JobResults(t.Context(), runs, false, p)
		})
		for result, err := range jobResults {
			if err != nil {
				t.Fatal(err)
			}
			done[result.SubscriptionID+" "+result.Amount.String()]++
			outcomes[result.Outcome]++
		}
		if len(planned) != 240 || !maps.Equal(planned, done) {
			t.Errorf("got %d planned steps: %v\n%d results: %v\nwant 240 of each and no difference", len(planned), planned, len(done), done)
		}
		if outcomes[store.OutcomePaid] != 210 || outcomes[store.OutcomeDeclined] != 30 {
			t.Errorf("got outcomes %v, want 210 paid and 30 declined", outcomes)
		}
	})
}

// TestDryRunTotals_CountSteps checks the totals of a dry run for a day with 20 payments.
func TestDryRunTotals_CountSteps(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(20)
		for n, ago := range []time.Duration{time.Hour, 30 * time.Hour} { // the first attempt must be repeated, and the second one looked up
			all[n].PendingAttempt = store.PaymentAttempt{Key: all[n].AttemptKey(), Amount: amount("3.21"), At: clock.Now().Add(-ago)}
		}
		load(t, s, all...)
		got, err := s.As(admin).DryRunTotals(t.Context(), store.PaymentsJob, due)
		sum := amount("3.21").Sum()
		for _, sub := range all[2:] {
			sum = sum.Plus(sub.PaymentAmount.Sum())
		}
		want := map[store.Step]int{store.StepTake: 18, store.StepRepeat: 1, store.StepLookUp: 1}
		if err != nil || !got.Complete || !maps.Equal(got.Steps, want) || got.Amount.String() != sum.String() {
			t.Errorf("got %+v of %s, %v; want %v of %s", got, got.Amount, err, want, sum)
		}
	})
}

// TestRun_RetriesDeclinedPayments checks the retries of two subscriptions. All attempts of
// the first one are declined. Only the first attempt of the second one is declined.
func TestRun_RetriesDeclinedPayments(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		never, later := subscription(1), subscription(2)
		load(t, s, never, later)
		b := newBank(t, 0)
		b.decline = func(key string) bool {
			return strings.Contains(key, never.ID) || strings.HasSuffix(key, "#1")
		}
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		day := due
		for i, want := range []struct {
			status store.SubscriptionStatus
			next   int // day of the next attempt, counted from the due day
		}{{store.SubscriptionPastDue, 1}, {store.SubscriptionPastDue, 3}, {store.SubscriptionPastDue, 7}, {store.SubscriptionPaused, 7}} {
			run(t, r, store.PaymentsJob, day)
			after := get(t, s, never)
			if after.Status != want.status || after.Attempt != i+1 || !after.NextAttemptDate.Equal(due.AddDate(0, 0, want.next)) || !after.NextPaymentDate.Equal(due) {
				t.Fatalf("after attempt %d: got %+v, want status %s and the next attempt %d days after the due day", i+1, after, want.status, want.next)
			}
			clock.Advance(after.NextAttemptDate.Sub(day))
			day = after.NextAttemptDate
		}
		want := []store.EventCode{store.EventPaymentDeclined, store.EventPaymentDeclined, store.EventPaymentDeclined, store.EventPaymentPaused}
		if got := events(t, s, never.AccountID); !slices.Equal(got, want) {
			t.Errorf("got events %v, want %v", got, want)
		}
		if got, want := events(t, s, later.AccountID), []store.EventCode{store.EventPaymentDeclined, store.EventPaymentTaken}; !slices.Equal(got, want) {
			t.Errorf("got events %v of the successful retry, want %v", got, want)
		}
		if after := get(t, s, later); after.Status != store.SubscriptionActive || after.Attempt != 0 || len(receipts(t, s, later.AccountID)) != 1 {
			t.Errorf("got the subscription %+v, want it active with one receipt", after)
		}
		failures := results(t, s, store.PaymentsJob, due, true)
		if len(failures) != 2 || failures[0].Outcome != store.OutcomeDeclined || failures[0].Why != "insufficient funds" {
			t.Errorf("got failures %+v, want 2, the first declined for insufficient funds", failures)
		}
	})
}

// TestRun_LooksUpUnknownOutcomes runs a day with three attempts from the day before. The
// first was charged, the second never reached the processor, and the third belongs to a
// cancelled subscription. The run must store a receipt for the first, charge the second,
// and drop the attempt of the third.
func TestRun_LooksUpUnknownOutcomes(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		charged, missing, cancelled := subscription(1), subscription(2), subscription(3)
		for _, sub := range []*store.Subscription{charged, missing, cancelled} {
			sub.PendingAttempt = store.PaymentAttempt{Key: sub.AttemptKey(), Amount: sub.PaymentAmount, At: clock.Now().Add(-25 * time.Hour)}
		}
		cancelled.Status = store.SubscriptionCancelled
		load(t, s, charged, missing, cancelled)
		b := newBank(t, 0)
		b.charges[charged.PendingAttempt.Key] = 1
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		run(t, r, store.PaymentsJob, due)
		for _, sub := range []*store.Subscription{charged, missing} {
			if got := receipts(t, s, sub.AccountID); len(got) != 1 || get(t, s, sub).PendingAttempt != (store.PaymentAttempt{}) {
				t.Errorf("%s: got receipts %+v, want 1", sub.ID, got)
			}
		}
		if got := events(t, s, cancelled.AccountID); !slices.Equal(got, []store.EventCode{store.EventPaymentDropped}) || len(receipts(t, s, cancelled.AccountID)) != 0 {
			t.Errorf("cancelled: got events %v, want only a dropped attempt", got)
		}
		if len(b.charges) != 2 {
			t.Errorf("got charges %v, want 2", b.charges)
		}
	})
}

// TestRun_SubscriptionChangesDuringCharge changes two subscriptions while their payments
// are charged. One is cancelled, and the other one gets another price. Both changes must be
// kept.
func TestRun_SubscriptionChangesDuringCharge(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		cancelled, repriced := subscription(1), subscription(2)
		load(t, s, cancelled, repriced)
		b := newBank(t, 0)
		b.decline = func(key string) bool {
			shop := s.As(admin)
			for _, sub := range []*store.Subscription{cancelled, repriced} {
				if !strings.Contains(key, sub.ID) {
					continue
				}
				after := get(t, s, sub)
				f := store.SubscriptionForm{AccountID: after.AccountID, ID: after.ID, SKU: after.SKU, Version: after.Version, Token: s.NewToken()}
				change := func() error { return shop.ChangeSubscription(t.Context(), f, 5, amount("99")) }
				if sub == cancelled {
					change = func() error { return shop.CancelSubscription(t.Context(), f, "moved") }
				}
				if err := change(); err != nil {
					t.Error(err)
				}
			}
			return false
		}
		run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if after := get(t, s, cancelled); after.Status != store.SubscriptionCancelled || len(receipts(t, s, cancelled.AccountID)) != 1 || after.PendingAttempt != (store.PaymentAttempt{}) {
			t.Errorf("cancelled: got the subscription %+v, want it cancelled with one receipt and no pending attempt", after)
		}
		after, got := get(t, s, repriced), receipts(t, s, repriced.AccountID)
		if want := time.Date(2026, time.December, 5, 0, 0, 0, 0, time.UTC); !after.NextPaymentDate.Equal(want) || after.PaymentAmount.Compare(amount("99")) != 0 || got[0].ProcessedAmount.Compare(repriced.PaymentAmount) != 0 {
			t.Errorf("repriced: got %+v with receipts %+v, want the next payment on 5 December at the new price", after, got)
		}
	})
}

func TestRetry_ChargesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		open, fine := subscription(1), subscription(2)
		open.Status, open.Attempt, open.NextAttemptDate = store.SubscriptionPastDue, 2, due.AddDate(0, 0, 3)
		load(t, s, open, fine)
		b := newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		support := &store.User{Name: "kim", Role: store.Support}
		form := func(sub *store.Subscription) store.SubscriptionForm {
			return store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: 1, Token: s.NewToken()}
		}
		f := form(open)
		for range 2 {
			if _, err := r.Retry(t.Context(), support, f); err != nil {
				t.Error(err)
			}
		}
		if after := get(t, s, open); after.Status != store.SubscriptionActive || len(receipts(t, s, open.AccountID)) != 1 || len(b.charges) != 1 {
			t.Errorf("got the subscription %+v, want it active with one receipt and one charge", after)
		}
		if _, err := r.Retry(t.Context(), support, form(fine)); store.KindOf(err) != store.Conflict {
			t.Errorf("no open payment: got %v, want Conflict", err)
		}
		if _, err := r.Retry(t.Context(), &store.User{Role: store.Manager}, form(fine)); store.KindOf(err) != store.Forbidden {
			t.Errorf("manager: got %v, want Forbidden", err)
		}
	})
}

func TestRun_RejectsFutureDay(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, err := runner(t, s, jobs.Record{}, &mailbox{}).Run(t.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due.AddDate(0, 0, 1)})
	if store.KindOf(err) != store.Invalid {
		t.Errorf("tomorrow: got %v, want Invalid", err)
	}
}
