package storetest_test

import (
	"fmt"
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// listed returns the index in wanted and the stock state of each open order that is in
// wanted, oldest first. If stock is not "", it returns only the orders with this stock
// state. It reads pages of the given length.
func (s *selling) listed(stock store.OrderStock, limit int, wanted ...string) (listed []string) {
	s.Helper()
	page := store.Page{Limit: limit}
	for {
		found, err := s.admin.StockedOrders(s.Context(), store.OrderFilter{Status: store.OrderOpen, Stock: stock}, false, page)
		s.done("orders", err)
		for _, o := range found.Rows {
			if slices.Contains(wanted, o.ID) {
				listed = append(listed, fmt.Sprint(slices.Index(wanted, o.ID), o.Stock))
			}
		}
		if page.At = found.Next; page.At == nil {
			return listed
		}
	}
}

// TestStockedOrders_FollowChanges places orders for two products, and then changes the
// orders and the stock. After each change, the list must show which orders are in stock.
func TestStockedOrders_FollowChanges(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, opened *store.Store, shop storetest.Shop) { // this shop has enough open orders for several pages
		s := &selling{t, opened, opened.As(admin), shop}
		ctx := s.Context()
		_, err := s.store.Load(ctx, []store.Entity{
			&store.Product{ID: "lamp", Name: "Lamp", SKU: "LMP", Price: store.MinorUnits(100), Version: 1},
			&store.Product{ID: "a b", Name: "Shade", SKU: "SHD", Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: "lamp", WarehouseID: "w1", Name: "Lamp", Quantity: 5, Version: 1},
		}, store.LoadOptions{})
		s.done("loading", err)
		var orders []string
		place := func(lines ...store.BasketLine) {
			total := 0
			for _, l := range lines {
				total += 100 * l.Quantity
			}
			id, err := s.admin.PlaceOrder(ctx, store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: lines}, Total: store.MinorUnits(int64(total))}, s.store.NewToken())
			s.done("placing", err)
			orders = append(orders, id)
		}
		lamps, shades := func(n int) store.BasketLine { return store.BasketLine{Product: "LMP", Quantity: n} }, store.BasketLine{Product: "SHD", Quantity: 1}
		place(lamps(3))
		place(lamps(6))
		place(shades)
		place(lamps(1), shades)
		expect := func(what string, want ...string) {
			t.Helper()
			slices.Sort(want)
			for _, limit := range []int{1, 25} {
				got := s.listed("", limit, orders...)
				for _, stock := range store.OrderStocks {
					only := slices.DeleteFunc(slices.Clone(got), func(row string) bool { return row[1:] != string(stock) })
					if filtered := s.listed(stock, limit, orders...); !slices.Equal(filtered, only) {
						t.Errorf("%s, %s: got %v, want %v", what, stock, filtered, only)
					}
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
		}
		expect("placed", "0READY", "1PARTLY", "2NOT_IN_STOCK", "3PARTLY")
		s.done("ship", s.admin.ShipItems(ctx, s.packing(orders[1], "w1", map[string]int{"lamp": 5}), ""))
		expect("five lamps shipped", "0NOT_IN_STOCK", "1NOT_IN_STOCK", "2NOT_IN_STOCK", "3NOT_IN_STOCK")
		s.done("receive", s.admin.ReceiveStock(ctx, store.StockForm{ProductID: "a b", WarehouseID: "w2", Token: s.store.NewToken(), Reason: "x"}, 1))
		expect("a shade received", "0NOT_IN_STOCK", "1NOT_IN_STOCK", "2READY", "3PARTLY")
		s.done("cancel", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: orders[0], Version: s.order(orders[0]).Version, Why: "x"}, ""))
		expect("cancelled", "1NOT_IN_STOCK", "2READY", "3PARTLY")
		if got := s.order(orders[3]).OpenLines; !slices.Equal(got, []string{"1 a b", "1 lamp"}) {
			t.Errorf("got open lines %q, want one of each product", got)
		}
	})
}

// TestStockedOrders_Bounded lists orders with many lines. A page may read only a limited
// number of stock levels, but at least those of one order. With a filter by stock, the
// pages together must show all orders.
func TestStockedOrders_Bounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shards, lines, known, requests int }{
		{15, store.MaxLines, 4, 8},
		{48, store.MaxLines, 1, 12},
		{15, 80, 2, 8},
		{48, 80, 1, 12},
	} {
		t.Run(fmt.Sprint(tt.shards, tt.lines), func(t *testing.T) { testStockedOrders(t, tt.shards, tt.lines, tt.known, tt.requests) })
	}
}

// testStockedOrders lists ten orders. The argument known is the number of orders whose
// stock the list must show, and levelRequests is the maximum number of requests for
// stock levels.
func testStockedOrders(t *testing.T, shards, lines, known, levelRequests int) {
	const orders = 10
	var entities []store.Entity
	for n := range orders {
		o := store.OrderDetails{Order: store.Order{
			ID: fmt.Sprint("o", n), CustomerID: "c1", Date: storetest.Now.AddDate(0, 0, -n), Status: store.OrderOpen, Version: 1,
		}}
		for line := range lines {
			o.Items = append(o.Items, store.OrderItem{ProductID: fmt.Sprintf("p%d-%d", n, line), Quantity: 1})
		}
		o.UpdateOpenLines()
		entities = append(entities, &o.Order)
	}
	s := storetest.Open(t, storetest.NewClock())
	setShards(t, s, shards)
	if _, err := s.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: true}); err != nil {
		t.Fatal(err)
	}
	read := func(stock store.OrderStock, page store.Page) store.List[store.StockedOrder] {
		t.Helper()
		trace := &store.Trace{}
		found, err := s.As(admin).StockedOrders(store.WithTrace(t.Context(), trace), store.OrderFilter{Status: store.OrderOpen, Stock: stock}, false, page)
		if err != nil {
			t.Fatal(err)
		}
		requests := 0
		for _, r := range trace.Reads() {
			requests += r.Requests
		}
		if most := 2*shards + levelRequests; requests > most {
			t.Errorf("%q: got %d requests, want at most %d", stock, requests, most)
		}
		return found
	}
	for i, o := range read("", store.Page{}).Rows {
		if (o.Stock == store.StockNone) != (i < known) {
			t.Errorf("order %d: got stock %q, want it known for the first %d", i, o.Stock, known)
		}
	}
	seen := 0
	for page := (store.Page{}); ; {
		found := read(store.StockNone, page)
		seen += len(found.Rows)
		if page.At = found.Next; page.At == nil {
			break
		}
		if !page.At.Unread {
			t.Error("got a next page with rows, want one that is not read")
		}
	}
	if seen != orders {
		t.Errorf("got %d orders, want %d", seen, orders)
	}
}

// TestStockedOrders_TooManyLines lists two orders with more open lines than the
// number of stock levels that a page may read, and a shorter order. The stock state
// of the two must be unknown.
func TestStockedOrders_TooManyLines(t *testing.T) {
	t.Parallel()
	long := store.OrderDetails{}
	for line := range store.MaxLines * 2 {
		long.Items = append(long.Items, store.OrderItem{ProductID: fmt.Sprint("p", line), Quantity: 1})
	}
	if long.UpdateOpenLines(); long.OpenLines != nil {
		t.Errorf("got %d open lines, want them not known", len(long.OpenLines))
	}
	var entities []store.Entity
	for n := range 3 {
		o := &store.Order{ID: fmt.Sprint("o", n), CustomerID: "c1", Date: storetest.Now.AddDate(0, 0, n), Status: store.OrderOpen, OpenLines: []string{"1 last"}, Version: 1}
		for line := range 1000 * (2 - n) { // the last order is short
			o.OpenLines = append(o.OpenLines, fmt.Sprintf("1 p%d-%d", n, line))
		}
		entities = append(entities, o)
	}
	s := storetest.Open(t, storetest.NewClock())
	if _, err := s.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: true}); err != nil {
		t.Fatal(err)
	}
	for stock, want := range map[store.OrderStock]string{"": "[o0 o1 o2NOT_IN_STOCK]", store.StockNone: "[o2NOT_IN_STOCK]"} {
		trace := &store.Trace{}
		found, err := s.As(admin).StockedOrders(store.WithTrace(t.Context(), trace), store.OrderFilter{Status: store.OrderOpen, Stock: stock}, false, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		requests, got := 0, []string(nil)
		for _, r := range trace.Reads() {
			requests += r.Requests
		}
		for _, o := range found.Rows {
			got = append(got, o.ID+string(o.Stock))
		}
		if most := 15 + 1; requests > most || fmt.Sprint(got) != want {
			t.Errorf("%q: got %v with %d requests, want %s with at most %d", stock, got, requests, want, most)
		}
	}
}
