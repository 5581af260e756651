package table

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestAdd_WithoutCounts adds a sum but no count. The version must still increase.
func TestAdd_WithoutCounts(t *testing.T) {
	x := New(nil, "T", boats).NewTx(1)
	x.Add(&boat{ID: "1"}, Addition{Sums: map[string]string{"Price": "1"}})
	if len(x.items) != 1 || x.err != nil {
		t.Fatalf("got %d actions, error %v; want 1", len(x.items), x.err)
	}
	if got := *x.items[0].Update.UpdateExpression; !strings.Contains(got, "#Version :Version") {
		t.Errorf("got the expression %q, want it to add to the version", got)
	}
}

// conflictingDB is a DB that cancels its first transaction, as if another one were writing
// one of the items.
type conflictingDB struct {
	DB
	at    int // position of the item
	tries int
}

func (c *conflictingDB) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if c.tries++; c.tries > 1 {
		return &dynamodb.TransactWriteItemsOutput{}, nil
	}
	reasons := make([]types.CancellationReason, len(in.TransactItems))
	for i := range reasons {
		reasons[i].Code = aws.String("None")
	}
	reasons[c.at].Code = aws.String("TransactionConflict")
	return nil, &types.TransactionCanceledException{CancellationReasons: reasons}
}

// TestOnConflict_OnlyOfAdditions commits transactions that first conflict with another one.
// The function that was passed to OnConflict must be called only if the conflict is about
// an addition.
func TestOnConflict_OnlyOfAdditions(t *testing.T) {
	for at, want := range []int{0, 1} { // item 0 is replaced, and item 1 gets an addition
		db := &conflictingDB{at: at}
		conflicts := 0
		table := New(db, "T", boats)
		table.OnConflict(func() { conflicts++ })
		x := table.NewTx(1)
		x.Replace(&boat{ID: "1"}, 1)
		x.Add(&boat{ID: "2"}, Addition{Sums: map[string]string{"Price": "1"}})
		if err := x.Commit(t.Context()); err != nil || db.tries != 2 || conflicts != want {
			t.Errorf("conflict at item %d: got %v, %d tries, %d calls; want 2 tries and %d calls", at, err, db.tries, conflicts, want)
		}
	}
}
