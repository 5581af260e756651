package embedded_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Load leaves what so many puts leave, also where items were there before
// and where one key comes twice.
func TestLoadIsManyPuts(t *testing.T) {
	const count = 4000
	large := s(strings.Repeat("x", 10<<10)) // so that there are several chunks
	db := openShop(t)
	put(t, db, with(order(7), "Status", s("OLD"), "Name", s("before")), key("other", "item"))
	loaded, err := db.Load(t.Context(), shop, func(yield func(item, error) bool) {
		for i := range count {
			it := with(order(i), "Data", large)
			if !yield(it, nil) || i%1000 == 500 && !yield(with(it, "Name", s("twice")), nil) {
				return
			}
		}
	})
	if err != nil || loaded != count+count/1000 {
		t.Fatalf("%d loaded, %v", loaded, err)
	}
	mustEqual(t, get(t, db, item{"PK": order(7)["PK"], "SK": order(7)["SK"]}), with(order(7), "Data", large))
	mustEqual(t, get(t, db, item{"PK": order(2500)["PK"], "SK": order(2500)["SK"]}), with(order(2500), "Data", large, "Name", s("twice")))
	if found := problems(t, db); found != nil {
		t.Error(found)
	}
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *out.Table.ItemCount, int64(count+1))
}

func TestLoadEndsWithItsFirstError(t *testing.T) {
	db := openShop(t)
	broken := errors.New("the file is broken")
	loaded, err := db.Load(t.Context(), shop, func(yield func(item, error) bool) {
		_ = yield(key("a", "a"), nil) && yield(nil, broken)
	})
	if !errors.Is(err, broken) || loaded != 0 {
		t.Errorf("%d loaded, %v", loaded, err)
	}
	_, err = db.Load(t.Context(), shop, func(yield func(item, error) bool) { yield(item{"PK": s("a")}, nil) })
	mustRefuse(t, err, "One or more parameter values were invalid: Missing the key SK in the item")
	var missing *types.ResourceNotFoundException
	if _, err = db.Load(t.Context(), "Nowhere", orders(1)); !errors.As(err, &missing) {
		t.Errorf("loading into no table: %v", err)
	}
	mustEqual(t, get(t, db, key("a", "a")), item(nil))
}
