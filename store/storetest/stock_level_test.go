package storetest_test

import (
	"fmt"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// requireLevels checks that all stock levels match the records that they count.
func requireLevels(t *testing.T, s *store.Store) {
	t.Helper()
	result, err := s.CheckTotals(t.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) {
		if d.ProductID != "" {
			t.Error(d)
		}
	}})
	if err != nil || result.Changing > 0 {
		t.Errorf("check of the stock levels: got error %v, %d changing, want none", err, result.Changing)
	}
}

// level returns "on hand, committed, available" of a product.
func (s *selling) level(product string) string {
	s.Helper()
	l, err := s.admin.StockLevelOf(s.Context(), product)
	s.done("stock level", err)
	return fmt.Sprintf("%d %d %d", l.OnHand, l.Committed, l.Available)
}

// TestStockLevels_FollowChanges imports, orders, ships, receives, transfers, adjusts,
// counts, cancels and returns a product. The stock level must be correct after each
// change.
func TestStockLevels_FollowChanges(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		_, err := s.store.Load(ctx, []store.Entity{
			&store.Product{ID: "lamp", Name: "Lamp", SKU: "LMP", Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: "lamp", WarehouseID: "w1", Name: "Lamp", Quantity: 5, Version: 1},
		}, store.LoadOptions{})
		s.done("loading", err)
		place := func(n int) string {
			id, err := s.admin.PlaceOrder(ctx, store.NewOrder{
				Basket: store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "LMP", Quantity: n}}}, Total: store.MinorUnits(int64(100 * n)),
			}, s.store.NewToken())
			s.done("placing", err)
			return id
		}
		form := func(warehouse string) store.StockForm {
			item, err := s.admin.StockItem(ctx, "lamp", warehouse)
			s.done("stock", err)
			return store.StockForm{ProductID: "lamp", WarehouseID: warehouse, Seen: item.Version, Token: s.store.NewToken(), Reason: "x"}
		}
		var first, second string
		lamps := func(n int) map[string]int { return map[string]int{"lamp": n} }
		for _, step := range []struct {
			what string
			do   func() error
			want string
		}{
			{"import", func() error { return nil }, "5 0 5"},
			{"order", func() error { first = place(3); return nil }, "5 3 2"},
			{"order of more than available", func() error { second = place(4); return nil }, "5 7 -2"},
			{"part of an order shipped", func() error { return s.admin.ShipItems(ctx, s.packing(first, "w1", lamps(2)), "") }, "3 5 -2"},
			{"received", func() error { return s.admin.ReceiveStock(ctx, form("w2"), 6) }, "9 5 4"},
			{"transferred", func() error { return s.admin.TransferStock(ctx, form("w2"), "w1", 2) }, "9 5 4"},
			{"adjusted", func() error { return s.admin.AdjustStock(ctx, form("w1"), -1) }, "8 5 3"},
			{"counted", func() error { return s.admin.CountStock(ctx, form("w2"), 10) }, "14 5 9"},
			{"cancelled", func() error {
				return s.admin.CancelOrder(ctx, store.Cancellation{OrderID: second, Version: s.order(second).Version, Why: "x"}, "")
			}, "14 1 13"},
			{"returned, not restocked", func() error {
				s.send(first)
				return s.admin.ReturnItems(ctx, store.ReturnRequest{OrderID: first, Version: s.order(first).Version, Quantities: lamps(1), Why: "x"}, "")
			}, "14 1 13"},
			{"returned to stock", func() error {
				return s.admin.ReturnItems(ctx, store.ReturnRequest{OrderID: first, Version: s.order(first).Version, Quantities: lamps(1), WarehouseID: "w1", Why: "x"}, "")
			}, "15 1 14"},
			{"the rest shipped", func() error { return s.admin.ShipOpenItems(ctx, first, "w1", "") }, "14 0 14"},
		} {
			s.done(step.what, step.do())
			if got := s.level("lamp"); got != step.want {
				s.Errorf("%s: got on hand, committed, available %s; want %s", step.what, got, step.want)
			}
		}
		requireLevels(s.T, s.store)
	})
}

// TestStockLevels_Import imports stock, deliveries and an order in parts, and then most of
// them again. Each row must be counted once.
func TestStockLevels_Import(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		entities := []store.Entity{&store.Product{ID: "p0", Name: "Lamp", Version: 1}}
		for n := range 3 {
			entities = append(entities, &store.WarehouseItem{ProductID: "p0", WarehouseID: fmt.Sprint("w", n), Quantity: 100 + n, Version: 1})
		}
		entities = append(entities, &store.ExpectedDelivery{ID: "d1", ProductID: "p0", WarehouseID: "w0", Due: storetest.Now, Quantity: 9, Received: 4, Version: 1})
		deliveries := []store.Entity{&store.ExpectedDelivery{ID: "d2", ProductID: "p2", WarehouseID: "w0", Due: storetest.Now, Quantity: 6, Version: 1}}
		order := &store.Order{ID: "o1", CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Version: 1}
		var lines []store.Entity
		for n := range 150 {
			lines = append(lines, &store.OrderItem{OrderID: "o1", ProductID: fmt.Sprint("p", n), CustomerID: "c1", Date: storetest.Now, Quantity: 5, Shipped: 2, Cancelled: n%2 == 1, Version: 1})
		}
		for _, part := range [][]store.Entity{entities, deliveries, lines[:20], append(lines[20:], order), append(append(entities, lines...), order)} {
			if loaded, err := s.Load(t.Context(), part, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
				t.Fatal(err, loaded.Rejected)
			}
		}
		levels, err := s.As(admin).StockLevels(t.Context(), []string{"p0", "p1", "p2", "none"})
		want := map[string]store.StockLevel{"p0": {OnHand: 303, Committed: 3, Available: 300, Incoming: 5}, "p1": {}, "p2": {Committed: 3, Available: -3, Incoming: 6}, "none": {}}
		if err != nil || fmt.Sprint(levels) != fmt.Sprint(want) {
			t.Errorf("got %v, %v; want %v", levels, err, want)
		}
		requireLevels(t, s)
	})
}

// TestStockLevels_Rebuild checks that a rebuild creates the stock levels that a table of
// an earlier version lacks, and corrects wrong ones.
func TestStockLevels_Rebuild(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		entities := []store.Entity{
			&store.Product{ID: "p1", Name: "Lamp", Version: 1},
			&store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Quantity: 7, Version: 1},
			&store.OrderItem{OrderID: "o1", ProductID: "p1", CustomerID: "c1", Date: storetest.Now, Quantity: 3, Shipped: 1, Version: 1},
			&store.StockCount{ProductID: "p2", Slot: 1, OnHand: 4, Version: 1},
			&store.StockCount{ProductID: "p2", Slot: 2, OnHand: -3, Committed: 1, Version: 6},
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		want := fmt.Sprint([]string{
			"stock level of p1: stored 0 on hand, 0 committed and 0 incoming, correct 7, 2 and 0",
			"stock level of p2: stored 1 on hand, 1 committed and 0 incoming, correct 0, 0 and 0",
		})
		var found []string
		if _, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
			if f.Rule == store.CheckStockLevel {
				found = append(found, f.Text)
			}
		}}); err != nil || len(found) != 2 || found[0] != "The stock level of p1: stored 0 on hand, 0 committed and 0 incoming, correct 7, 2 and 0." {
			t.Errorf("got findings %q, %v, want two, the first about p1", found, err)
		}
		if got, result := checkTotals(t, s, true); fmt.Sprint(got) != want || result.Rebuilt != 2 {
			t.Errorf("rebuild: got %q, %+v; want %s", got, result, want)
		}
		if got, result := checkTotals(t, s, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("check of the rebuilt table: got %q, %+v, want no findings", got, result)
		}
		if levels, err := s.As(admin).StockLevels(t.Context(), []string{"p1", "p2"}); err != nil || levels["p1"] != (store.StockLevel{OnHand: 7, Committed: 2, Available: 5}) || levels["p2"] != (store.StockLevel{}) {
			t.Errorf("got levels %v, %v, want 7 on hand, 2 committed and 5 available of p1, and none of p2", levels, err)
		}
	})
}
