package demo_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestBusiness_StockMovesAddUp adds up the moves of each stock item over time. The result
// must be the quantity on hand.
func TestBusiness_StockMovesAddUp(t *testing.T) {
	type stockKey struct{ productID, warehouseID string }
	last := map[stockKey]*store.StockMove{}
	var stock []*store.WarehouseItem
	var moves []*store.StockMove
	forOrders, delivered := 0, 0
	for _, e := range business() {
		switch e := e.(type) {
		case *store.WarehouseItem:
			stock = append(stock, e)
		case *store.StockMove:
			moves = append(moves, e)
		case *store.ShipmentItem:
			if e.EntryID == "" {
				continue // there is no ledger entry, because the warehouse has no stock item of the product
			}
			forOrders++
			moves = append(moves, &store.StockMove{
				ID: e.EntryID, ProductID: e.ProductID, WarehouseID: e.WarehouseID, When: e.When,
				From: e.From, To: e.From - e.Quantity, Delta: -e.Quantity,
			})
		}
	}
	slices.SortFunc(moves, func(a, b *store.StockMove) int { return strings.Compare(a.ID, b.ID) })
	for _, m := range moves {
		at := stockKey{m.ProductID, m.WarehouseID}
		from := 0
		if before := last[at]; before != nil {
			from = before.To
			if m.ID == before.ID || m.When.Before(before.When) {
				t.Errorf("got %+v after %+v, want increasing IDs and times", m, before)
			}
		}
		if m.From != from || m.To != from+m.Delta || m.To < 0 || m.When.After(now) {
			t.Errorf("got %+v, want From %d", m, from)
		}
		if m.Delta > 0 && from > 0 {
			delivered++
		}
		last[at] = m
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

// TestBusiness_DeliveriesAreInTheLedger compares the received quantity of each expected
// delivery with its ledger entries.
func TestBusiness_DeliveriesAreInTheLedger(t *testing.T) {
	received, deliveries := map[string]int{}, []*store.ExpectedDelivery{}
	for _, e := range business() {
		switch e := e.(type) {
		case *store.ExpectedDelivery:
			deliveries = append(deliveries, e)
		case *store.StockMove:
			received[e.DeliveryID] += e.Delta
		}
	}
	partly := 0
	for _, d := range deliveries {
		if got := received[d.ID]; got != d.Received {
			t.Errorf("delivery %s: got %d pieces in the ledger, want %d", d.ID, got, d.Received)
		}
		if d.Received > 0 && d.Open() > 0 {
			partly++
		}
	}
	if partly < 5 {
		t.Errorf("got %d partly received deliveries, want at least 5", partly)
	}
}
