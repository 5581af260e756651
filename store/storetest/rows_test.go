package storetest_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRows_ListLikeItems pages at random through all lists of two stores with the same
// table. One store reads the rows of the embedded engine, and the other reads items. IDs,
// positions and the traced reads must be equal.
func TestRows_ListLikeItems(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, shards := range []int{1, 4} {
		clock := storetest.NewClock()
		db := shops[shards].Embedded(t, clock)
		rows := store.New(db, storetest.TableName, clock.Now).As(admin)
		items := store.New(struct{ store.DB }{db}, storetest.TableName, clock.Now).As(admin)
		shop := storetest.NewShop()
		withRows, withItems := listings(rows, shop), listings(items, shop)
		for i := range withRows {
			var at *store.Position
			for range 12 {
				page := store.Page{Limit: 1 + random.IntN(9), At: at}
				got, prev, next := readTraced(t, withRows[i], page)
				want, _, _ := readTraced(t, withItems[i], page)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %+v: got %+v, want %+v", withRows[i].name, page, got, want)
				}
				if at = next; next == nil || prev != nil && random.IntN(3) == 0 {
					at = prev
				}
			}
		}
		for _, o := range shop.Orders {
			got, err := rows.Order(t.Context(), o.ID)
			want, wantErr := items.Order(t.Context(), o.ID)
			if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("order %s: got %+v, %v; want %+v, %v", o.ID, got, err, want, wantErr)
			}
		}
	}
}

// listedPage is a page of a list, with the reads that returned it.
type listedPage struct {
	ids        []string
	prev, next *store.Position
	err        string
	reads      []store.Read
	items      []store.Item
}

func readTraced(t *testing.T, l listing, page store.Page) (a listedPage, prev, next *store.Position) {
	trace := &store.Trace{KeepItems: true}
	var err error
	a.ids, a.prev, a.next, err = l.read(store.WithTrace(t.Context(), trace), page)
	a.err, a.reads, a.items = fmt.Sprint(err), trace.Reads(), trace.Items()
	for i := range a.reads {
		a.reads[i].Took = 0
	}
	return a, a.prev, a.next
}

// TestLists_Count reads pages with Page.Count, which only counts the rows. The positions
// must be those of the complete pages, and the rows must be empty.
func TestLists_Count(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, _ storetest.Shop) {
		f := store.OrderFilter{Status: store.OrderPaid}
		for page := (store.Page{Limit: 5}); ; {
			want, err := a.Orders(t.Context(), f, false, page)
			if err != nil || len(want.Rows) == 0 {
				t.Fatalf("got %d rows, error %v", len(want.Rows), err)
			}
			page.Count = true
			got, err := a.Orders(t.Context(), f, false, page)
			if err != nil || !reflect.DeepEqual(got, store.List[store.Order]{Rows: make([]store.Order, len(want.Rows)), Prev: want.Prev, Next: want.Next}) {
				t.Fatalf("got %+v, error %v; want %d empty rows and the positions of %+v", got, err, len(want.Rows), want)
			}
			if page.Count, page.At = false, want.Next; want.Next == nil {
				return
			}
		}
	})
}
