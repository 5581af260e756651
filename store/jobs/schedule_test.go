package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestScheduler_RemindsAfterPause pauses a subscription before the day of its reminder, and
// resumes it between this day and the payment. The reminder must then be sent once.
func TestScheduler_RemindsAfterPause(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		schedule(t, s, "")
		sub := dueOn(1, due.AddDate(0, 0, 10))
		sub.NextReminderDate = due.AddDate(0, 0, 2)
		load(t, s, sub)
		r := runner(t, s, jobs.Record{}, &mailbox{})
		tick(t, r)
		f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: 1, Token: s.NewToken()}
		if err := s.As(admin).PauseSubscription(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			clock.Advance(24 * time.Hour)
			tick(t, r)
			clock.Advance(2 * time.Hour)
			tick(t, r)
		}
		f.Version, f.Token = 2, s.NewToken()
		if err := s.As(admin).ResumeSubscription(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if after, want := get(t, s, sub), due.AddDate(0, 0, 4); !after.NextReminderDate.Equal(want) || !after.NextPaymentDate.Equal(sub.NextPaymentDate) {
			t.Errorf("got the reminder on %s and the payment on %s, want %s and %s", after.NextReminderDate, after.NextPaymentDate, want, sub.NextPaymentDate)
		}
		for range 4 {
			clock.Advance(24 * time.Hour)
			tick(t, r)
		}
		if got := emailsOf(t, s, sub.AccountID); len(got) != 1 {
			t.Errorf("got %d reminders, want 1", len(got))
		}
	})
}

// reshard changes the number of shards. Before the first item moves, it calls the function
// moving.
func reshard(t *testing.T, s *store.Store, clock *storetest.Clock, shards int, moving func()) {
	t.Helper()
	waits := 0
	_, err := s.Reshard(t.Context(), shards, store.Resharding{Wait: func(_ context.Context, d time.Duration) error {
		clock.Advance(d)
		if waits++; waits == 2 {
			moving()
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestScheduler_ChargesAfterReshard changes the number of shards while a payment of a past
// day is open: after a run in which it failed, or between two runs. The payment moves to a
// shard whose run is done. A later run must charge it.
func TestScheduler_ChargesAfterReshard(t *testing.T) {
	for _, during := range []bool{false, true} {
		t.Run(fmt.Sprintf("run during resharding %t", during), func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
				schedule(t, s, "")
				setShards(t, s, 4)
				late := subscription(1)
				p := &failingProcessor{Processor: bankClient{newBank(t, 0).URL}}
				p.down.Store(true)
				r := runner(t, s, p, &mailbox{})
				clock.Advance(48 * time.Hour)
				if !during {
					load(t, s, late)
					tick(t, r)
				}
				reshard(t, s, clock, 1, func() {
					if during {
						tick(t, r)
						load(t, s, late)
					}
				})
				runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
				first := slices.IndexFunc(runs, func(run store.JobRun) bool { return run.Shard == 0 })
				if err != nil || len(runs) != 4 || runs[first].State != store.JobDone {
					t.Fatalf("got %+v, %v; want the first of four shards done", runs, err)
				}
				p.down.Store(false)
				for range 3 {
					clock.Advance(24 * time.Hour)
					tick(t, r)
				}
				if !paid(t, s, late)[0] {
					t.Error("got no payment after resharding, want one")
				}
			})
		})
	}
}

// TestScheduler_SendsNothingAtNight runs the scheduler in the night after the day of a
// reminder that was not sent. The scheduler must not send it before the morning.
func TestScheduler_SendsNothingAtNight(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		schedule(t, s, "")
		sub := dueOn(1, due.AddDate(0, 0, 7))
		sub.NextReminderDate = due
		load(t, s, sub)
		r := runner(t, s, jobs.Record{}, &mailbox{})
		clock.Advance(14 * time.Hour)
		for _, want := range []int{0, 1} {
			tick(t, r)
			if got := len(emailsOf(t, s, sub.AccountID)); got != want {
				t.Errorf("at %s: got %d emails, want %d", clock.Now(), got, want)
			}
			clock.Advance(6 * time.Hour)
		}
	})
}

// TestScheduler_WaitsAfterStoppedRun runs a day whose subscriptions cannot be read. The
// server must pause before it runs this day again. Another server must continue the run
// without a pause.
func TestScheduler_WaitsAfterStoppedRun(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(&brokenDayTable{db, due.Format(time.DateOnly)}, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		schedule(t, s, "")
		load(t, s, subscription(1))
		r := runner(t, s, jobs.Record{}, &mailbox{})
		var leased time.Time
		for n, wantRun := range []bool{true, false, true} {
			clock.Advance([]time.Duration{0, time.Minute, time.Hour}[n])
			err := r.Tick(t.Context())
			runs, errRuns := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
			if errRuns != nil || len(runs) != 1 || runs[0].State != store.JobStopped {
				t.Fatalf("got %+v, %v; want one run that stopped", runs, errRuns)
			}
			if ran := !runs[0].Leased.Equal(leased); ran != wantRun || ran != (err != nil) {
				t.Errorf("at %s: got a run %t, %v; want %t", clock.Now(), ran, err, wantRun)
			}
			leased = runs[0].Leased
		}
		other := runner(t, s, jobs.Record{}, &mailbox{})
		clock.Advance(10 * time.Minute) // the lease of the first server expires
		if err := other.Tick(t.Context()); err == nil {
			t.Error("got no run by another server, want it to continue the stopped run immediately")
		}
	})
}

// brokenReminders is a table from which the reminders of a day cannot be read.
type brokenReminders struct {
	store.DB
	day      string
	repaired bool
}

func (b *brokenReminders) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if strings.HasPrefix(partitionOf(in), "reminder#"+b.day) && !b.repaired {
		return nil, errors.New("cannot read this partition")
	}
	return b.DB.Query(ctx, in, options...)
}

// TestScheduler_RemindsAfterPayments runs a past day whose payments are finished, but whose
// reminders could not be read. The scheduler must run the reminders of this day again.
func TestScheduler_RemindsAfterPayments(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		broken := &brokenReminders{DB: db, day: due.Format(time.DateOnly)}
		s := store.New(broken, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		schedule(t, s, "")
		sub := dueOn(1, due.AddDate(0, 0, 10))
		sub.NextReminderDate = due
		load(t, s, sub)
		r := runner(t, s, jobs.Record{}, &mailbox{})
		clock.Advance(24 * time.Hour)
		if err := r.Tick(t.Context()); err == nil {
			t.Error("got no error, want one for the reminders that cannot be read")
		}
		broken.repaired = true
		clock.Advance(time.Minute)
		tick(t, r)
		if backlog, err := s.Backlog(t.Context(), store.PaymentsJob); err != nil || !backlog.Since.After(due) {
			t.Fatalf("got backlog %+v, %v; want the payments of the past day finished", backlog, err)
		}
		clock.Advance(time.Hour)
		tick(t, r)
		if got := emailsOf(t, s, sub.AccountID); len(got) != 1 {
			t.Errorf("got %d reminders, want 1", len(got))
		}
	})
}

// TestRun_LateReminderSchedulesNoPastDay sends a reminder so late that the day of the next
// reminder has passed. The next reminder must not be scheduled for that day.
func TestRun_LateReminderSchedulesNoPastDay(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.ReminderDays = 27
		if err := s.SaveSettings(t.Context(), settings, admin.Name); err != nil {
			t.Fatal(err)
		}
		sub := dueOn(1, due.AddDate(0, 0, 1))
		sub.NextReminderDate = due // as if the subscription had been created a day before its payment
		load(t, s, sub)
		clock.Advance(6 * 24 * time.Hour)
		if report := run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.RemindersJob, due); report.Done != 1 {
			t.Errorf("got %+v, want one reminder", report)
		}
		if got, today := get(t, s, sub).NextReminderDate, due.AddDate(0, 0, 6); got.Before(today) {
			t.Errorf("got the next reminder on %s, want %s or later", got, today)
		}
	})
}

// TestRun_SkipsPaidPaymentAndPastDays runs a past day with a payment that already has a
// receipt. The next payment must not be scheduled for a past day.
func TestRun_SkipsPaidPaymentAndPastDays(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		for _, days := range []int{30, 61} { // advances to one payment day, or past two of them
			sub := subscription(days)
			load(t, s, sub)
			receipt := &store.Receipt{AccountID: sub.AccountID, SubscriptionID: sub.ID, SKU: sub.SKU, DueDate: due, ProcessedDate: clock.Now(), ProcessedAmount: sub.PaymentAmount, Expires: clock.Now().AddDate(1, 0, 0), Version: 1}
			if loaded, err := s.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
				t.Fatal(err, loaded.Rejected)
			}
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			today, err := s.Today(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due)
			after := get(t, s, sub)
			if after.NextPaymentDate.Before(today) || after.NextPaymentDate.After(today.AddDate(0, 1, 0)) || !after.NextAttemptDate.Equal(after.NextPaymentDate) || after.NextReminderDate.Before(today) {
				t.Errorf("on %s: got payment on %s, attempt on %s, reminder on %s; want the first payment from today on",
					today, after.NextPaymentDate, after.NextAttemptDate, after.NextReminderDate)
			}
			if got := receipts(t, s, sub.AccountID); len(got) != 1 {
				t.Errorf("got %d receipts, want 1", len(got))
			}
		}
	})
}
