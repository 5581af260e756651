package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// failingProcessor is a processor that returns errors while down is set.
type failingProcessor struct {
	jobs.Processor
	down atomic.Bool
}

var errDown = errors.New("connection refused")

func (p *failingProcessor) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	if p.down.Load() {
		return jobs.Outcome{}, errDown
	}
	return p.Processor.Charge(ctx, c)
}

func (p *failingProcessor) Find(ctx context.Context, c jobs.Charge) (jobs.Outcome, bool, error) {
	if p.down.Load() {
		return jobs.Outcome{}, false, errDown
	}
	return p.Processor.Find(ctx, c)
}

// schedule turns the scheduler on, and sets the rule for late payments. It sets the number
// of shards to one.
func schedule(t *testing.T, s *store.Store, late store.LateRule) {
	t.Helper()
	setShards(t, s, 1)
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.LatePayments = late
	if err := s.SaveSettings(t.Context(), settings, admin.Name); err != nil {
		t.Fatal(err)
	}
	if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

func tick(t *testing.T, r *jobs.Runner) {
	t.Helper()
	if err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// wantBehind fails the test unless Behind lists exactly the subscriptions with these IDs.
func wantBehind(t *testing.T, s *store.Store, want ...string) {
	t.Helper()
	found, err := s.As(admin).Behind(t.Context(), store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, len(found.Rows))
	for i := range found.Rows {
		got[i] = found.Rows[i].ID
	}
	if !slices.Equal(got, want) {
		t.Errorf("got subscriptions %v behind, want %v", got, want)
	}
}

func day(month time.Month, day int) time.Time {
	return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)
}

// TestScheduler_ProcessorFailsTenDays checks that payments are charged once after the
// processor has failed for ten days.
func TestScheduler_ProcessorFailsTenDays(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		schedule(t, s, "")
		first, third := subscription(1), dueOn(2, due.AddDate(0, 0, 2))
		load(t, s, first, third)
		b := newBank(t, 0)
		processor := &failingProcessor{Processor: bankClient{b.URL}}
		processor.down.Store(true)
		r := runner(t, s, processor, &mailbox{})
		wantBehind(t, s)
		for _, days := range []int{0, 4, 6} {
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			tick(t, r)
		}
		wantBehind(t, s, first.ID, third.ID)
		if got := paid(t, s, first, third); got[0] || got[1] {
			t.Fatalf("while the processor fails: got paid %v, want none", got)
		}
		processor.down.Store(false)
		for range 4 {
			clock.Advance(24 * time.Hour)
			tick(t, r)
		}
		wantBehind(t, s)
		if got := paid(t, s, first, third); !got[0] || !got[1] || b.payments() != 2 {
			t.Errorf("got paid %v with %d charges, want each once", got, b.payments())
		}
		if next := get(t, s, first).NextPaymentDate; !next.Equal(day(time.December, 21)) {
			t.Errorf("got next payment %s, want 21 December", next)
		}
		backlog, err := s.Backlog(t.Context(), store.PaymentsJob)
		if today := due.AddDate(0, 0, 14); err != nil || !backlog.Since.After(due.AddDate(0, 0, 10)) || backlog.Since.After(today) {
			t.Errorf("got backlog since %s, %v; want one of the four days up to %s", backlog.Since, err, today)
		}
	})
}

// TestScheduler_DownForMonths runs no server from November until a payment day in January.
// Depending on the rule for late payments, the payment must be charged once or skipped.
func TestScheduler_DownForMonths(t *testing.T) {
	for rule, want := range map[store.LateRule]struct {
		charges int
		events  []store.EventCode
	}{
		store.LateCharge: {1, []store.EventCode{}},
		store.LateSkip:   {0, []store.EventCode{store.EventPaymentSkipped}},
	} {
		t.Run("rule "+string(rule), func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
				schedule(t, s, rule)
				sub := subscription(1)
				load(t, s, sub)
				b := newBank(t, 0)
				r := runner(t, s, bankClient{b.URL}, &mailbox{})
				clock.Advance(61 * 24 * time.Hour) // advances to 21 January, which is a payment day
				wantBehind(t, s, sub.ID)
				planned, err := s.As(admin).DryRun(t.Context(), store.PaymentsJob, due, store.Page{})
				if err != nil || len(planned.Rows) != 1 || (planned.Rows[0].Step == store.StepSkip) != (rule == store.LateSkip) {
					t.Errorf("got dry run %+v, %v; want one step, which skips the payment only by the rule LateSkip", planned.Rows, err)
				}
				charged := sub.PaymentAmount
				if rule == store.LateSkip {
					charged = store.Amount{}
				}
				for _, p := range planned.Rows {
					if got := p.ChargeAmount(); got.Compare(charged) != 0 {
						t.Errorf("got planned amount %s, want %s", got, charged)
					}
				}
				for range 3 {
					tick(t, r)
					clock.Advance(24 * time.Hour)
				}
				wantBehind(t, s)
				after := get(t, s, sub)
				if next := time.Date(2027, time.February, 21, 0, 0, 0, 0, time.UTC); !after.NextPaymentDate.Equal(next) || !after.NextAttemptDate.Equal(next) || after.NextReminderDate.Before(day(time.December, 31)) {
					t.Errorf("got %+v, want the next payment on 21 February", after)
				}
				if got := events(t, s, sub.AccountID); b.payments() != want.charges || len(receipts(t, s, sub.AccountID)) != want.charges || !slices.Equal(got, want.events) {
					t.Errorf("got %d charges and events %v, want %d and %v", b.payments(), got, want.charges, want.events)
				}
				wantCounts(t, s, store.PaymentsJob, due, 1)
				for _, result := range results(t, s, store.PaymentsJob, due, false) {
					if result.Amount.Compare(charged) != 0 {
						t.Errorf("got result with amount %s, want %s", result.Amount, charged)
					}
				}
			})
		})
	}
}

// TestScheduler_SkipsOnlyWhatWasNotCharged runs two late payments whose attempts have
// unknown outcomes. The payment service charged one of them, which must count as paid. It
// never received the attempt of the other payment, so that payment must be skipped.
func TestScheduler_SkipsOnlyWhatWasNotCharged(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		schedule(t, s, store.LateSkip)
		charged, missing := subscription(1), subscription(2)
		b := newBank(t, 0)
		for _, sub := range []*store.Subscription{charged, missing} {
			sub.PendingAttempt = store.PaymentAttempt{Key: sub.AttemptKey(), Amount: sub.PaymentAmount, At: clock.Now()}
		}
		b.charges[charged.PendingAttempt.Key] = 1
		load(t, s, charged, missing)
		clock.Advance(9 * 24 * time.Hour)
		tick(t, runner(t, s, bankClient{b.URL}, &mailbox{}))
		if got := paid(t, s, charged, missing); !got[0] || got[1] || b.payments() != 1 {
			t.Errorf("got paid %v with %d charges, want the first only", got, b.payments())
		}
		for _, sub := range []*store.Subscription{charged, missing} {
			if after := get(t, s, sub); !after.NextPaymentDate.Equal(day(time.December, 21)) || after.PendingAttempt.Key != "" {
				t.Errorf("%s: got %+v, want the next payment on 21 December", sub.ID, after)
			}
		}
	})
}

// brokenDayTable is a table that returns an error for reads of the subscriptions that are
// due on one day.
type brokenDayTable struct {
	store.DB
	day string
}

func (f *brokenDayTable) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if strings.HasPrefix(partitionOf(in), "payment#"+f.day) {
		return nil, errors.New("cannot read this partition")
	}
	return f.DB.Query(ctx, in, options...)
}

func TestScheduler_BrokenDayDoesNotBlockTheNext(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(&brokenDayTable{db, due.Format(time.DateOnly)}, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		schedule(t, s, "")
		broken, next := subscription(1), dueOn(2, due.AddDate(0, 0, 1))
		load(t, s, broken, next)
		clock.Advance(24 * time.Hour)
		err := runner(t, s, jobs.Record{}, &mailbox{}).Tick(t.Context())
		if err == nil || !strings.Contains(err.Error(), "payments of 2026-11-21") {
			t.Errorf("got %v, want an error about payments of 2026-11-21", err)
		}
		if got := paid(t, s, broken, next); got[0] || !got[1] {
			t.Errorf("got paid %v, want the second day's", got)
		}
	})
}
