package storetest_test

import (
	"fmt"
	"testing"

	"stockroom/store"
)

// TestPlaceOrder_TooLarge checks that orders are rejected if their total or item
// count is too large to store.
func TestPlaceOrder_TooLarge(t *testing.T) {
	sell(t, func(s *selling) {
		var products []store.Entity
		for n, price := range []int64{2_500_000_000_00, 2_500_000_000_00, 1, 1} {
			products = append(products, &store.Product{ID: fmt.Sprint("large", n), Name: "Large", Price: store.MinorUnits(price), Version: 1})
		}
		if loaded, err := s.store.Load(t.Context(), products, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		for what, tt := range map[string]struct {
			lines []store.BasketLine
			total store.Amount
		}{
			"total of a line": {[]store.BasketLine{{Product: "large0", Quantity: 4}}, store.MinorUnits(4 * 2_500_000_000_00)},
			"total of lines":  {[]store.BasketLine{{Product: "large0", Quantity: 2}, {Product: "large1", Quantity: 2}}, store.MinorUnits(4 * 2_500_000_000_00)},
			"items":           {[]store.BasketLine{{Product: "large2", Quantity: 9_999_999}, {Product: "large3", Quantity: 1}}, store.MinorUnits(10_000_000)},
		} {
			token := s.store.NewToken()
			_, err := s.admin.PlaceOrder(s.Context(), store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: tt.lines}, Total: tt.total}, token)
			s.refused(what, err, store.Invalid, "lines")
			if _, err := s.admin.Order(s.Context(), token); store.KindOf(err) != store.NotFound {
				t.Errorf("%s: got order %v, want none", what, err)
			}
		}
	})
}
