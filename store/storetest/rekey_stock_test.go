package storetest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// TestRekey_StockWithoutBin changes the keys of stock without a bin to those that earlier
// versions wrote. Rekey must remove them, so that only stock with a bin is in the index.
func TestRekey_StockWithoutBin(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := storetest.OpenTable(t, db, name, clock)
		if loaded, err := s.Load(t.Context(), []store.Entity{
			&store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Quantity: 5, Version: 1},
			&store.WarehouseItem{ProductID: "p2", WarehouseID: "w1", Quantity: 5, Bin: "A-1", Version: 1},
		}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		inIndex := func() (products []string) {
			found, err := s.As(admin).Partition(t.Context(), "GSI4", "w#w1", store.Page{})
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range found.Rows {
				products = append(products, table.TextOf(item, "GSI4-SK"))
			}
			return products
		}
		_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: &name, Key: table.Key("p#p1", "w#w1"), UpdateExpression: aws.String("SET #pk = :pk, #sk = :sk"),
			ExpressionAttributeNames: map[string]string{"#pk": "GSI4-PK", "#sk": "GSI4-SK"},
			ExpressionAttributeValues: store.Item{
				":pk": &types.AttributeValueMemberS{Value: "w#w1"}, ":sk": &types.AttributeValueMemberS{Value: "bin#-#p#p1"},
			},
		})
		if before := inIndex(); err != nil || len(before) != 2 {
			t.Fatalf("got %q in the index, %v; want both", before, err)
		}
		if result, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || result.Repaired != 1 || result.Damaged != 0 {
			t.Errorf("got %+v, %v; want one repaired", result, err)
		}
		if got := inIndex(); len(got) != 1 || got[0] != "bin#a-1#p#p2" {
			t.Errorf("got %q in the index, want only the stock with a bin", got)
		}
		checkKeys(t, s, 15)
	})
}
