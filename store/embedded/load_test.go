package embedded_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Load leaves what so many puts on condition that nothing is there leave.
func TestLoadPutsWhatIsNew(t *testing.T) {
	const count = 4000
	db := openShop(t)
	before := with(order(7), "Status", s("OLD"), "Name", s("before"))
	put(t, db, before, key("other", "item"))
	items := orders(count)
	items = append(items, with(order(2500), "Name", s("twice")))
	taken, err := db.Load(t.Context(), shop, items)
	if err != nil || !slices.Equal(taken, []int{7, count}) {
		t.Fatalf("taken %v, %v", taken, err)
	}
	mustEqual(t, get(t, db, item{"PK": order(7)["PK"], "SK": order(7)["SK"]}), before)
	mustEqual(t, get(t, db, item{"PK": order(2500)["PK"], "SK": order(2500)["SK"]}), order(2500))
	if found := problems(t, db); found != nil {
		t.Error(found)
	}
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *out.Table.ItemCount, int64(count+1))
}

func TestLoadIsAllOrNothing(t *testing.T) {
	db := openShop(t)
	_, err := db.Load(t.Context(), shop, []item{key("a", "a"), {"PK": s("a")}})
	mustRefuse(t, err, "One or more parameter values were invalid: Missing the key SK in the item")
	var missing *types.ResourceNotFoundException
	if _, err = db.Load(t.Context(), "Nowhere", orders(1)); !errors.As(err, &missing) {
		t.Errorf("loading into no table: %v", err)
	}
	mustEqual(t, get(t, db, key("a", "a")), item(nil))
}
