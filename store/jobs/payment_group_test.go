package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// groupTable is a table that counts the payments in each transaction. It can reject or
// throttle transactions with several payments, or lose their responses.
type groupTable struct {
	store.DB
	reject, throttle, lose bool

	mu    sync.Mutex
	sizes []int // number of payments in each stored transaction
}

func (g *groupTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	n := 0
	for _, action := range in.TransactItems {
		if action.Put != nil && strings.HasPrefix(table.TextOf(action.Put.Item, table.AttrSK), "REC#") {
			n++
		}
	}
	if g.reject && n > 1 {
		return nil, errors.New("this transaction is too large")
	}
	if g.throttle && n > 1 {
		return nil, &types.ProvisionedThroughputExceededException{}
	}
	out, err := g.DB.TransactWriteItems(ctx, in, options...)
	if err == nil && n > 0 {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.sizes = append(g.sizes, n)
	}
	if g.lose && n > 1 && err == nil {
		return nil, errors.New("the response was lost")
	}
	return out, err
}

// memoryBank is a payment service in memory. For each charge, it calls the function
// charged, which returns the outcome, and then stores the charge unless it was declined.
type memoryBank struct {
	*bank
	charged func(jobs.Charge) jobs.Outcome
}

func (memoryBank) Service() store.Service { return store.ServiceStripe }

func (memoryBank) CheckAmount(store.Amount, string) error { return nil }

func (b memoryBank) Charge(_ context.Context, c jobs.Charge) (jobs.Outcome, error) {
	o := b.charged(c)
	b.mu.Lock()
	defer b.mu.Unlock()
	if !o.Declined {
		b.charges[c.Key]++
	}
	return o, nil
}

func (b memoryBank) Find(_ context.Context, c jobs.Charge) (jobs.Outcome, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return jobs.Outcome{}, b.charges[c.Key] > 0, nil
}

// TestRun_RecordsPaymentsInGroups charges payments in virtual time, all at once. It checks
// the number of payments in each transaction. If the transaction of a group fails, each
// payment must still be recorded and counted once.
func TestRun_RecordsPaymentsInGroups(t *testing.T) {
	const slow = time.Second
	for _, test := range []struct {
		name                   string
		payments               int
		reject, throttle, lose bool
		charged                func(t *testing.T, s *store.Store, n int) jobs.Outcome
		wantSizes              []int
		wantDeclined           int
		wantTook               time.Duration
	}{
		{name: "at the same time", payments: 20, wantSizes: []int{4, 8, 8}},
		{name: "a single one", payments: 1, wantSizes: []int{1}},
		{name: "one is declined", payments: 4, wantDeclined: 1, wantSizes: []int{3}, charged: func(_ *testing.T, _ *store.Store, n int) jobs.Outcome {
			return jobs.Outcome{Declined: n == 2, Reason: "no funds"}
		}},
		{name: "one is slow", payments: 4, wantSizes: []int{1, 3}, wantTook: slow, charged: func(_ *testing.T, _ *store.Store, n int) jobs.Outcome {
			if n == 2 {
				time.Sleep(slow)
			}
			return jobs.Outcome{}
		}},
		{name: "another runner records one", payments: 8, wantSizes: []int{1, 1, 1, 1, 1, 1, 1, 1}, charged: func(t *testing.T, s *store.Store, n int) jobs.Outcome {
			if n == 2 {
				attempted := get(t, s, subscription(n))
				if paid, err := s.RecordPayment(t.Context(), &attempted, "other", store.RunContext{Job: store.PaymentsJob, Date: due}); err != nil || !paid {
					t.Errorf("the other runner: got paid %t, %v; want paid", paid, err)
				}
			}
			return jobs.Outcome{}
		}},
		{name: "the table rejects groups", payments: 8, reject: true, wantSizes: []int{1, 1, 1, 1, 1, 1, 1, 1}},
		{name: "the table throttles groups", payments: 8, throttle: true, wantSizes: []int{1, 1, 1, 1, 1, 1, 1, 1}, wantTook: time.Second},
		{name: "responses of groups are lost", payments: 8, lose: true, wantSizes: []int{8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := storetest.NewClock()
				db := &groupTable{DB: storetest.Embedded(t, clock), reject: test.reject, throttle: test.throttle, lose: test.lose}
				s := openStore(t, db, clock)
				settings := store.DefaultSettings()
				settings.Shards, settings.ShardsRead = 1, 1
				if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
					t.Fatal(err)
				}
				all := many(test.payments)
				load(t, s, all...)
				numbers := map[string]int{}
				for n, sub := range all {
					numbers[sub.AttemptKey()] = n
				}
				b := memoryBank{&bank{charges: map[string]int{}}, func(c jobs.Charge) jobs.Outcome {
					time.Sleep(time.Millisecond) // until all payments have begun
					if test.charged == nil {
						return jobs.Outcome{}
					}
					return test.charged(t, s, numbers[c.Key])
				}}
				r := runner(t, s, b, &mailbox{})
				r.Workers = test.payments
				began := time.Now()
				report := run(t, r, store.PaymentsJob, due)
				if took := time.Since(began); took != test.wantTook+time.Millisecond {
					t.Errorf("the run took %v, want %v", took, test.wantTook+time.Millisecond)
				}
				if slices.Sort(db.sizes); !slices.Equal(db.sizes, test.wantSizes) {
					t.Errorf("got transactions of %d payments, want %d", db.sizes, test.wantSizes)
				}
				if report.Done != test.payments-test.wantDeclined || report.Declined != test.wantDeclined {
					t.Errorf("got %+v, want %d done and %d declined", report, test.payments-test.wantDeclined, test.wantDeclined)
				}
				if test.wantDeclined == 0 {
					wantPaid(t, s, b.bank, all)
				}
			})
		})
	}
}
