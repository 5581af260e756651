package demo_test

import (
	"testing"

	"stockroom/store"
)

// TestBusiness_StockMovesAddUp follows the moves of each stock item over time. They
// must end at the quantity on hand.
func TestBusiness_StockMovesAddUp(t *testing.T) {
	type stockKey struct{ productID, warehouseID string }
	last := map[stockKey]*store.StockMove{}
	var stock []*store.WarehouseItem
	forOrders, delivered := 0, 0
	for _, e := range business() {
		switch e := e.(type) {
		case *store.WarehouseItem:
			stock = append(stock, e)
		case *store.StockMove:
			at := stockKey{e.ProductID, e.WarehouseID}
			from := 0
			if before := last[at]; before != nil {
				from = before.To
				if e.ID <= before.ID || e.When.Before(before.When) {
					t.Errorf("got %+v after %+v, want increasing IDs and times", e, before)
				}
			}
			if e.From != from || e.To != from+e.Delta || e.To < 0 || e.When.After(now) {
				t.Errorf("got %+v, want From %d", e, from)
			}
			switch {
			case e.OrderID != "":
				forOrders++
			case e.Delta > 0 && from > 0:
				delivered++
			}
			last[at] = e
		}
	}
	for _, item := range stock {
		if m := last[stockKey{item.ProductID, item.WarehouseID}]; m == nil || m.To != item.Quantity {
			t.Errorf("last move of %+v: got %+v, want the quantity on hand", item, m)
		}
	}
	if len(last) != len(stock) || forOrders < 3000 || delivered < 50 {
		t.Errorf("got moves of %d items, want %d; %d for orders, %d deliveries", len(last), len(stock), forOrders, delivered)
	}
	t.Logf("%d moves for orders, %d deliveries", forOrders, delivered)
}
