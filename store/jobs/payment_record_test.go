package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// refusingTable is a table that rejects transactions with an item whose sort key has
// a given prefix.
type refusingTable struct {
	store.DB
	prefix  string
	refuses atomic.Bool
}

func (f *refusingTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, action := range in.TransactItems {
		if action.Put == nil {
			continue
		}
		if sk, ok := action.Put.Item["SK"].(*types.AttributeValueMemberS); ok && f.refuses.Load() && strings.HasPrefix(sk.Value, f.prefix) {
			return nil, errors.New("this item cannot be written")
		}
	}
	return f.DB.TransactWriteItems(ctx, in, options...)
}

// countedTable is a table that counts the transactions it gets.
type countedTable struct {
	store.DB
	transactions atomic.Int32
}

func (c *countedTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.transactions.Add(1)
	return c.DB.TransactWriteItems(ctx, in, options...)
}

// TestRun_UnrecordedPaymentIsUnknown rejects writes of receipts, so that the outcomes of
// charges are not recorded. The outcomes must count as unknown, until a later run can
// record them.
func TestRun_UnrecordedPaymentIsUnknown(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		refusing := &refusingTable{DB: db, prefix: "REC#"}
		s := store.New(refusing, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := many(3)
		load(t, s, all...)
		b := newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})

		refusing.refuses.Store(true)
		report := run(t, r, store.PaymentsJob, due)
		if report.Unknown != len(all) || report.Done+report.Declined+report.Failed != 0 || report.Amount.Sign() != 0 {
			t.Errorf("while writes fail: got %+v, want 3 unknown", report)
		}
		failures := results(t, s, store.PaymentsJob, due, true)
		if len(failures) != len(all) || b.payments() != len(all) {
			t.Fatalf("got failures %+v after %d charges, want 3 of each", failures, b.payments())
		}
		for _, f := range failures {
			if f.Outcome != store.OutcomeUnknown {
				t.Errorf("%s: got outcome %s, want UNKNOWN", f.SubscriptionID, f.Outcome)
			}
		}

		refusing.refuses.Store(false)
		report = run(t, r, store.PaymentsJob, due)
		if report.Done != len(all) || report.Unknown+report.Declined+report.Failed != 0 {
			t.Errorf("when writes succeed: got %+v, want 3 done", report)
		}
		wantPaid(t, s, b, all)
		if failures := results(t, s, store.PaymentsJob, due, true); len(failures) != 0 {
			t.Errorf("got failures %+v, want none", failures)
		}
	})
}

// TestRun_UnrecordedReminderFailed makes the writes of a reminder fail. The next run
// must queue one email.
func TestRun_UnrecordedReminderFailed(t *testing.T) {
	clock := storetest.NewClock()
	refusing := &refusingTable{DB: storetest.Embedded(t, clock), prefix: "event#"}
	s := openStore(t, refusing, clock)
	load(t, s, reminderDue(1))
	r := runner(t, s, bankClient{}, &mailbox{})
	refusing.refuses.Store(true)
	if report := run(t, r, store.RemindersJob, due); report.Failed != 1 || report.Done != 0 {
		t.Errorf("while writes fail: got %+v, want 1 failed", report)
	}
	if failures := results(t, s, store.RemindersJob, due, true); len(failures) != 1 || failures[0].Outcome != store.OutcomeFailed {
		t.Errorf("got failures %+v, want 1 FAILED", failures)
	}
	refusing.refuses.Store(false)
	if report := run(t, r, store.RemindersJob, due); report.Done != 1 || report.Failed != 0 {
		t.Errorf("when writes succeed: got %+v, want 1 done", report)
	}
	deliver(t, r, jobs.Delivery{Sent: 1})
}

// TestRun_SkipsPaidAfterLookUp looks up an attempt that never reached the processor. The
// payment already has a receipt, so it must not be charged.
func TestRun_SkipsPaidAfterLookUp(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub := subscription(1)
		sub.PendingAttempt = store.PaymentAttempt{Key: sub.AttemptKey(), Amount: sub.PaymentAmount, At: clock.Now().Add(-25 * time.Hour)}
		load(t, s, sub)
		receipt := &store.Receipt{AccountID: sub.AccountID, SubscriptionID: sub.ID, SKU: sub.SKU, DueDate: due, Email: sub.Email, ProcessedDate: clock.Now(), ProcessedAmount: sub.PaymentAmount, Version: 1}
		if loaded, err := s.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		b := newBank(t, 0)
		report := run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if after := get(t, s, sub); report.Failed != 0 || b.payments() != 0 || !after.NextPaymentDate.After(due) {
			t.Errorf("got report %+v, %d charges, %+v; want the next payment a month later, no charge and no failure", report, b.payments(), after)
		}
	})
}

// TestRun_ChargesCurrentPriceAfterLookUp looks up an attempt that never reached the
// processor. The price was lowered since, so the run must charge the new price.
func TestRun_ChargesCurrentPriceAfterLookUp(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub := subscription(1)
		sub.PendingAttempt = store.PaymentAttempt{Key: sub.AttemptKey(), Amount: sub.PaymentAmount, At: clock.Now().Add(-25 * time.Hour)}
		sub.PaymentAmount = sub.PaymentAmount.Minus(store.MinorUnits(50))
		load(t, s, sub)
		b := newBank(t, 0)
		report := run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if after := get(t, s, sub); report.Done != 1 || after.PendingAttempt.Key != "" {
			t.Errorf("got report %+v and %+v, want 1 done and no attempt without an outcome", report, after)
		}
		got := receipts(t, s, sub.AccountID)
		if len(got) != 1 || got[0].ProcessedAmount.Compare(sub.PaymentAmount) != 0 {
			t.Errorf("got receipts %+v, want one of %v", got, sub.PaymentAmount)
		}
	})
}

// TestRecordDecline_CancelledMeanwhile cancels a subscription during the last attempt of
// a payment. The attempt is then declined. The subscription must not be paused.
func TestRecordDecline_CancelledMeanwhile(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		sub := subscription(1)
		sub.Status, sub.Attempt = store.SubscriptionPastDue, 3
		load(t, s, sub)
		before := get(t, s, sub)
		attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, store.RunContext{})
		if err != nil {
			t.Fatal(err)
		}
		f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: attempted.Version, Token: s.NewToken()}
		if err := s.As(admin).CancelSubscription(t.Context(), f, "moved"); err != nil {
			t.Fatal(err)
		}
		if outcome, err := s.RecordDecline(t.Context(), attempted, "no funds", store.RunContext{}); err != nil || outcome != store.OutcomeDeclined {
			t.Errorf("got outcome %s, %v; want the subscription cancelled, not paused", outcome, err)
		}
	})
}

// TestRecordDecline_PaidMeanwhile imports the receipt of a payment during an attempt that is
// then declined. The payment must be skipped with two transactions, of which the first one
// fails, and without a retry or an email.
func TestRecordDecline_PaidMeanwhile(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		counted := &countedTable{DB: db}
		s := storetest.OpenTable(t, counted, name, clock)
		sub := subscription(1)
		load(t, s, sub)
		before := get(t, s, sub)
		charging := store.RunContext{Job: store.PaymentsJob, Date: due}
		attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, charging)
		if err != nil {
			t.Fatal(err)
		}
		receipt := &store.Receipt{AccountID: sub.AccountID, SubscriptionID: sub.ID, SKU: sub.SKU, DueDate: due, Email: sub.Email, ProcessedDate: clock.Now(), ProcessedAmount: sub.PaymentAmount, Version: 1}
		if loaded, err := s.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		counted.transactions.Store(0)
		outcome, err := s.RecordDecline(t.Context(), attempted, "no funds", charging)
		if err != nil || outcome != store.OutcomeSkipped {
			t.Errorf("got outcome %s, %v; want the payment skipped", outcome, err)
		}
		if n := counted.transactions.Load(); n != 2 {
			t.Errorf("got %d transactions, want 2", n)
		}
		after := get(t, s, sub)
		if after.Status != store.SubscriptionActive || after.Attempt != 0 || !after.NextPaymentDate.After(due) || after.PendingAttempt.Key != "" {
			t.Errorf("got %+v, want an active subscription without a declined attempt and with the next payment a month later", after)
		}
		deliver(t, runner(t, s, jobs.Record{}, &mailbox{}), jobs.Delivery{})
	})
}
