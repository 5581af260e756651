package storetest_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// queries is a table that counts Query requests.
type queries struct {
	store.DB
	made atomic.Int64
}

func (q *queries) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	q.made.Add(1)
	return q.DB.Query(ctx, in, options...)
}

// TestHasBusiness_AnyStatus checks that HasBusiness finds a single order or subscription
// with any status, and nothing in an empty table, with one or many shards. It may make at
// most 600 queries.
func TestHasBusiness_AnyStatus(t *testing.T) {
	t.Parallel()
	var all []store.Entity
	for _, status := range store.OrderStatuses {
		all = append(all, &store.Order{ID: "o", CustomerID: "c", Date: storetest.Now, Status: status, Version: 1})
	}
	for _, status := range store.SubscriptionStatuses {
		all = append(all, &store.Subscription{ID: "s", AccountID: "a", SKU: "PLAN", Status: status, PaymentDay: 1, NextPaymentDate: storetest.Now, Version: 1})
	}
	for _, shards := range []int{1, 25, store.MaxShards} {
		for n, e := range append(all, nil) {
			clock := storetest.NewClock()
			db := &queries{DB: storetest.Embedded(t, clock)}
			s := storetest.OpenTable(t, db, storetest.TableName, clock)
			settings, err := s.Settings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			settings.Shards, settings.ShardsRead = shards, shards
			if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
				t.Fatal(err)
			}
			if e != nil {
				if loaded, err := s.Load(t.Context(), []store.Entity{e}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
			}
			before := db.made.Load()
			if has, err := s.HasBusiness(t.Context()); err != nil || has != (e != nil) {
				t.Errorf("%d shards, entity %d: got %t, %v; want %t", shards, n, has, err, e != nil)
			}
			if got := db.made.Load() - before; got > 600 {
				t.Errorf("%d shards: got %d queries, want at most 600", shards, got)
			}
		}
	}
}
