package storetest_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

var errLost = errors.New("the response was lost")

// losesOne is a table that loses the response of one write of Rekey's lease.
type losesOne struct {
	store.DB
	before atomic.Int64 // decreases with each write of the lease; the response of the write that makes it 0 is lost
}

func (l *losesOne) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := l.DB.TransactWriteItems(ctx, in, options...)
	for _, action := range in.TransactItems {
		if action.Put == nil || err != nil {
			continue
		}
		if pk, ok := action.Put.Item["PK"].(*types.AttributeValueMemberS); ok && pk.Value == "lease#rekey" && l.before.Add(-1) == 0 {
			return nil, errLost
		}
	}
	return out, err
}

// TestRekey_LostResponse loses the response of a write that saves the progress of Rekey.
// The run must fail, but it must end its lease, so that the next run can continue
// immediately.
func TestRekey_LostResponse(t *testing.T) {
	storetest.ShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		lossy := &losesOne{DB: db}
		s := store.New(lossy, table, clock.Now)
		damageKeys(t, db, table)
		lossy.before.Store(4)
		first, err := s.Rekey(t.Context(), store.Rekeying{PageSize: 100})
		if !errors.Is(err, errLost) {
			t.Fatalf("got %+v, %v; want the error", first, err)
		}
		whole, err := s.Rekey(t.Context(), store.Rekeying{PageSize: 100})
		if err != nil || whole.Repaired < first.Repaired || whole.Read <= first.Read {
			t.Errorf("got %+v after %+v, %v; want the interrupted run continued immediately", whole, first, err)
		}
		checkKeys(t, s, 15)
	})
}
