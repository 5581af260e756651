package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// damageKeys changes index keys of customers as if earlier versions or other programs
// had written them.
func damageKeys(t *testing.T, db store.DB, table string) {
	t.Helper()
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	for id, expression := range map[string]string{
		"c01": "REMOVE #a, #b",        // no keys of an index that was added later
		"c02": "REMOVE #a",            // only one of the two keys of an index
		"c03": "REMOVE #b, #v",        // only one of the two keys of an index, and no Version
		"c04": "SET #a = :x, #b = :x", // a wrong key
		"c05": "SET #c = :x",          // one of the two keys of an index in which the customer should not be
	} {
		names := map[string]string{"#a": "GSI3-PK", "#b": "GSI3-SK", "#c": "GSI6-PK", "#v": "Version"}
		in := &dynamodb.UpdateItemInput{TableName: &table, Key: store.Item{"PK": text("c#" + id), "SK": text("c#" + id)}, UpdateExpression: aws.String(expression), ExpressionAttributeNames: map[string]string{}}
		for name, attribute := range names {
			if strings.Contains(expression, name) {
				in.ExpressionAttributeNames[name] = attribute
			}
		}
		if strings.Contains(expression, ":x") {
			in.ExpressionAttributeValues = store.Item{":x": text("x")}
		}
		if _, err := db.UpdateItem(t.Context(), in); err != nil {
			t.Fatal(id, err)
		}
	}
}

// TestRekey_RepairsAndResumes interrupts runs after eight pages each, until one is
// complete. All damaged keys must be repaired.
func TestRekey_RepairsAndResumes(t *testing.T) {
	storetest.ShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		damageKeys(t, db, table)
		runs, last := 0, store.RekeyResult{}
		for {
			runs++
			ctx, kill := context.WithCancel(t.Context())
			pages := 0
			result, err := s.Rekey(ctx, store.Rekeying{PageSize: 100, Progress: func(store.RekeyResult) {
				if pages++; pages == 8 {
					kill()
				}
			}})
			kill()
			if result.Read < last.Read || result.Repaired < last.Repaired {
				t.Fatalf("run %d: got %+v after %+v, want the interrupted run continued", runs, result, last)
			}
			last = result
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) || runs > 100 {
				t.Fatal(err)
			}
			clock.Advance(2 * time.Minute)
		}
		var items atomic.Int64
		if err := s.Everything(t.Context(), func(page []store.Item) error { items.Add(int64(len(page))); return nil }); err != nil {
			t.Fatal(err)
		}
		// If the progress of a page was not stored, the next run reads the page again but
		// does not count its repairs.
		if runs < 2 || last.Read < int(items.Load())-2 || last.Repaired > 5 || last.Damaged != 0 {
			t.Errorf("got %d runs, %+v of %d items; want several runs and at most 5 repaired", runs, last, items.Load())
		}
		checkKeys(t, s, 15)
		if again, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || again.Repaired != 0 {
			t.Errorf("again: got %+v, %v; want nothing repaired", again, err)
		}
		damageKeys(t, db, table)
		if whole, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || whole.Repaired != 5 {
			t.Errorf("a run without interruption: got %+v, %v; want 5 repaired", whole, err)
		}
	})
}

// TestRekey_ReportsFirstDamagedItem damages the stock of a product in many warehouses.
// All of these items are on one page of the table. Rekey must count all of them, and
// report the first one.
func TestRekey_ReportsFirstDamagedItem(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		const damaged = 30
		s := storetest.OpenTable(t, db, table, clock)
		all := []store.Entity{&store.Product{ID: "p", Name: "Lamp", Version: 1}}
		for n := range damaged {
			all = append(all, &store.WarehouseItem{ProductID: "p", WarehouseID: fmt.Sprintf("w%02d", n), Name: "Lamp", Quantity: 1, Version: 1})
		}
		if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		for _, e := range all[1:] {
			item, err := store.Encode(e, 1)
			if err == nil {
				_, err = db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
					TableName: &table, Key: keyOf(item), UpdateExpression: aws.String("SET Quantity = :x"), ExpressionAttributeValues: store.Item{":x": textValue("x")},
				})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || got.Damaged != damaged || !strings.Contains(got.First, "w#w00") {
			t.Errorf("got %+v, %v; want %d damaged items, and the error of the first one", got, err, damaged)
		}
	})
}
