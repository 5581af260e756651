package loadsim

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
)

// Due is a day on which many subscriptions are due.
type Due struct {
	Name          string
	Limits        Limits
	Shards        int
	Workers       int           // payments of a shard that the run charges at the same time; 0 means jobs.DefaultWorkers
	Subscriptions int           // number of simulated subscriptions
	ChargeTime    time.Duration // median response time of the payment service
}

// Entities returns the subscriptions, all of them due on the given day.
func (d *Due) Entities(day time.Time) []store.Entity {
	var all []store.Entity
	for n := range d.Subscriptions {
		all = append(all, subscription(n, day))
	}
	return all
}

func subscription(n int, day time.Time) *store.Subscription {
	return &store.Subscription{
		ID: fmt.Sprintf("s%06d", n), AccountID: accountID(n), SKU: "PLAN", PlanName: "Tea every month", Email: fmt.Sprintf("a%d@example.com", n),
		Status: store.SubscriptionActive, PaymentDay: day.Day(), PaymentAmount: price, NextPaymentDate: day, NextAttemptDate: day,
		NextReminderDate: day.AddDate(0, 0, 23), PaymentDetails: store.PaymentDetails{Card: "1234", Customer: "cus_1", Method: "pm_1"}, Version: 1,
	}
}

func accountID(n int) string { return fmt.Sprintf("a%06d", n) }

// Run charges the payments of the day. It returns the counts and their duration.
func (d *Due) Run(ctx context.Context, st *store.Store, meter *Meter, day time.Time) (Counts, time.Duration, error) {
	runner := jobs.New(jobs.Config{Store: st, Processor: &slowService{d.ChargeTime, meter}, Workers: d.Workers, Log: slog.New(slog.DiscardHandler)})
	defer runner.Close()
	meter.Take()
	began := time.Now()
	report, err := runner.Run(ctx, jobs.RunRequest{Job: store.PaymentsJob, Date: day})
	took := time.Since(began)
	if err == nil && report.Done != d.Subscriptions {
		err = fmt.Errorf("%d of %d payments were charged", report.Done, d.Subscriptions)
	}
	return meter.Take(), took, err
}

// slowService is a payment service whose charges take some time.
type slowService struct {
	chargeTime time.Duration
	meter      *Meter
}

func (*slowService) Service() store.Service { return store.ServiceRecord }

func (*slowService) CheckAmount(store.Amount, string) error { return nil }

func (s *slowService) Charge(context.Context, jobs.Charge) (jobs.Outcome, error) {
	return jobs.Outcome{}, s.meter.Do("charge a payment", func() error {
		pause(s.chargeTime)
		return nil
	})
}

func (*slowService) Find(context.Context, jobs.Charge) (jobs.Outcome, bool, error) {
	return jobs.Outcome{}, true, nil
}

// DueOnTheFirst returns a day on which many subscriptions are due: in each shard, eight
// for each worker.
func DueOnTheFirst(shards, workers int) Due {
	return Due{
		Name:   fmt.Sprintf("payments due on the first day of the month, %d shards, %d workers", shards, workers),
		Limits: enough, Shards: shards, Workers: workers, Subscriptions: 8 * workers * shards, ChargeTime: 300 * time.Millisecond,
	}
}

// Extrapolate returns a sentence that says how long 100 million payments take at the same
// rate.
func (d *Due) Extrapolate(took time.Duration) string {
	perSecond := float64(d.Subscriptions) / took.Seconds()
	return fmt.Sprintf("\nWith %d shards and %d workers, %d payments took %.1f seconds, which is %.0f per second. At this rate, 100 million payments take %.1f hours.\n",
		d.Shards, d.Workers, d.Subscriptions, took.Seconds(), perSecond, 100e6/perSecond/3600)
}
