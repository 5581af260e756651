package demo_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
)

// TestTheLedgerIsUnbroken goes through the moves of each product in each
// warehouse, which come in order of time, to the quantity that lies there.
func TestTheLedgerIsUnbroken(t *testing.T) {
	type place struct{ productID, warehouseID string }
	last := map[place]*store.StockMove{}
	var stock []*store.WarehouseItem
	forOrders, delivered := 0, 0
	for _, e := range demo.Business(now) {
		switch e := e.(type) {
		case *store.WarehouseItem:
			stock = append(stock, e)
		case *store.StockMove:
			at := place{e.ProductID, e.WarehouseID}
			from := 0
			if before := last[at]; before != nil {
				from = before.To
				if e.ID <= before.ID || e.When.Before(before.When) {
					t.Errorf("%+v comes after %+v", e, before)
				}
			}
			if e.From != from || e.To != from+e.Delta || e.To < 0 || e.When.After(now) {
				t.Errorf("%+v follows %d", e, from)
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
		if m := last[place{item.ProductID, item.WarehouseID}]; m == nil || m.To != item.Quantity {
			t.Errorf("%+v ends at %+v", item, m)
		}
	}
	if len(last) != len(stock) || forOrders < 3000 || delivered < 50 {
		t.Errorf("%d items have a ledger, %d have stock; %d moves are for orders, %d deliveries", len(last), len(stock), forOrders, delivered)
	}
	t.Logf("%d moves for orders, %d deliveries", forOrders, delivered)
}
