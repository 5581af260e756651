package storetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestInvoices_Overdue lists overdue invoices in both directions, with pages of
// different lengths. Prev of each page must return the page before it.
func TestInvoices_Overdue(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		today := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
		var entities []store.Entity
		var want []string
		for _, status := range store.InvoiceStatuses {
			for n := range 30 {
				i := &store.Invoice{
					ID: fmt.Sprintf("%s%02d", status, n), OrderID: fmt.Sprintf("o%s%d", status, n), CustomerID: "c1", Status: status,
					Date: today.AddDate(0, 0, n-40), DueDate: today.AddDate(0, 0, n-14), Amount: store.MinorUnits(100), Version: 1,
				}
				if n%5 == 4 {
					i.DueDate = time.Time{}
				}
				entities = append(entities, i)
				if n < 14 && n%5 != 4 && (status == store.InvoiceUnpaid || status == store.InvoicePartial) {
					want = append(want, i.ID)
				}
			}
		}
		if _, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		list := func(reverse bool, page store.Page) (ids []string, found store.List[store.Invoice]) {
			t.Helper()
			found, err := s.As(admin).Invoices(t.Context(), store.InvoiceFilter{Status: store.InvoiceOverdue}, reverse, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range found.Rows {
				ids = append(ids, i.ID)
			}
			return ids, found
		}
		for _, reverse := range []bool{false, true} {
			for _, limit := range []int{1, 5, 25} {
				var all []string
				for page := (store.Page{Limit: limit}); ; {
					ids, found := list(reverse, page)
					if page.At != nil && found.Prev != nil && len(ids) > 0 {
						back, _ := list(reverse, store.Page{Limit: limit, At: found.Prev})
						if before := all[max(0, len(all)-limit):]; !slices.Equal(back, before) {
							t.Errorf("pages of %d, reverse %t: got %v before %v, want %v", limit, reverse, back, ids, before)
						}
					}
					all = append(all, ids...)
					if page.At = found.Next; page.At == nil {
						break
					}
				}
				if !slices.Equal(all, want) {
					t.Errorf("pages of %d, reverse %t: got %v, want %v", limit, reverse, all, want)
				}
			}
			slices.Reverse(want)
		}
	})
}
