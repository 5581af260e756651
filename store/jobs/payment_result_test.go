package jobs_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// withoutTransactions is a table that rejects all transactions while rejects is true.
type withoutTransactions struct {
	store.DB
	rejects atomic.Bool
}

func (w *withoutTransactions) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if w.rejects.Load() {
		return nil, errors.New("no transactions")
	}
	return w.DB.TransactWriteItems(ctx, in, options...)
}

// TestRecordPayment_AfterResult stores the result of a payment, but not the payment
// itself. The next runner records and counts it once. A failure that is recorded in
// between does not replace the result.
func TestRecordPayment_AfterResult(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		table := &withoutTransactions{DB: db}
		s := store.New(table, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub := subscription(1)
		load(t, s, sub)
		before := get(t, s, sub)
		charging := store.RunContext{Job: store.PaymentsJob, Date: due, Shard: shardOf(t, s, sub)}
		attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, charging)
		if err != nil {
			t.Fatal(err)
		}
		table.rejects.Store(true)
		if paid, err := s.RecordPayment(t.Context(), attempted, "pi_1", charging); err == nil || paid {
			t.Fatalf("without transactions: got %t, %v, want an error", paid, err)
		}
		table.rejects.Store(false)
		if err := s.RecordFailure(t.Context(), attempted, store.OutcomeUnknown, "no transactions", charging); err != nil {
			t.Fatal(err)
		}
		if got := storedOutcomes(t, s, sub); len(got) != 1 || got[0] != store.OutcomePaid || len(receipts(t, s, sub.AccountID)) != 0 {
			t.Fatalf("got results %v, want PAID and no receipt", got)
		}
		b := newBank(t, 0)
		if report := run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due); report.Done != 1 || report.Unknown+report.Failed != 0 {
			t.Errorf("got %+v, want 1 done", report)
		}
		wantPaid(t, s, b, []*store.Subscription{sub})
		if paid, err := s.RecordPayment(t.Context(), attempted, "pi_1", charging); err != nil || paid {
			t.Errorf("again: got %t, %v, want false", paid, err)
		}
		wantPaid(t, s, b, []*store.Subscription{sub})
	})
}

// TestRecordPayment_UserFirst records a payment that a user has recorded first. The run
// must not keep a result, because it does not count the payment.
func TestRecordPayment_UserFirst(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		sub := subscription(1)
		load(t, s, sub)
		before := get(t, s, sub)
		charging := store.RunContext{Job: store.PaymentsJob, Date: due, Shard: shardOf(t, s, sub)}
		attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, charging)
		if err != nil {
			t.Fatal(err)
		}
		if paid, err := s.RecordPayment(t.Context(), attempted, "pi_1", store.RunContext{Job: store.PaymentsJob, By: "kim"}); err != nil || !paid {
			t.Fatalf("by a user: got %t, %v, want true", paid, err)
		}
		if paid, err := s.RecordPayment(t.Context(), attempted, "pi_1", charging); err != nil || paid {
			t.Errorf("by the run: got %t, %v, want false", paid, err)
		}
		if got := storedOutcomes(t, s, sub); len(got) != 0 {
			t.Errorf("got results %v, want none", got)
		}
		got := receipts(t, s, sub.AccountID)
		if len(got) != 1 || !got[0].RunDate.IsZero() || !got[0].NextPaymentDate.IsZero() {
			t.Errorf("got receipts %+v, want one without a run", got)
		}
		if got := events(t, s, sub.AccountID); len(got) != 1 || got[0] != store.EventPaymentTaken {
			t.Errorf("got events %v, want the payment of the user", got)
		}
	})
}

// shardOf returns the shard of a subscription's runs.
func shardOf(t *testing.T, s *store.Store, sub *store.Subscription) int {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shard, err := strconv.Atoi(key.Shard(sub.ID, settings.Shards))
	if err != nil {
		t.Fatal(err)
	}
	return shard
}

// storedOutcomes returns the outcomes in the day's results, even without a run.
func storedOutcomes(t *testing.T, s *store.Store, sub *store.Subscription) []store.JobOutcome {
	t.Helper()
	found, err := s.As(admin).JobResults(t.Context(), []store.JobRun{{Job: store.PaymentsJob, Date: due, Shard: shardOf(t, s, sub)}}, false, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []store.JobOutcome
	for i := range found.Rows {
		outcomes = append(outcomes, found.Rows[i].Outcome)
	}
	return outcomes
}
