package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

var errKilled = errors.New("the server was killed")

// killableDB is the table as one server uses it. After the server is killed, all writes
// fail.
type killableDB struct {
	store.DB
	killed atomic.Bool
}

func (db *killableDB) err() error {
	if db.killed.Load() {
		return errKilled
	}
	return nil
}

func (db *killableDB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := db.err(); err != nil {
		return nil, err
	}
	return db.DB.UpdateItem(ctx, in, o...)
}

func (db *killableDB) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := db.err(); err != nil {
		return nil, err
	}
	return db.DB.BatchWriteItem(ctx, in, o...)
}

func (db *killableDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if err := db.err(); err != nil {
		return nil, err
	}
	return db.DB.TransactWriteItems(ctx, in, o...)
}

// waitingBank is a bank that stops answering after some charges, until the server is
// killed.
type waitingBank struct {
	jobs.Processor
	left    atomic.Int64
	once    sync.Once
	waiting chan struct{} // closed when the bank stops answering
	killed  chan struct{}
}

func (b *waitingBank) Charge(ctx context.Context, charge jobs.Charge) (jobs.Outcome, error) {
	if b.left.Add(-1) >= 0 {
		return b.Processor.Charge(ctx, charge)
	}
	b.once.Do(func() { close(b.waiting) })
	<-b.killed
	return jobs.Outcome{}, errKilled
}

// TestScheduler_TwoServers runs the schedulers of two servers on one table. While the first
// server charges payments, the second one must do nothing. The first one is then killed.
// The second one must finish the run, and each payment must be charged once.
func TestScheduler_TwoServers(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		const payments = 60
		killable := &killableDB{DB: db}
		one, two := storetest.OpenTable(t, killable, table, clock), store.New(db, table, clock.Now)
		all := many(payments)
		load(t, two, all...)
		b := newBank(t, 0)
		waiting := &waitingBank{Processor: bankClient{b.URL}, waiting: make(chan struct{}), killed: make(chan struct{})}
		waiting.left.Store(payments / 3)
		first, second := runner(t, one, waiting, &mailbox{}), runner(t, two, bankClient{b.URL}, &mailbox{})
		tickSecond := func(want int) {
			t.Helper()
			if err := second.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := b.payments(); got != want {
				t.Fatalf("at %s: got %d payments, want %d", clock.Now(), got, want)
			}
		}
		tickSecond(0) // the scheduler is off: no payments
		if err := one.As(admin).SetScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		clock.Advance(10 * time.Second) // servers cache the settings for ten seconds
		if settings, err := two.Settings(t.Context()); err != nil || settings.SchedulerSince.IsZero() {
			t.Fatalf("the other server: got settings %+v, %v; want the scheduler on", settings, err)
		}
		ended := make(chan error)
		go func() { ended <- first.Tick(t.Context()) }()
		<-waiting.waiting
		for b.payments() < payments/3 {
			time.Sleep(time.Millisecond)
		}
		tickSecond(payments / 3) // the first server has the lease, so the second one charges nothing

		killable.killed.Store(true)
		close(waiting.killed)
		if err := <-ended; err == nil {
			t.Error("got no error from the killed server, want one")
		}
		tickSecond(payments / 3) // the lease has not ended yet
		clock.Advance(5 * time.Minute)
		tickSecond(payments)
		clock.Advance(time.Hour)
		tickSecond(payments)
		wantPaid(t, two, b, all)
	})
}

// TestRun_RecordsChargesOfAllServers runs the payments job three times. During each run,
// another server holds the shard of one payment. A run that charges payments must record an
// event with the counts of the whole day. A run that charges nothing must record none.
func TestRun_RecordsChargesOfAllServers(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(db, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		one, two := subscription(1), subscription(2)
		for n := 3; shardOf(t, s, two) == shardOf(t, s, one); n++ {
			two = subscription(n)
		}
		load(t, s, one, two)
		r := runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{})
		for _, held := range []*store.Subscription{two, one, one} {
			_, err := s.LeaseShard(t.Context(), store.JobRun{Job: store.PaymentsJob, Date: due, Shard: shardOf(t, s, held), Owner: "other", Until: clock.Now().Add(time.Minute)})
			if err != nil {
				t.Fatal(err)
			}
			run(t, r, store.PaymentsJob, due)
			clock.Advance(2 * time.Minute)
		}
		history, err := s.As(admin).Events(t.Context(), store.EventFilter{About: "job#payments"}, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range history.Rows {
			_, counts, _ := strings.Cut(e.Why, ": ")
			got = append(got, e.Sentence()+": "+counts)
		}
		want := []string{
			"Payments charged: 2 done, 0 declined, " + one.PaymentAmount.Plus(two.PaymentAmount).String() + " charged",
			"Payments charged: 1 done, 0 declined, " + one.PaymentAmount.String() + " charged",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got the events %q, want %q", got, want)
		}
	})
}
