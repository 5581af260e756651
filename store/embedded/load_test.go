package embedded_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Load has the result of puts on the condition that the item does not exist.
func TestLoad_SkipsExistingKeys(t *testing.T) {
	const count = 4000
	db := openShop(t)
	before := with(order(7), "Status", s("OLD"), "Name", s("before"))
	put(t, db, before, key("other", "item"))
	items := orders(count)
	items = append(items, with(order(2500), "Name", s("twice")))
	skipped, err := db.Load(t.Context(), shop, items)
	if err != nil || !slices.Equal(skipped, []int{7, count}) {
		t.Fatalf("got skipped %v, error %v; want 7 and %d", skipped, err, count)
	}
	mustEqual(t, get(t, db, item{"PK": order(7)["PK"], "SK": order(7)["SK"]}), before)
	mustEqual(t, get(t, db, item{"PK": order(2500)["PK"], "SK": order(2500)["SK"]}), order(2500))
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *out.Table.ItemCount, int64(count+1))
}

func TestLoad_IsAtomic(t *testing.T) {
	db := openShop(t)
	_, err := db.Load(t.Context(), shop, []item{key("a", "a"), {"PK": s("a")}})
	wantInvalid(t, err, "One or more parameter values were invalid: Missing the key SK in the item")
	var missing *types.ResourceNotFoundException
	if _, err = db.Load(t.Context(), "Nowhere", orders(1)); !errors.As(err, &missing) {
		t.Errorf("Load into missing table: got %v, want ResourceNotFoundException", err)
	}
	mustEqual(t, get(t, db, key("a", "a")), item(nil))
}
