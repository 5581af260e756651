package loadsim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
)

// tickEvery is the time between two runs of the scheduler. On real servers, it is a minute.
const tickEvery = 3 * time.Hour

// maxTicks is the maximum number of runs of the scheduler after the outage.
const maxTicks = 10

// Outage is a number of days on which the payment service does not respond. Afterwards, the
// scheduler charges the payments of all these days.
type Outage struct {
	Name   string
	Limits Limits
	Shards int
	Days   int
	PerDay int // payments that are due on each day
}

// TenDaysOutage returns an outage of ten days.
func TenDaysOutage(shards, perDay int) Outage {
	return Outage{Name: "payment service down for ten days, then the payments of these days", Limits: enough, Shards: shards, Days: 10, PerDay: perDay}
}

// Entities returns subscriptions that are due on the days of the outage. The argument day
// is the first of these days.
func (o *Outage) Entities(day time.Time) []store.Entity {
	var all []store.Entity
	for n := range o.Days * o.PerDay {
		all = append(all, subscription(n, day.AddDate(0, 0, n/o.PerDay)))
	}
	return all
}

// Run runs the scheduler during the outage and after it. It returns the counts and the
// duration of charging the payments after the outage. It returns an error if a subscription
// was not charged exactly once.
func (o *Outage) Run(ctx context.Context, st *store.Store, meter *Meter) (Counts, time.Duration, error) {
	admin := st.As(&store.User{Name: "admin", Role: store.Admin})
	if err := admin.SetScheduler(ctx, true); err != nil {
		return Counts{}, 0, err
	}
	service := &failingService{slowService: slowService{300 * time.Millisecond, meter}, down: true, charged: map[string]bool{}}
	runner := jobs.New(jobs.Config{Store: st, Processor: service, Log: slog.New(slog.DiscardHandler)})
	defer runner.Close()
	for end := time.Now().AddDate(0, 0, o.Days); time.Now().Before(end); time.Sleep(tickEvery) {
		if err := runner.Tick(ctx); err != nil {
			return Counts{}, 0, err
		}
	}
	service.setUp()
	meter.Take()
	var took time.Duration
	for n := 0; service.payments() < o.Days*o.PerDay && n < maxTicks; n++ {
		if n > 0 {
			time.Sleep(tickEvery)
		}
		began := time.Now()
		if err := runner.Tick(ctx); err != nil {
			return Counts{}, 0, err
		}
		took += time.Since(began)
	}
	return meter.Take(), took, o.check(ctx, admin, service)
}

// Took returns a sentence that says how long the payments took after the outage.
func (o *Outage) Took(took time.Duration) string {
	return fmt.Sprintf("\nAfter ten days without the payment service, the %d payments of these days took %.1f seconds, and none was charged twice.\n", o.Days*o.PerDay, took.Seconds())
}

// check returns an error unless each subscription was charged once and has one receipt.
func (o *Outage) check(ctx context.Context, admin store.Access, service *failingService) error {
	if got, want := service.payments(), o.Days*o.PerDay; got != want {
		return fmt.Errorf("got %d charges, want %d", got, want)
	}
	for n := range o.Days * o.PerDay {
		receipts, err := admin.ReceiptsOfAccount(ctx, accountID(n), store.Page{})
		if err != nil || len(receipts.Rows) != 1 {
			return fmt.Errorf("account %s has %d receipts, want 1: %w", accountID(n), len(receipts.Rows), err)
		}
	}
	return nil
}

// failingService is a payment service that does not respond for some time.
type failingService struct {
	slowService
	mu      sync.Mutex
	down    bool
	charged map[string]bool // charged attempts, by the key of the attempt
}

var errDown = errors.New("the payment service does not respond")

func (s *failingService) setUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = false
}

func (s *failingService) payments() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.charged)
}

// Charge charges a payment, but only once for each key. While the service is down, it
// returns errDown.
func (s *failingService) Charge(ctx context.Context, charge jobs.Charge) (jobs.Outcome, error) {
	s.mu.Lock()
	down := s.down
	if !down {
		s.charged[charge.Key] = true
	}
	s.mu.Unlock()
	if down {
		return jobs.Outcome{}, errDown
	}
	return s.slowService.Charge(ctx, charge)
}

// Find returns the outcome of an attempt.
func (s *failingService) Find(_ context.Context, charge jobs.Charge) (jobs.Outcome, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return jobs.Outcome{}, false, errDown
	}
	return jobs.Outcome{}, s.charged[charge.Key], nil
}
