package storetest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// interruptedDB is a table that calls a function before one of the requests that read
// totals, or that write in a transaction.
type interruptedDB struct {
	store.DB
	mu   sync.Mutex
	at   int // calls the function before the request with this number
	call func()
}

func (i *interruptedDB) count() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.at--; i.at == 0 {
		i.call()
	}
}

func (i *interruptedDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if pk, _ := in.ExpressionAttributeValues[":pk"].(*types.AttributeValueMemberS); pk != nil && strings.HasPrefix(pk.Value, "total#") {
		i.count()
	}
	return i.DB.Query(ctx, in, options...)
}

func (i *interruptedDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	i.count()
	return i.DB.TransactWriteItems(ctx, in, options...)
}

// TestLoad_KeepsConcurrentAdditions imports the total of a day that is stored in several
// slots. Another server adds an order or a payment to one of the slots before one of the
// requests of the import: each subtest uses another request. The addition must not be
// lost, and nothing may be counted twice. The imported total of payments may already
// include the payment.
func TestLoad_KeepsConcurrentAdditions(t *testing.T) {
	t.Parallel()
	day := storetest.Now.Truncate(24 * time.Hour)
	total := func(kind store.TotalKind, shard, slot, count int) *store.Total {
		return &store.Total{Kind: kind, Day: day, Shard: shard, Slot: slot, Count: count, Amount: store.MinorUnits(int64(count) * 1_00).Sum(), Version: 1}
	}
	for _, kind := range []store.TotalKind{store.TotalOrders, store.TotalPayments} {
		for name, added := range map[string]*store.Total{"first slot": total(kind, 0, 0, 1), "other slot": total(kind, 0, 5, 1), "new slot": total(kind, 1, 9, 1)} {
			requests := 1
			for at := 1; at <= requests; at++ {
				t.Run(fmt.Sprintf("%s %s before request %d", kind, name, at), func(t *testing.T) {
					clock := storetest.NewClock()
					db := storetest.Embedded(t, clock)
					setUp := store.New(db, storetest.TableName, clock.Now)
					if err := setUp.CreateTable(t.Context()); err != nil {
						t.Fatal(err)
					}
					setShards(t, setUp, 2)
					stored := []store.Entity{total(kind, 0, 0, 7), total(kind, 0, 5, 3), total(kind, 1, 5, 2)}
					if loaded, err := setUp.Load(t.Context(), stored, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
						t.Fatal(err, loaded.Rejected)
					}
					imported, want := 12, []int{13}
					if kind == store.TotalPayments { // the file also counts payments whose receipts have expired
						imported, want = 32, []int{32, 33}
					}
					interrupted := &interruptedDB{DB: db, at: at, call: func() { addToTotal(t, db, added) }}
					importing := store.New(interrupted, storetest.TableName, clock.Now)
					loaded, err := importing.Load(t.Context(), []store.Entity{total(kind, 0, 0, imported)}, store.LoadOptions{})
					if err != nil {
						t.Fatal(err)
					}
					if interrupted.at > 0 {
						t.Skip("the import has fewer requests")
					}
					requests = at + 1
					sum := 0
					totals, err := setUp.As(admin).Totals(t.Context(), kind, store.DateRange{From: day, To: day})
					for i := range totals {
						sum += totals[i].Count
					}
					if err != nil || !slices.Contains(want, sum) {
						t.Errorf("got %d, %v, rejected %v; want one of %v", sum, err, loaded.Rejected, want)
					}
				})
			}
			if requests < 4 {
				t.Errorf("got %d requests, want at least 4", requests)
			}
		}
	}
}

// addToTotal adds to one slot of a total, as an order or a payment does.
func addToTotal(t *testing.T, db store.DB, added *store.Total) {
	t.Helper()
	item, err := store.Encode(added, 2)
	if err != nil {
		t.Fatal(err)
	}
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String(storetest.TableName), Key: store.Item{"PK": item["PK"], "SK": item["SK"]},
		UpdateExpression:         aws.String("ADD #count :count, #amount :amount, #version :version SET #day = :day, #type = :type, #slot = :slot"),
		ExpressionAttributeNames: map[string]string{"#count": "Count", "#amount": "Amount", "#version": "Version", "#day": "Day", "#type": "EntityType", "#slot": "Slot"},
		ExpressionAttributeValues: store.Item{
			":count": item["Count"], ":amount": item["Amount"], ":version": item["Version"], ":day": item["Day"], ":type": item["EntityType"],
			":slot": &types.AttributeValueMemberN{Value: fmt.Sprint(added.Slot)},
		},
	}
	if _, err := db.UpdateItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}
