package storetest_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

func (s *selling) inStock(productID, warehouseID string) int {
	s.Helper()
	item, err := s.admin.StockItem(s.Context(), productID, warehouseID)
	if err != nil {
		s.Fatal(err)
	}
	return item.Quantity
}

func (s *selling) packing(orderID, warehouseID string, quantities map[string]int) store.ShipmentRequest {
	s.Helper()
	return store.ShipmentRequest{OrderID: orderID, Version: s.order(orderID).Version, WarehouseID: warehouseID, Quantities: quantities, Service: "Express", Carrier: "DHL"}
}

// TestShip_TwoWarehouses ships an order from two warehouses. Warehouses w0 and w1
// have 20 of p10 each. Warehouses w0 and w2 have 22 of p11 each. Warehouses w1 and w2
// have 24 of p12 each.
func TestShip_TwoWarehouses(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id, token := s.Context(), s.placeOrder(), s.store.NewToken()
		first := s.packing(id, "w0", map[string]int{"p10": 2, "p11": 2})
		s.done("the first parcel", s.admin.ShipItems(ctx, first, token))
		s.done("the same form", s.admin.ShipItems(ctx, first, token))
		s.refused("another form with the same version", s.admin.ShipItems(ctx, first, s.store.NewToken()), store.Conflict, "")
		o := s.order(id)
		if o.ShipmentState != store.PartlyShipped || o.Status != store.OrderOpen || len(o.Shipments) != 1 || len(o.Shipments[0].Items) != 2 || len(o.Events) != 2 {
			s.Errorf("after one shipment: got the order %+v, want it open and partly shipped, with one shipment of two lines", o)
		}
		if a, b := s.inStock("p10", "w0"), s.inStock("p11", "w0"); a != 18 || b != 20 {
			s.Errorf("got %d and %d left in w0, want 18 and 20", a, b)
		}
		s.done("the second parcel", s.admin.ShipItems(ctx, s.packing(id, "w1", map[string]int{"p10": 1, "p12": 1}), s.store.NewToken()))
		o = s.order(id)
		if o.ShipmentState != store.FullyShipped || o.Status != store.OrderShipped || len(o.Shipments) != 2 || o.CanShip() || o.CanCancel() {
			s.Errorf("after two: got the order %+v, want it completely shipped, with two shipments", o)
		}
		for _, line := range o.Items {
			if line.Shipped != line.Quantity {
				s.Errorf("%s: got %d of %d shipped, want all", line.ProductID, line.Shipped, line.Quantity)
			}
		}
		open, err := s.admin.Orders(ctx, store.OrderFilter{Status: store.OrderShipped}, true, store.Page{Limit: 1})
		if err != nil || open.Rows[0].ID != id {
			s.Errorf("got newest shipped order %+v, %v, want this order first", open.Rows, err)
		}
		moves, err := s.admin.StockMoves(ctx, "p10", "w0", store.Page{})
		if err != nil || len(moves.Rows) != 1 || moves.Rows[0].Delta != -2 || moves.Rows[0].OrderID != id {
			s.Errorf("got ledger %+v, %v, want one entry of this order for -2", moves.Rows, err)
		}
	})
}

// shippedDay is the start of the IDs of shipments that are packed at storetest.Now.
var shippedDay = storetest.Now.Format("060102") + "-"

// TestShip_NumbersShipments ships an order eleven times, all at the same time of the
// clock. The shipments must have the numbers 1 to 11, in this order. A manager of one of
// the two warehouses must get the shipments of this warehouse in the same order.
func TestShip_NumbersShipments(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		form := store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "p10", Quantity: 11}}}, Total: store.MinorUnits(11 * 110)}
		id, err := s.admin.PlaceOrder(ctx, form, s.store.NewToken())
		s.done("placing", err)
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1"}})
		var want, own []string
		for n := range 11 {
			a, warehouse, number := s.admin, "w0", shippedDay+id+"-"+strconv.Itoa(n+1)
			if n%3 == 1 {
				a, warehouse = manager, "w1"
				own = append(own, number)
			}
			s.done("shipping", a.ShipItems(ctx, s.packing(id, warehouse, map[string]int{"p10": 1}), s.store.NewToken()))
			want = append(want, number)
		}
		var got []string
		for _, shipment := range s.order(id).Shipments {
			if got = append(got, shipment.ID); len(shipment.Items) != 1 || shipment.Items[0].ID != shipment.ID+"-1" {
				s.Errorf("%s: got items %+v, want one with the number 1", shipment.ID, shipment.Items)
			}
		}
		if !slices.Equal(got, want) {
			s.Errorf("got shipments %q of the order, want %q", got, want)
		}
		for a, want := range map[*store.Access][]string{&s.admin: want, &manager: own} {
			listed, err := a.ShipmentsOfOrder(ctx, id)
			if got := idsOfShipments(listed); err != nil || !slices.Equal(got, want) {
				s.Errorf("got list %q, %v, want %q", got, err, want)
			}
		}
		if found, err := manager.Shipment(ctx, shippedDay+id+"-11"); err != nil || found.Items[0].Quantity != 1 {
			s.Errorf("got %+v, %v, want the last shipment", found, err)
		}
		s.done("marking a shipment", s.admin.AdvanceShipment(ctx, store.ShipmentUpdate{ShipmentID: shippedDay + id + "-2", Version: 1, To: store.ShipmentSent}, s.store.NewToken()))
		for _, shipment := range s.order(id).Shipments {
			if isSent := shipment.Status == store.ShipmentSent; isSent != (shipment.ID == shippedDay+id+"-2") {
				s.Errorf("%s: got status %s, want only shipment 2 marked as shipped", shipment.ID, shipment.Status)
			}
		}
	})
}

func idsOfShipments(shipments []store.Shipment) []string {
	var ids []string
	for _, s := range shipments {
		ids = append(ids, s.ID)
	}
	return ids
}

// TestShip_ImportedIDs ships imported orders. Some have shipments with the number that
// the next shipment would have, or an ID that is too long to add a number. The shipment
// must get the next free number, or a ULID.
func TestShip_ImportedIDs(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		long, longest := strings.Repeat("a", key.MaxID-len(shippedDay+"-1-23")), strings.Repeat("b", key.MaxID-len(shippedDay+"-1-23")+1)
		var entities []store.Entity
		for _, id := range []string{"104998", "104999", "web 5", long, longest} {
			entities = append(
				entities,
				&store.Order{ID: id, CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, ItemCount: 2, ShipTo: store.Address{City: "Lund"}, Version: 1},
				&store.OrderItem{OrderID: id, CustomerID: "c07", ProductID: "p10", Date: storetest.Now, Name: "Ten", Quantity: 2, Version: 1},
			)
		}
		entities = append(
			entities,
			&store.Shipment{ID: shippedDay + "104998-2", OrderID: "104998", WarehouseID: "w0", Date: storetest.Now.Add(-2 * time.Hour), Status: store.ShipmentSent, Version: 1},
			&store.Shipment{ID: "S9", OrderID: "104999", WarehouseID: "w0", Date: storetest.Now.Add(-time.Hour), Status: store.ShipmentSent, Version: 1},
			&store.ShipmentItem{ID: shippedDay + "104999-2-1", OrderID: "104999", ShipmentID: "S9", ProductID: "p10", Quantity: 1, Version: 1},
		)
		result, err := s.store.Load(ctx, entities, store.LoadOptions{})
		if err != nil || len(result.Rejected) > 0 {
			s.Fatal(result.Rejected, err)
		}
		for id, want := range map[string]string{
			"104998": shippedDay + "104998-2 " + shippedDay + "104998-3", "104999": "S9 " + shippedDay + "104999-3",
			"web 5": shippedDay + "web 5-1", long: shippedDay + long + "-1",
		} {
			s.done("shipping "+id[:4], s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 1}), s.store.NewToken()))
			shipments, err := s.admin.ShipmentsOfOrder(ctx, id)
			if got := strings.Join(idsOfShipments(shipments), " "); err != nil || got != want {
				s.Errorf("%.10s: got shipments %.60s, %v, want %.60s", id, got, err, want)
			}
		}
		s.done("shipping the order with the longest ID", s.admin.ShipItems(ctx, s.packing(longest, "w0", map[string]int{"p10": 1}), s.store.NewToken()))
		if _, err := ulid.ParseStrict(s.order(longest).Shipments[0].ID); err != nil {
			s.Errorf("got shipment %s, want a ULID", s.order(longest).Shipments[0].ID)
		}
	})
}

func TestShip_Invalid(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		for what, tt := range map[string]struct {
			warehouse  string
			quantities map[string]int
			field      string
		}{
			"no warehouse":      {"", map[string]int{"p10": 1}, store.FieldWarehouse},
			"no quantities":     {"w0", map[string]int{}, store.FieldQuantities},
			"of another order":  {"w0", map[string]int{"p10": 1, "p20": 1}, store.FieldQuantities},
			"more than ordered": {"w0", map[string]int{"p10": 4}, "quantity-p10"},
			"negative quantity": {"w0", map[string]int{"p10": -1}, "quantity-p10"},
			"not in stock":      {"w0", map[string]int{"p12": 1}, "quantity-p12"},
		} {
			s.refused(what, s.admin.ShipItems(ctx, s.packing(id, tt.warehouse, tt.quantities), s.store.NewToken()), store.Invalid, tt.field)
		}
		scarce, err := s.admin.StockItem(ctx, "p10", "w0")
		s.done("looking", err)
		s.done("counting", s.admin.CountStock(ctx, store.StockForm{ProductID: "p10", WarehouseID: "w0", Seen: scarce.Version, Reason: "x"}, 1))
		s.refused("more than in stock", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 2}), ""), store.Invalid, "quantity-p10")
		outsider := s.store.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2"}})
		s.refused("from another manager's warehouse", outsider.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 1}), ""), store.NotFound, "")
		s.refused("all open items from another manager's warehouse", outsider.ShipOpenItems(ctx, id, "w0", ""), store.NotFound, "")
		s.refused("by support", s.store.As(&store.User{Name: "s", Role: store.Support}).ShipOpenItems(ctx, id, "w0", ""), store.Forbidden, "")
		if o := s.order(id); len(o.Shipments) != 0 || len(o.Events) != 1 {
			s.Errorf("got order %+v, want no shipment and no second event", o)
		}
	})
}

func TestCancel_UnshippedItems(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("shipping", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 1}), ""))
		s.done("cancelling", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		o := s.order(id)
		if o.Status != store.OrderShipped || o.ShipmentState != store.FullyShipped || o.Invoices[0].BalanceDue().String() != "1.1" {
			s.Errorf("got order %+v, want it shipped, with 1.1 due", o)
		}
		if total := s.counted(); total.Count != 1 || total.Amount.String() != "1.1" {
			s.Errorf("got totals %+v, want one order of 1.1", total)
		}
	})
}

func TestRecordReturn(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "0", "6.64"), ""))
		s.done("from w0", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 3, "p11": 2}), ""))
		s.done("from w1", s.admin.ShipItems(ctx, s.packing(id, "w1", map[string]int{"p12": 1}), ""))
		returning := func(a store.Access, warehouse string, quantities map[string]int) error {
			return a.ReturnItems(ctx, store.ReturnRequest{OrderID: id, Version: s.order(id).Version, Quantities: quantities, WarehouseID: warehouse, Why: "broken"}, s.store.NewToken())
		}
		s.send(id)
		support := s.store.As(&store.User{Name: "s", Role: store.Support})
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1"}})
		s.refused("by a viewer", returning(s.store.As(&store.User{Role: store.Viewer}), "", map[string]int{"p10": 1}), store.Forbidden, "")
		s.refused("more than left", returning(support, "", map[string]int{"p10": 4}), store.Invalid, "quantity-p10")
		s.refused("nothing", returning(support, "", nil), store.Invalid, store.FieldQuantities)
		s.refused("by a manager", returning(manager, "w1", map[string]int{"p12": 1}), store.Forbidden, "")
		s.refused("into an unknown warehouse", returning(support, "none", map[string]int{"p12": 1}), store.NotFound, "")
		s.done("one, into stock", returning(support, "w2", map[string]int{"p10": 1}))
		if n := s.inStock("p10", "w2"); n != 1 {
			s.Errorf("got %d of p10 in w2, want 1", n)
		}
		o := s.order(id)
		if customer := o.Shipments[0].CustomerID; customer == "" || customer != o.CustomerID {
			s.Errorf("got a shipment to customer %q, want %q", customer, o.CustomerID)
		}
		recorded := func(event store.Event) bool {
			return event.What == store.EventOrderReturned && event.Why == "broken" && event.Before == "a-product 10 –" && event.After == "a-product 10 1"
		}
		if events, err := s.admin.Events(ctx, store.EventFilter{About: "o#" + id}, store.Page{Limit: 20}); err != nil || !slices.ContainsFunc(events.Rows, recorded) {
			s.Errorf("got events %+v (%v), want one with the returned quantity", events.Rows, err)
		}
		if o.Status != store.OrderShipped || o.Invoices[0].BalanceDue().String() != "-1.1" {
			s.Errorf("after one return: got the order %+v, want it shipped, with a balance of -1.1", o)
		}
		s.done("another, into stock", returning(support, "w1", map[string]int{"p12": 1}))
		s.done("the rest", returning(s.admin, "", map[string]int{"p10": 2, "p11": 2}))
		o = s.order(id)
		if o.Status != store.OrderReturned || o.Shipments[0].Status != store.ShipmentReturned || o.Invoices[0].BalanceDue().String() != "-6.64" {
			s.Errorf("after all returns: got the order %+v, want it returned, with a balance of -6.64", o)
		}
		if total := s.counted(); total.Count != 0 || total.Amount.Sign() != 0 {
			s.Errorf("got totals %+v, want no orders", total)
		}
	})
}

// TestShip_MaxLines checks that the maximum number of lines can be shipped in one
// transaction, with a tracking number, and that 18 of these lines can be returned at once.
func TestShip_MaxLines(t *testing.T) {
	sell(t, func(s *selling) {
		form := store.NewOrder{Basket: store.Basket{Customer: "c01"}}
		var entities []store.Entity
		for range store.MaxShipmentLines + 1 {
			p := &store.Product{ID: s.store.NewToken(), Name: "Many"}
			entities = append(entities, p, &store.WarehouseItem{ProductID: p.ID, WarehouseID: "w0", Quantity: 1})
			form.Lines = append(form.Lines, store.BasketLine{Product: p.ID, Quantity: 1})
		}
		_, err := s.store.Load(s.Context(), entities, store.LoadOptions{})
		s.done("loading", err)
		id, err := s.admin.PlaceOrder(s.Context(), form, "")
		s.done("placing", err)
		var refused *store.Error
		if err := s.admin.ShipOpenItems(s.Context(), id, "w0", ""); !errors.As(err, &refused) || refused.Field != store.FieldQuantities {
			s.Errorf("all at once: got %v, want an error about the quantities", err)
		}
		most, back := map[string]int{}, map[string]int{}
		for n, line := range form.Lines[:store.MaxShipmentLines] {
			if most[line.Product] = 1; n < 18 { // a return can have 18 lines
				back[line.Product] = 1
			}
		}
		shipment := s.packing(id, "w0", most)
		shipment.Tracking = "TRACK-1"
		s.done("the maximum number of lines", s.admin.ShipItems(s.Context(), shipment, ""))
		s.done("the remaining line", s.admin.ShipOpenItems(s.Context(), id, "w0", ""))
		s.send(id)
		order := s.order(id)
		s.done("returning the maximum number of lines", s.admin.ReturnItems(s.Context(), store.ReturnRequest{OrderID: id, Version: order.Version, Quantities: back, WarehouseID: "w1", Why: "x"}, ""))
	})
}

// TestLedger_Pages lists the ledgers of a warehouse and of a product in it, forwards and
// back. They have entries of shipments, of other changes and of shipments that earlier
// versions made.
func TestLedger_Pages(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		order := s.placeOrder()
		earlier := []store.Entity{
			&store.StockMove{ID: "01J0000000000000000000000A", ProductID: "p10", WarehouseID: "w0", When: storetest.Now, From: 24, To: 21, Delta: -3, Reason: "shipped", By: "kim", OrderID: order},
			&store.StockMove{ID: "01J0000000000000000000000B", ProductID: "p10", WarehouseID: "w0", When: storetest.Now, From: 21, To: 20, Delta: -1, Reason: "shipped", By: "kim", OrderID: order, ShipmentID: "s1"},
		}
		if _, err := s.store.Load(ctx, earlier, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		adjust := func(by int) {
			s.Helper()
			item, err := s.admin.StockItem(ctx, "p10", "w0")
			s.done("looking", err)
			s.done("adjusting", s.admin.AdjustStock(ctx, store.StockForm{ProductID: "p10", WarehouseID: "w0", Seen: item.Version, Reason: "x"}, by))
		}
		ship := func() {
			s.Helper()
			s.done("shipping", s.admin.ShipItems(ctx, s.packing(s.placeOrder(), "w0", map[string]int{"p10": 2, "p11": 2}), s.store.NewToken()))
		}
		adjust(5)
		ship()
		ship()
		adjust(-1)
		adjust(4)
		ship()
		s.pages([]int{-2, -2, 4, -1, -2, -2, -2, -2, 5, -1, -3}, func(page store.Page) (store.List[store.StockMove], error) {
			return s.admin.StockMovesOfWarehouse(ctx, "w0", page)
		})
		s.pages([]int{-2, 4, -1, -2, -2, 5, -1, -3}, func(page store.Page) (store.List[store.StockMove], error) {
			return s.admin.StockMoves(ctx, "p10", "w0", page)
		})
		item, err := s.admin.StockItem(ctx, "p10", "w0")
		s.done("looking", err)
		unbroken(s.T, ledger(s.T, s.admin, "p10", "w0"), item)
	})
}

// pages checks the changes of a ledger, on one page and on pages of each size.
func (s *selling) pages(deltas []int, list func(store.Page) (store.List[store.StockMove], error)) {
	s.Helper()
	all, err := list(store.Page{})
	s.done("listing", err)
	var got []int
	for _, m := range all.Rows {
		got = append(got, m.Delta)
	}
	if !slices.Equal(got, deltas) || all.Next != nil || all.Prev != nil {
		s.Fatalf("got the changes %v, want %v, newest first and on one page", got, deltas)
	}
	for limit := 1; limit <= len(deltas); limit++ {
		s.pagesOf(all.Rows, limit, list)
	}
}

// pagesOf lists a ledger page by page. The pages must contain the entries in all, Prev of
// each page must return the page before it, and Page.Count must return the same number of
// rows.
func (s *selling) pagesOf(all []store.StockMove, limit int, list func(store.Page) (store.List[store.StockMove], error)) {
	s.Helper()
	for at, page := 0, (store.Page{Limit: limit}); ; at += limit {
		found, err := list(page)
		s.done("listing", err)
		if want := all[at:min(at+limit, len(all))]; !slices.Equal(found.Rows, want) {
			s.Fatalf("page of %d from %d: got %+v, want %+v", limit, at, found.Rows, want)
		}
		if at > 0 {
			back, err := list(store.Page{Limit: limit, At: found.Prev})
			s.done("listing back", err)
			if want := all[at-limit : at]; !slices.Equal(back.Rows, want) || (back.Prev == nil) != (at == limit) || back.Next == nil {
				s.Fatalf("back to the page of %d from %d: got %+v, want %+v", limit, at-limit, back, want)
			}
		}
		count, err := list(store.Page{Limit: limit, At: page.At, Count: true})
		if err != nil || len(count.Rows) != len(found.Rows) || (count.Next == nil) != (found.Next == nil) {
			s.Fatalf("count of %d from %d: got %+v, %v, want as many rows as the page", limit, at, count, err)
		}
		if page.At = found.Next; page.At == nil {
			if at+limit < len(all) {
				s.Fatalf("page of %d from %d: got no next page, want one", limit, at)
			}
			return
		}
	}
}

// TestShip_NoAddress packs an order without a delivery address. It must be refused until the
// address is added.
func TestShip_NoAddress(t *testing.T) {
	sell(t, func(s *selling) {
		id, err := s.admin.AddCustomer(s.Context(), store.Customer{Name: "Kim", Email: "kim@example.com"}, s.store.NewToken())
		s.done("customer", err)
		n := s.sampleOrder()
		n.Basket.Customer = id
		id, err = s.admin.PlaceOrder(s.Context(), n, s.store.NewToken())
		s.done("place", err)
		pack := func() error {
			return s.admin.ShipItems(s.Context(), s.packing(id, "w1", map[string]int{"p10": 1}), s.store.NewToken())
		}
		s.refused("without an address", pack(), store.Invalid, "")
		o := s.order(id).Order
		o.ShipTo.City = "Lund"
		s.done("address", s.admin.SaveShipTo(s.Context(), o, s.store.NewToken()))
		s.done("pack", pack())
	})
}

// TestShip_ImportedWithoutAddress packs orders without a delivery address, as imports can
// contain them. One is partly shipped without shipments, and the other has a shipment
// without contents. The first can ship without an address, and the second one once an
// address is added.
func TestShip_ImportedWithoutAddress(t *testing.T) {
	sell(t, func(s *selling) {
		order := func(id string, state store.ShipmentState, shipped int) []store.Entity {
			return []store.Entity{
				&store.Order{ID: id, CustomerID: "c01", Date: s.store.Now(), Status: store.OrderOpen, ShipmentState: state, Total: store.MinorUnits(300), ItemCount: 3, Version: 1},
				&store.OrderItem{OrderID: id, ProductID: "p10", CustomerID: "c01", Date: s.store.Now(), Price: store.MinorUnits(100), Quantity: 3, Shipped: shipped, Version: 1},
			}
		}
		all := append(order("partly", store.PartlyShipped, 1), order("empty", store.NothingShipped, 0)...)
		all = append(all, &store.Shipment{ID: "s1", OrderID: "empty", WarehouseID: "w1", Date: s.store.Now(), Status: store.ShipmentPacked, Version: 1})
		if loaded, err := s.store.Load(s.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		pack := func(id string) error {
			return s.admin.ShipItems(s.Context(), s.packing(id, "w1", map[string]int{"p10": 1}), s.store.NewToken())
		}
		s.done("partly shipped", pack("partly"))
		s.refused("nothing shipped", pack("empty"), store.Invalid, "")
		o := s.order("empty").Order
		o.ShipTo.City = "Lund"
		s.done("address", s.admin.SaveShipTo(s.Context(), o, s.store.NewToken()))
		s.done("with an address", pack("empty"))
	})
}
