package storetest_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// refusingDB is a table that rejects the next transactions as if a condition had
// failed.
type refusingDB struct {
	store.DB
	left int
}

func (r *refusingDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if r.left == 0 {
		return r.DB.TransactWriteItems(ctx, in, options...)
	}
	r.left--
	return nil, &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("ConditionalCheckFailed")}}}
}

// TestRecordPayment_MasksCardOnce checks that a payment whose first tries conflict
// with other changes keeps the last four digits of the card.
func TestRecordPayment_MasksCardOnce(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		refusing := &refusingDB{DB: db}
		opened := store.New(refusing, table, clock.Now)
		s := &selling{t, opened, opened.As(admin), storetest.NewSmallShop()}
		id := s.placeOrder()
		p := s.paying(id, "0", "1")
		refusing.left = 3
		s.done("a card", s.admin.RecordPayment(t.Context(), p, s.store.NewToken()))
		if paid := s.order(id).Invoices[0].Payments; len(paid) != 1 || paid[0].Data != "•••• 1234" {
			t.Errorf("got payments %+v, want one by card •••• 1234", paid)
		}
	})
}
