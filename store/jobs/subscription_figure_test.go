package jobs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// figures computes the figures that the store should have for these subscriptions.
func figures(subscriptions []store.Subscription, today time.Time) store.SubscriptionFigures {
	f := store.SubscriptionFigures{Month: today.AddDate(0, 0, 1-today.Day())}
	for _, s := range subscriptions {
		if s.Status == store.SubscriptionActive || s.Status == store.SubscriptionPastDue {
			f.Live++
			f.Recurring = f.Recurring.Plus(s.PaymentAmount.Sum())
		}
		if !s.Created.Before(f.Month) {
			f.Started++
		}
		if s.Status == store.SubscriptionCancelled && !s.Cancelled.Before(f.Month) {
			f.Cancelled++
		}
	}
	return f
}

// TestSubscriptionFigures_EqualSubscriptions makes random changes of subscriptions, and
// runs the payments of 100 days, or of 25 days on another engine than the embedded one. A
// third of the attempts are declined. After each day, the stored figures must equal those
// computed from all subscriptions.
func TestSubscriptionFigures_EqualSubscriptions(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		random := rand.New(rand.NewPCG(17, 3))
		b := newBank(t, 0)
		b.decline = func(string) bool { return random.IntN(3) == 0 }
		r := runner(t, s, bankClient{b.URL}, nil)
		shop := s.As(admin)
		for n := range 5 {
			load(t, s, subscription(n))
		}
		changes := map[string]int{}
		var all []store.Subscription
		days, wanted := 100, 3 // wanted is the minimum number of changes of each kind
		if strings.HasSuffix(t.Name(), "/endpoint") {
			days, wanted = 25, 0
		}
		for range days {
			for range 4 {
				changeAtRandom(t, s, clock, random, all, changes)
				all = subscriptionsOf(t, shop)
			}
			run(t, r, store.PaymentsJob, dayOf(clock))
			all = subscriptionsOf(t, shop)
			got, err := shop.SubscriptionFigures(t.Context())
			want := figures(all, dayOf(clock))
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: got %+v, %v, want %+v", dayOf(clock).Format(time.DateOnly), got, err, want)
			}
			clock.Advance(24 * time.Hour)
		}
		t.Logf("changes: %v", changes)
		for _, kind := range []string{"create", "change", "pause", "resume", "cancel", "end", "keep", "skip"} {
			if changes[kind] < wanted {
				t.Errorf("got %d of %q, want at least %d", changes[kind], kind, wanted)
			}
		}
		if checked, err := s.CheckTotals(t.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) { t.Error(d) }}); err != nil || checked.Compared == 0 {
			t.Errorf("check of totals: got %+v, %v, want no error and some totals compared", checked, err)
		}
	})
}

// changeAtRandom creates a subscription or changes one. Some changes are refused, because
// the status of the subscription does not allow them.
func changeAtRandom(t *testing.T, s *store.Store, clock *storetest.Clock, random *rand.Rand, all []store.Subscription, changes map[string]int) {
	t.Helper()
	shop := s.As(admin)
	kinds := []string{"create", "change", "pause", "resume", "cancel", "end", "keep", "skip"}
	kind := kinds[random.IntN(len(kinds))]
	if kind == "create" || len(all) == 0 {
		n := store.NewSubscription{AccountID: "a00001", SKU: "PLAN", Email: "a@example.com", Amount: store.MinorUnits(random.Int64N(2000) + 1), Day: dayOf(clock).Day(), Token: s.NewToken()}
		if _, err := shop.CreateSubscription(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		changes["create"]++
		return
	}
	open := slices.DeleteFunc(slices.Clone(all), func(s store.Subscription) bool { return s.Status == store.SubscriptionCancelled })
	if len(open) == 0 {
		return
	}
	sub := open[random.IntN(len(open))]
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: sub.Version, Token: s.NewToken()}
	err := map[string]func() error{
		"change": func() error {
			return shop.ChangeSubscription(t.Context(), f, random.IntN(28)+1, store.MinorUnits(random.Int64N(2000)+1))
		},
		"pause":  func() error { return shop.PauseSubscription(t.Context(), f) },
		"resume": func() error { return shop.ResumeSubscription(t.Context(), f) },
		"cancel": func() error { return shop.CancelSubscription(t.Context(), f, "") },
		"end":    func() error { return shop.EndSubscription(t.Context(), f, "") },
		"keep":   func() error { return shop.KeepSubscription(t.Context(), f) },
		"skip":   func() error { return shop.SkipPayment(t.Context(), f, "") },
	}[kind]()
	switch {
	case err == nil:
		changes[kind]++
	case store.KindOf(err) != store.Conflict:
		t.Fatalf("%s: %v", kind, err)
	}
}

func subscriptionsOf(t *testing.T, shop store.Access) (all []store.Subscription) {
	t.Helper()
	for _, status := range store.SubscriptionStatuses {
		for s, err := range store.Each(func(p store.Page) (store.List[store.Subscription], error) {
			return shop.Subscriptions(t.Context(), status, p)
		}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	return all
}

// TestSubscriptionFigures_AfterUpgrade loads subscriptions without totals, as in a table
// of an earlier version. A rebuild of the totals adds the figures.
func TestSubscriptionFigures_AfterUpgrade(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	created, cancelled := subscription(1), subscription(2)
	created.Created = storetest.Now
	cancelled.Created, cancelled.Status, cancelled.Cancelled = storetest.Now.AddDate(0, -2, 0), store.SubscriptionCancelled, due
	if _, err := s.Load(t.Context(), []store.Entity{created, cancelled}, store.LoadOptions{TotalsIncluded: true}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.As(admin).SubscriptionFigures(t.Context()); err != nil || got.Live != 0 {
		t.Fatalf("got %+v, %v, want no figures yet", got, err)
	}
	if _, err := s.CheckTotals(t.Context(), store.TotalsCheck{Rebuild: true}); err != nil {
		t.Fatal(err)
	}
	got, err := s.As(admin).SubscriptionFigures(t.Context())
	want := store.SubscriptionFigures{Recurring: created.PaymentAmount.Sum(), Live: 1, Month: due.AddDate(0, 0, -20), Started: 1, Cancelled: 1}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
