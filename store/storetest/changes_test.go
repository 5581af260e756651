package storetest_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// keptIn returns a product that is in stock in n warehouses. The IDs of the warehouses are
// hashes, which compression cannot shorten.
func keptIn(n int) []store.Entity {
	all := []store.Entity{&store.Product{ID: "p", Name: "Old", Price: store.MinorUnits(100), Version: 1}}
	for i := range n {
		id := fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i)}))
		all = append(all, &store.Warehouse{ID: id, Name: id, Version: 1},
			&store.WarehouseItem{ProductID: "p", WarehouseID: id, Name: "Old", Quantity: 1, Version: 1})
	}
	return all
}

// batches is a table that counts BatchGetItem requests.
type batches struct {
	store.DB
	made atomic.Int64
}

func (b *batches) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	b.made.Add(1)
	return b.DB.BatchGetItem(ctx, in, options...)
}

// onLagging runs a test on a table that contains these entities and whose indexes do not
// show the changes that the test makes.
func onLagging(t *testing.T, entities []store.Entity, test func(t *testing.T, db *batches, admin store.Access)) {
	t.Parallel()
	clock := storetest.NewClock()
	lagging := storetest.NewLagging(storetest.Embedded(t, clock), storetest.Embedded(t, clock))
	for _, db := range []store.DB{lagging.Behind, lagging.DB} {
		s := storetest.OpenTable(t, db, storetest.TableName, clock)
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
	}
	lagging.Hold()
	db := &batches{DB: lagging}
	test(t, db, storetest.OpenTable(t, db, storetest.TableName, clock).As(&store.User{Name: "admin", Role: store.Admin}))
}

// limit is the maximum size of the encoded changes in bytes. The browser stores them in a
// cookie.
const limit = 1900

// TestChanges_KeepMainItem renames a product in so many warehouses that a cookie
// cannot contain the keys of all changed items. The cookie must contain the key of
// the product itself.
func TestChanges_KeepMainItem(t *testing.T) {
	for _, n := range []int{30, 97, 150} { // with 150, the change needs several transactions
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			onLagging(t, keptIn(n), func(t *testing.T, _ *batches, admin store.Access) {
				var changes store.Changes
				recording := store.RecordChanges(t.Context(), &changes)
				p, err := admin.ProductForChange(recording, "p")
				if err != nil {
					t.Fatal(err)
				}
				p.Name = "New"
				if err := admin.SaveProduct(recording, *p, ""); err != nil {
					t.Fatal(err)
				}
				encoded := changes.Encode(limit)
				if len(encoded) > limit || len(encoded) < limit/2 {
					t.Errorf("got %d bytes, want most of %d", len(encoded), limit)
				}
				after := store.ReadAfter(t.Context(), store.DecodeChanges(encoded))
				if found, err := admin.Products(after, store.ProductFilter{Name: "New"}, store.Page{}); err != nil || len(found.Rows) != 1 {
					t.Errorf("got products %+v, %v; want the product with its new name", found.Rows, err)
				}
				if found, err := admin.Products(after, store.ProductFilter{Name: "Old"}, store.Page{}); err != nil || len(found.Rows) != 0 {
					t.Errorf("got products %+v, %v with the old name, want none", found.Rows, err)
				}
			})
		})
	}
}

// TestReadAfter_OneBatch sends a kayak of one store for repair, and then lists 250
// stores. All stores are in one partition of an index. The list must show the change with
// a single BatchGetItem request.
func TestReadAfter_OneBatch(t *testing.T) {
	const stores = 250
	all := []store.Entity{&store.Kayak{ID: "k", StoreID: "s100", Name: "Kayak", Status: store.KayakIn, Version: 1}}
	for n := range stores {
		all = append(all, &store.RentalStore{ID: fmt.Sprintf("s%03d", n), Name: "Lake", Version: 1})
	}
	onLagging(t, all, func(t *testing.T, db *batches, admin store.Access) {
		var changes store.Changes
		if err := admin.Repair(store.RecordChanges(t.Context(), &changes), "k", 1, "leaks", ""); err != nil {
			t.Fatal(err)
		}
		after := store.ReadAfter(t.Context(), store.DecodeChanges(changes.Encode(limit)))
		before := db.made.Load()
		found, err := admin.RentalStores(after, store.NotArchived)
		if err != nil || len(found) != stores {
			t.Fatalf("got %d stores, %v; want %d", len(found), err, stores)
		}
		inRepair := 0
		for _, s := range found {
			inRepair += s.Repair
		}
		if inRepair != 1 {
			t.Errorf("got %d kayaks in repair, want 1", inRepair)
		}
		if got := db.made.Load() - before; got > 1 {
			t.Errorf("got %d BatchGetItem requests, want at most 1", got)
		}
	})
}
