package storetest_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTimeline_PagesBothWays checks that pages of any size contain each entry once and
// in order, even if entries have the same second.
func TestTimeline_PagesBothWays(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var entities []store.Entity
		for n := range 40 {
			// Four orders per second, each with its invoice, and four rentals.
			date := storetest.Now.Add(-time.Duration(n/4) * time.Second)
			id := fmt.Sprintf("t%02d", n)
			entities = append(entities,
				&store.Order{ID: id, CustomerID: "c1", Date: date, Status: store.OrderOpen, Version: 1},
				&store.Invoice{ID: id, OrderID: id, CustomerID: "c1", Date: date, Status: store.InvoiceUnpaid, Version: 1},
				&store.Rental{ID: id, PersonID: "c1", StoreID: fmt.Sprint("s", n%2), KayakID: id, Out: date, Due: date, Version: 1},
			)
		}
		for n := range 6 {
			// Two receipts on each of three days. The first day also has other entries.
			due := storetest.Now.Truncate(24*time.Hour).AddDate(0, 0, -n/2)
			entities = append(entities, &store.Receipt{AccountID: "c1", SubscriptionID: fmt.Sprint("s", n), SKU: "A", DueDate: due, Version: 1})
		}
		ids := store.NewIDs(func() time.Time { return storetest.Now.Add(-5 * time.Second) })
		for range 5 {
			id, err := ids.New()
			if err != nil {
				t.Fatal(err)
			}
			entities = append(entities, &store.Event{ID: id, Partition: "c#c1", When: storetest.Now.Add(-5 * time.Second), By: "kim", What: "note"})
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		shop := s.As(admin)
		whole := timeline(t, shop, store.MaxLimit)
		if len(whole) != 131 {
			t.Fatalf("got %d entries, want 131", len(whole))
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}})
		if own := timeline(t, manager, 7); len(own) != 111 {
			t.Errorf("manager of one of two stores: got %d entries, want 111", len(own))
		}
		if !slices.IsSortedFunc(whole, func(a, b store.TimelineEntry) int { return b.When.Compare(a.When) }) {
			t.Error("got entries out of order, want newest first")
		}
		for _, limit := range []int{1, 3, 8, 130, 131} {
			if got := timeline(t, shop, limit); !reflect.DeepEqual(got, whole) {
				t.Errorf("%d a page: got %d entries, want the same as at once", limit, len(got))
			}
		}
	})
}

// timeline reads a timeline page by page to the end and back. Both directions must have
// the same entries, which it returns.
func timeline(t *testing.T, shop store.Access, limit int) []store.TimelineEntry {
	t.Helper()
	var forth, back []store.TimelineEntry
	page := store.Page{Limit: limit}
	for {
		found, err := shop.Timeline(t.Context(), "c1", page)
		if err != nil {
			t.Fatal(err)
		}
		forth = append(forth, found.Rows...)
		if found.Next == nil {
			back = found.Rows
			page.At = found.Prev
			break
		}
		page.At = found.Next
	}
	for page.At != nil {
		found, err := shop.Timeline(t.Context(), "c1", page)
		if err != nil {
			t.Fatal(err)
		}
		back = slices.Concat(found.Rows, back)
		page.At = found.Prev
	}
	if !reflect.DeepEqual(forth, back) {
		t.Errorf("%d a page: got %d entries forward and %d back, want the same entries", limit, len(forth), len(back))
	}
	return forth
}
