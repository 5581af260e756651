package jobs_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

var explained = flag.Int("explained", 60, "number of subscriptions in TestWhyCharged_AgreesWithRuns")

// TestWhyCharged_AgreesWithRuns runs the payments of 60 days for random subscriptions. Some
// payments are declined. The answers about a day, both before its run and after all runs,
// must agree with the run of the day. For subscriptions without declined payments, the
// answers that were given before the first run must also agree with all runs.
func TestWhyCharged_AgreesWithRuns(t *testing.T) {
	const days = 60
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	random := rand.New(rand.NewPCG(1, 2))
	subs := randomSubscriptions(random, *explained)
	load(t, s, subs...)
	b := newBank(t, 0)
	b.decline = func(key string) bool {
		h := fnv.New32a()
		fmt.Fprint(h, key)
		return h.Sum32()%5 == 0
	}
	r := runner(t, s, bankClient{b.URL}, &mailbox{})
	first := dayOf(clock)
	planned := map[string]bool{} // answers on the first day about all days, by subscription and day
	for _, sub := range subs {
		for d := range days {
			planned[sub.ID+first.AddDate(0, 0, d).String()] = why(t, s, sub, first.AddDate(0, 0, d)).Charges
		}
	}
	done := map[string]store.JobOutcome{}
	declined := map[string]bool{}
	for d := range days {
		day := first.AddDate(0, 0, d)
		today := map[string]store.ChargeAnswer{}
		for _, sub := range subs {
			today[sub.ID] = why(t, s, sub, day)
		}
		run(t, r, store.PaymentsJob, day)
		for _, result := range allResults(t, s, day) {
			done[result.SubscriptionID+day.String()] = result.Outcome
			declined[result.SubscriptionID] = declined[result.SubscriptionID] || result.Outcome == store.OutcomeDeclined
		}
		for _, sub := range subs {
			outcome := done[sub.ID+day.String()]
			if attempted := outcome != "" && outcome != store.OutcomeSkipped; attempted != today[sub.ID].Charges {
				t.Fatalf("%s on %s: got the answer %+v, want that of the run, %q", sub.ID, day, today[sub.ID], outcome)
			}
		}
		clock.Advance(24 * time.Hour)
	}
	compared := 0
	for _, sub := range subs {
		for d := range days {
			day := first.AddDate(0, 0, d)
			outcome := done[sub.ID+day.String()]
			a := why(t, s, sub, day)
			if got := a.Result; (got == nil) != (outcome == "") || got != nil && (got.Outcome != outcome || a.Charges != (outcome == store.OutcomePaid)) {
				t.Fatalf("%s on %s: got the answer %+v, want that of the run, %q", sub.ID, day, a, outcome)
			}
			if !declined[sub.ID] {
				compared++
				if planned[sub.ID+day.String()] != (outcome == store.OutcomePaid) {
					t.Fatalf("%s on %s: got the answer %t on the first day, want that of the run, %q", sub.ID, day, planned[sub.ID+day.String()], outcome)
				}
			}
		}
	}
	if compared == 0 || len(done) == 0 {
		t.Error("got nothing to compare, want some answers")
	}
}

// TestWhyCharged_FromReceipt deletes the result of a payment, as its TTL would. The answer
// must then come from the receipt, and say that the subscription was charged on the day.
func TestWhyCharged_FromReceipt(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(db, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub := subscription(1)
		load(t, s, sub)
		run(t, runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{}), store.PaymentsJob, due)
		deleteItem(t, db, name,
			"jobResult#payments#"+due.Format(time.DateOnly)+"#"+strconv.Itoa(shardOf(t, s, sub)),
			"ACC#"+sub.AccountID+"#SUB#"+sub.ID+"#SKU#"+sub.SKU)
		clock.Advance(100 * 24 * time.Hour)
		if got := why(t, s, sub, due); got.Reason != store.ReasonPaid || !got.Charges || got.Amount != sub.PaymentAmount || !got.Due.Equal(due) {
			t.Errorf("got %+v, want the payment of the receipt", got)
		}
		if got := why(t, s, sub, due.AddDate(0, 0, 1)); got.Reason != store.ReasonTooOld || got.Charges {
			t.Errorf("on the next day: got %+v, want %s", got, store.ReasonTooOld)
		}
	})
}

// TestWhyCharged_FromReceiptOfLateCharge charges a payment two days after its due day.
// After the results have expired, the answers about both days must come from the receipt.
func TestWhyCharged_FromReceiptOfLateCharge(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(db, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub := subscription(1)
		sub.NextPaymentDate, sub.NextAttemptDate = due.AddDate(0, 0, -2), due
		sub.PaymentDay = sub.NextPaymentDate.Day()
		load(t, s, sub)
		run(t, runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{}), store.PaymentsJob, due)
		deleteItem(t, db, name,
			"jobResult#payments#"+due.Format(time.DateOnly)+"#"+strconv.Itoa(shardOf(t, s, sub)),
			"ACC#"+sub.AccountID+"#SUB#"+sub.ID+"#SKU#"+sub.SKU)
		clock.Advance(100 * 24 * time.Hour)
		if got := why(t, s, sub, sub.NextPaymentDate); got.Reason != store.ReasonOtherDay || got.Charges || got.Amount != sub.PaymentAmount || !got.Charged.Equal(due) {
			t.Errorf("due day: got %+v, want the payment charged on %s", got, due)
		}
		if got := why(t, s, sub, due); got.Reason != store.ReasonPaid || !got.Charges || got.Amount != sub.PaymentAmount || !got.Due.Equal(sub.NextPaymentDate) {
			t.Errorf("day of the charge: got %+v, want the payment due on %s", got, sub.NextPaymentDate)
		}
	})
}

// TestWhyCharged_DueDayOfRetry declines a payment, and takes it when it is retried. The
// answers about both days must name the day on which the payment was due.
func TestWhyCharged_DueDayOfRetry(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	sub := subscription(1)
	load(t, s, sub)
	b := newBank(t, 0)
	declines := true
	b.decline = func(string) bool { return declines }
	r := runner(t, s, bankClient{b.URL}, &mailbox{})
	run(t, r, store.PaymentsJob, due)
	if got := why(t, s, sub, due); got.Reason != store.ReasonDeclined || !got.Due.Equal(due) {
		t.Errorf("declined: got %+v, want the due day %s", got, due)
	}
	declines = false
	retried, err := s.As(admin).Subscription(t.Context(), sub.AccountID, sub.ID, sub.SKU)
	if err != nil {
		t.Fatal(err)
	}
	day := retried.NextAttemptDate
	clock.Advance(day.Sub(due))
	run(t, r, store.PaymentsJob, day)
	if got := why(t, s, sub, day); got.Reason != store.ReasonPaid || !got.Due.Equal(due) {
		t.Errorf("retried: got %+v, want the due day %s", got, due)
	}
	if got := why(t, s, sub, due); got.Reason != store.ReasonDeclined || !got.Due.Equal(due) {
		t.Errorf("declined, after the retry: got %+v, want the due day %s", got, due)
	}
}

// randomSubscriptions returns n subscriptions with random payment days. Some are paused,
// cancelled, past due, or end at their next payment.
func randomSubscriptions(random *rand.Rand, n int) []*store.Subscription {
	subs := many(n)
	for _, sub := range subs {
		from := due.AddDate(0, 0, random.IntN(31))
		sub.PaymentDay = 1 + random.IntN(31)
		sub.NextPaymentDate = store.FirstPayment(from, sub.PaymentDay)
		sub.NextAttemptDate, sub.NextReminderDate = sub.NextPaymentDate, due
		switch random.IntN(8) {
		case 0:
			sub.Status = store.SubscriptionPaused
		case 1:
			sub.Status = store.SubscriptionCancelled
		case 2:
			sub.Ending = true
		case 3:
			sub.Status, sub.Attempt = store.SubscriptionPastDue, 1
			sub.NextPaymentDate, sub.NextAttemptDate = due.AddDate(0, 0, -1), due
			sub.PaymentDay = sub.NextPaymentDate.Day()
		}
	}
	return subs
}

func why(t *testing.T, s *store.Store, sub *store.Subscription, day time.Time) store.ChargeAnswer {
	t.Helper()
	a, err := s.As(admin).WhyCharged(t.Context(), sub.AccountID, sub.ID, sub.SKU, day)
	if err != nil {
		t.Fatal(err)
	}
	return *a
}

// allResults returns all results of a day's payment run.
func allResults(t *testing.T, s *store.Store, day time.Time) []store.JobResult {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, day)
	if err != nil {
		t.Fatal(err)
	}
	var all []store.JobResult
	for result, err := range store.Each(func(p store.Page) (store.List[store.JobResult], error) {
		return s.As(admin).JobResults(t.Context(), runs, false, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, result)
	}
	return all
}
