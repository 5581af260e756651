package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

// transfer moves a quantity from one stock item to another, on the condition that
// there is enough.
func transfer(from, to item, quantity int) []types.TransactWriteItem {
	add := types.TransactWriteItem{Update: &types.Update{
		TableName: aws.String(shop), Key: to, UpdateExpression: aws.String("ADD Quantity :n"), ExpressionAttributeValues: item{":n": n(quantity)},
	}}
	return []types.TransactWriteItem{takeStock(from, quantity), add}
}

func stockKey(i int) item { return key("stock", fmt.Sprintf("w#%02d", i)) }

// stockOf returns the sum and the lowest of the quantities of all stock items, read in
// one request.
func stockOf(ctx context.Context, db client) (sum, lowest int, err error) {
	out, err := db.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("stock")},
	})
	if err != nil {
		return 0, 0, err
	}
	lowest = 1 << 30
	for _, it := range out.Items {
		var quantity int
		if _, err := fmt.Sscan(it["Quantity"].(*types.AttributeValueMemberN).Value, &quantity); err != nil {
			return 0, 0, err
		}
		sum += quantity
		lowest = min(lowest, quantity)
	}
	return sum, lowest, nil
}

// TestTransactWriteItems_ConcurrentTransfersKeepSum makes concurrent transfers
// between stock items. No reader may see half a transfer, and the sum must not
// change.
func TestTransactWriteItems_ConcurrentTransfersKeepSum(t *testing.T) {
	const places, each, writers, readers = 10, 20, 16, 4
	db := openShop(t)
	for i := range places {
		put(t, db, with(stockKey(i), "Quantity", n(each), "Status", s("STOCK")))
	}
	deadline := time.Now().Add(700 * time.Millisecond)
	var moved, cancelled atomic.Int64
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for time.Now().Before(deadline) || moved.Load() == 0 || cancelled.Load() == 0 {
				from, to := rand.IntN(places), rand.IntN(places-1)
				if to >= from {
					to++
				}
				_, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: transfer(stockKey(from), stockKey(to), 1+rand.IntN(each))})
				var failed *types.TransactionCanceledException
				switch {
				case err == nil:
					moved.Add(1)
				case errors.As(err, &failed):
					cancelled.Add(1)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	for range readers {
		wait.Go(func() {
			for time.Now().Before(deadline) {
				sum, lowest, err := stockOf(t.Context(), db)
				if err != nil || sum != places*each || lowest < 0 {
					t.Errorf("got sum %d, lowest %d, error %v; want %d, at least 0, none", sum, lowest, err, places*each)
					return
				}
			}
		})
	}
	wait.Wait()
	if moved.Load() == 0 || cancelled.Load() == 0 {
		t.Errorf("got %d transfers and %d cancelled, want some of each", moved.Load(), cancelled.Load())
	}
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}

func TestUpdateItem_ConcurrentAdds(t *testing.T) {
	const writers, each = 16, 25
	db := openShop(t)
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for range each {
				_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
					TableName: aws.String(shop), Key: key("a", "a"), UpdateExpression: aws.String("ADD Hits :one"), ExpressionAttributeValues: item{":one": n(1)},
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	mustEqual(t, get(t, db, key("a", "a")), with(key("a", "a"), "Hits", n(writers*each)))
}

// TestPutItem_ConcurrentCreationHasOneWinner creates the same item several times
// concurrently. Only one creation may succeed, even if the engine commits several creations
// together.
func TestPutItem_ConcurrentCreationHasOneWinner(t *testing.T) {
	db := openShop(t)
	for round := range 20 {
		var won atomic.Int64
		var wait sync.WaitGroup
		for writer := range 8 {
			wait.Go(func() {
				_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{
					TableName: aws.String(shop), Item: with(key("round", fmt.Sprint(round)), "By", n(writer)), ConditionExpression: aws.String("attribute_not_exists(PK)"),
				})
				var failed *types.ConditionalCheckFailedException
				if err == nil {
					won.Add(1)
				} else if !errors.As(err, &failed) {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		mustEqual(t, won.Load(), int64(1))
	}
}

func TestContext_CancelsRequests(t *testing.T) {
	db := openShop(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(shop), Item: key("a", "cancelled")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("write with cancelled context: got %v, want context.Canceled", err)
	}
	mustEqual(t, get(t, db, key("a", "cancelled")), item(nil))
	if _, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "a")}); !errors.Is(err, context.Canceled) {
		t.Errorf("read with cancelled context: got %v, want context.Canceled", err)
	}
}

// TestClose_DuringWrites closes the store during writes. Each write must either succeed
// or return ErrClosed. After reopening, the items of the successful writes must exist.
func TestClose_DuringWrites(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	var acknowledged sync.Map
	begun := make(chan struct{}, 8)
	var wait sync.WaitGroup
	for writer := range 8 {
		wait.Go(func() {
			for i := 0; ; i++ {
				k := key(fmt.Sprint("writer ", writer), fmt.Sprint(i))
				_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: k})
				if errors.Is(err, embedded.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				acknowledged.Store(fmt.Sprint(writer, i), k)
				if i == 0 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range cap(begun) {
		<-begun
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	db = open(t, dir)
	acknowledged.Range(func(_, k any) bool {
		mustEqual(t, get(t, db, k.(item)), k)
		return true
	})
}
