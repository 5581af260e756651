package storetest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// The shop has 14 of p07 in w0, 14 in w1 and none in w2.
const (
	product = "p07"
	here    = "w0"
	there   = "w1"
	nowhere = "w2"
)

// stockOf returns the stock item as a form shows it.
func stockOf(t *testing.T, shop store.Access, productID, warehouseID string) *store.WarehouseItem {
	t.Helper()
	item, err := shop.StockItem(t.Context(), productID, warehouseID)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// formFor returns a form for the version of a stock item.
func formFor(s *store.Store, item *store.WarehouseItem) store.StockForm {
	return store.StockForm{ProductID: item.ProductID, WarehouseID: item.WarehouseID, Seen: item.Version, Token: s.NewToken(), Reason: "because"}
}

// ledger returns all ledger entries of a product in a warehouse, oldest first.
func ledger(t *testing.T, shop store.Access, productID, warehouseID string) []store.StockMove {
	t.Helper()
	var moves []store.StockMove
	for m, err := range store.Each(func(p store.Page) (store.List[store.StockMove], error) {
		return shop.StockMoves(t.Context(), productID, warehouseID, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	slices.Reverse(moves)
	return moves
}

func TestStock_MovesAreInLedger(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, shop := t.Context(), s.As(admin)
		for _, step := range []struct {
			what  string
			where string
			do    func(store.StockForm) error
			delta int
			now   int
		}{
			{"receive", here, func(f store.StockForm) error { return shop.ReceiveStock(ctx, f, 10) }, 10, 24},
			{"take away", here, func(f store.StockForm) error { return shop.AdjustStock(ctx, f, -4) }, -4, 20},
			{"count", here, func(f store.StockForm) error { return shop.CountStock(ctx, f, 21) }, 1, 21},
			{"count what was expected", here, func(f store.StockForm) error { return shop.CountStock(ctx, f, 21) }, 0, 21},
			{"transfer", here, func(f store.StockForm) error { return shop.TransferStock(ctx, f, there, 20) }, -20, 1},
			{"transfer to a warehouse without stock", there, func(f store.StockForm) error { return shop.TransferStock(ctx, f, nowhere, 30) }, -30, 4},
			{"take the last", here, func(f store.StockForm) error { return shop.AdjustStock(ctx, f, -1) }, -1, 0},
		} {
			f := formFor(s, stockOf(t, shop, product, step.where))
			for range 2 {
				if err := step.do(f); err != nil {
					t.Fatalf("%s: got %v, want no error", step.what, err)
				}
			}
			moves := ledger(t, shop, product, step.where)
			last := moves[len(moves)-1]
			if got := stockOf(t, shop, product, step.where); got.Quantity != step.now || got.Version != f.Seen+1 || last.To != step.now || last.Delta != step.delta {
				t.Errorf("%s: got %+v after %+v, want %d", step.what, got, last, step.now)
			}
			if last.Reason != "because" || last.By != admin.Name || last.Name != stockOf(t, shop, product, step.where).Name || !last.When.Equal(storetest.Now) {
				t.Errorf("%s: got ledger entry %+v, want the reason, the user, the name and the time", step.what, last)
			}
		}
		for where, moved := range map[string]int{here: 6, there: 2, nowhere: 1} {
			moves := ledger(t, shop, product, where)
			if len(moves) != moved {
				t.Errorf("%s: got %d moves, want %d", where, len(moves), moved)
			}
			unbroken(t, moves, stockOf(t, shop, product, where))
		}
		whole, err := shop.StockMovesOfWarehouse(ctx, here, store.Page{Limit: 2})
		if err != nil || len(whole.Rows) != 2 || whole.Rows[0].Delta != -1 || whole.Next == nil {
			t.Errorf("got first entries of the warehouse's ledger %+v, %v, want two of several entries, the first with -1", whole, err)
		}
	})
}

// unbroken checks a ledger. Each move must start where the previous one ended, and
// the last one must end at the quantity on hand.
func unbroken(t *testing.T, moves []store.StockMove, item *store.WarehouseItem) {
	t.Helper()
	for i, m := range moves {
		if i > 0 && m.From != moves[i-1].To {
			t.Errorf("%s in %s: move %d: got start %d, want %d, the end of the previous one", item.ProductID, item.WarehouseID, i, m.From, moves[i-1].To)
		}
		if m.From+m.Delta != m.To || m.To < 0 {
			t.Errorf("%s in %s: move %d: got %d + %d = %d, want a correct sum", item.ProductID, item.WarehouseID, i, m.From, m.Delta, m.To)
		}
	}
	if n := len(moves); n > 0 && moves[n-1].To != item.Quantity {
		t.Errorf("%s in %s: got %d on hand, want %d, the end of the ledger", item.ProductID, item.WarehouseID, item.Quantity, moves[n-1].To)
	}
}

func TestStock_Invalid(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, shop := t.Context(), s.As(admin)
		seen := stockOf(t, shop, product, here)
		f := formFor(s, seen)
		because := func(reason string) store.StockForm { f := f; f.Reason = reason; return f }
		for what, tt := range map[string]struct {
			err   error
			field string
		}{
			"below zero":                         {shop.AdjustStock(ctx, f, -15), "quantity"},
			"by zero":                            {shop.AdjustStock(ctx, f, 0), "quantity"},
			"beyond seven digits":                {shop.ReceiveStock(ctx, f, 9_999_999), "quantity"},
			"receive a negative number":          {shop.ReceiveStock(ctx, f, -1), "quantity"},
			"a negative count":                   {shop.CountStock(ctx, f, -1), "quantity"},
			"more than in stock":                 {shop.TransferStock(ctx, f, there, 15), "quantity"},
			"a transfer of zero":                 {shop.TransferStock(ctx, f, there, 0), "quantity"},
			"a transfer to the same warehouse":   {shop.TransferStock(ctx, f, here, 1), "to"},
			"a transfer to an unknown warehouse": {shop.TransferStock(ctx, f, "none", 1), "to"},
			"no reason":                          {shop.AdjustStock(ctx, because(" \n"), 1), "reason"},
			"a reason that is too long":          {shop.TransferStock(ctx, because(strings.Repeat("å", 1001)), there, 1), "reason"},
			"a control character in the reason":  {shop.AdjustStock(ctx, because("rings\a"), 1), "reason"},
			"a negative reorder point":           {shop.SetReorderPoint(ctx, f, -1, ""), "reorder"},
			"a bin that is too long":             {shop.SetReorderPoint(ctx, f, 1, strings.Repeat("b", 41)), "bin"},
		} {
			var e *store.Error
			if !errors.As(tt.err, &e) || e.Kind != store.Invalid || e.Field != tt.field {
				t.Errorf("%s: got %v, want an error at %s", what, tt.err, tt.field)
			}
		}
		for _, where := range []store.StockForm{{ProductID: "none", WarehouseID: here, Reason: "r"}, {ProductID: product, WarehouseID: "none", Reason: "r"}} {
			if err := shop.ReceiveStock(ctx, where, 1); store.KindOf(err) != store.NotFound {
				t.Errorf("receiving at %+v: got %v, want NotFound", where, err)
			}
		}
		if now := stockOf(t, shop, product, here); *now != *seen || len(ledger(t, shop, product, here)) > 0 {
			t.Errorf("after rejected forms: got %+v, want %+v", now, seen)
		}
	})
}

func TestStock_ConflictNamesLastMove(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, shop := t.Context(), s.As(admin)
		seen := stockOf(t, shop, product, here)
		first, second := formFor(s, seen), formFor(s, seen)
		if last, err := shop.LastStockChange(ctx, product, here); err != nil || last != (store.Event{}) {
			t.Errorf("before any change: got last move %+v, %v, want none", last, err)
		}
		if err := shop.AdjustStock(ctx, first, -3); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"adjust": shop.AdjustStock(ctx, second, -20), "count": shop.CountStock(ctx, second, 14), "receive": shop.ReceiveStock(ctx, second, 1),
			"transfer": shop.TransferStock(ctx, second, there, 1), "reorder": shop.SetReorderPoint(ctx, second, 3, ""),
		} {
			if store.KindOf(err) != store.Conflict {
				t.Errorf("%s from an old version: got %v, want Conflict", what, err)
			}
		}
		if last, err := shop.LastStockChange(ctx, product, here); err != nil || last.By != admin.Name || last.Why != "because" {
			t.Errorf("got last move %+v, %v, want the change by the admin with the reason", last, err)
		}
		second.Seen = stockOf(t, shop, product, here).Version
		if err := shop.SetReorderPoint(ctx, second, 11, " A-1 "); err != nil {
			t.Fatal(err)
		}
		if last, err := shop.LastStockChange(ctx, product, here); err != nil || last.What != store.EventReorderPointSet || last.Subject != here || last.After != "11, A-1" {
			t.Errorf("got last move %+v, %v, want the reorder point 11 and the bin A-1", last, err)
		}
		if now := stockOf(t, shop, product, here); now.Quantity != 11 || now.Bin != "A-1" || !now.IsLow() {
			t.Errorf("got %+v, want 11 in bin A-1, which is low", now)
		}
		low, err := shop.LowStock(ctx, []string{here}, store.Page{Limit: 200})
		if n := len(low.Rows); err != nil || n == 0 {
			t.Fatal(n, err)
		}
		for i := range low.Rows {
			if low.Rows[i].ProductID == product && low.Rows[i].Quantity == 11 {
				return
			}
		}
		t.Errorf("got low stock %+[2]v, want %[1]s in it", product, low.Rows)
	})
}

// TestOutOfStock_ListsWhatIsGone checks that the list contains only the products of which
// no piece is left.
func TestOutOfStock_ListsWhatIsGone(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, shop := t.Context(), s.As(admin)
		stock, err := shop.StockOfWarehouse(ctx, here, store.Page{Limit: 4})
		if err != nil || len(stock.Rows) != 4 {
			t.Fatal(stock.Rows, err)
		}
		for i, quantity := range []int{0, 1, 0, 10} {
			if err := shop.CountStock(ctx, formFor(s, &stock.Rows[i]), quantity); err != nil {
				t.Fatal(err)
			}
		}
		got, err := shop.OutOfStock(ctx, []string{here}, store.Page{})
		if want := []string{stockID(stock.Rows[0]), stockID(stock.Rows[2])}; err != nil || !slices.Equal(pick(got.Rows, stockID, func(store.WarehouseItem) bool { return true }), want) {
			t.Errorf("got %+v, %v, want %q", got.Rows, err, want)
		}
	})
}

func TestStock_RequiresScope(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, shop := t.Context(), s.As(admin)
		f := formFor(s, stockOf(t, shop, product, here))
		changes := func(a store.Access) map[string]error {
			return map[string]error{
				"receive": a.ReceiveStock(ctx, f, 1), "adjust": a.AdjustStock(ctx, f, 1), "count": a.CountStock(ctx, f, 1),
				"transfer": a.TransferStock(ctx, f, there, 1), "reorder": a.SetReorderPoint(ctx, f, 1, ""),
			}
		}
		for _, tt := range []struct {
			user store.User
			want store.Kind
		}{
			{store.User{Name: "v", Role: store.Viewer}, store.Forbidden},
			{store.User{Name: "s", Role: store.Support}, store.Forbidden},
			{store.User{Name: "m", Role: store.Manager, Warehouses: []string{there}}, store.NotFound},
		} {
			a := s.As(&tt.user)
			for what, err := range changes(a) {
				if store.KindOf(err) != tt.want {
					t.Errorf("%s: %s: got %v, want Forbidden", tt.user.Role, what, err)
				}
			}
			if tt.user.Role != store.Manager {
				continue
			}
			_, itemErr := a.StockItem(ctx, product, here)
			_, movesErr := a.StockMoves(ctx, product, here, store.Page{})
			_, wholeErr := a.StockMovesOfWarehouse(ctx, here, store.Page{})
			_, lastErr := a.LastStockChange(ctx, product, here)
			for _, err := range []error{itemErr, movesErr, wholeErr, lastErr} {
				if store.KindOf(err) != store.NotFound {
					t.Errorf("manager reads another place: got %v, want NotFound", err)
				}
			}
		}
		own := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{here}})
		var e *store.Error
		if err := own.TransferStock(ctx, f, there, 1); !errors.As(err, &e) || e.Field != "to" {
			t.Errorf("manager transfers to another place: got %v, want an error about the field to", err)
		}
		if err := own.AdjustStock(ctx, f, 1); err != nil {
			t.Errorf("manager changes their own place: got %v, want no error", err)
		}
	})
}
