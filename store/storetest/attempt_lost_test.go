package storetest_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"stockroom/store"
	"stockroom/store/storetest"
)

// losesUpdate is a table that loses the response of the first update.
type losesUpdate struct {
	store.DB
	once sync.Once
}

func (l *losesUpdate) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := l.DB.UpdateItem(ctx, in, options...)
	l.once.Do(func() { out, err = nil, &smithy.GenericAPIError{Code: "RequestTimeout"} })
	return out, err
}

// TestRecordAttempt_LostResponse loses the response of an update, so that its repetition
// fails. The update may have changed the table, although its error is Conflict.
func TestRecordAttempt_LostResponse(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(&losesUpdate{DB: db}, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		due := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
		sub := &store.Subscription{
			ID: "s1", AccountID: "1", SKU: "TEA", Email: "kim@example.com", Status: store.SubscriptionActive, PaymentDay: 21, PaymentAmount: store.MinorUnits(900),
			NextPaymentDate: due, NextAttemptDate: due, NextReminderDate: due, Version: 1,
		}
		if loaded, err := s.Load(t.Context(), []store.Entity{sub}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded)
		}
		ctx := store.RecordChanges(t.Context(), &store.Changes{})
		_, err := s.RecordAttempt(ctx, sub, store.ServiceStripe, store.RunContext{Job: store.PaymentsJob, Date: due})
		if changed, known := store.MayHaveChanged(ctx); store.KindOf(err) != store.Conflict || !changed || !known {
			t.Errorf("got %v, changed %v, %v; want Conflict, and that the table may have changed", err, changed, known)
		}
	})
}
