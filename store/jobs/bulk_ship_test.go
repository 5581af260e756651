package jobs_test

import (
	"fmt"
	"testing"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const openOrders = 110

// loadOpenOrders stores three warehouses and openOrders open orders, each of two
// products. The first warehouse has no stock, the second has stock for half of the
// orders, and the third for the other half. Every third order is paid. loadOpenOrders
// also stores three paid orders: "whole" has as many lines as a shipment can have, "long"
// has one line more, and no warehouse has the product of "lacking".
func loadOpenOrders(t testing.TB, s *store.Store) {
	t.Helper()
	loadProducts(t, s, 40)
	entities := []store.Entity{&store.Customer{ID: "c1", Name: "Customer", Version: 1}}
	for _, w := range []struct {
		id       string
		quantity int
	}{{"a", 0}, {"b", openOrders / 2}, {"c", openOrders / 2}} {
		entities = append(entities, &store.Warehouse{ID: w.id, Name: "Depot " + w.id, Version: 1})
		for _, product := range []string{"p0000", "p0001"} {
			entities = append(entities, &store.WarehouseItem{ProductID: product, WarehouseID: w.id, Quantity: w.quantity, Version: 1})
		}
	}
	for n := range openOrders {
		entities = append(entities, order(fmt.Sprintf("o%04d", n), n%3 == 0, "p0000", "p0001")...)
	}
	var many []string
	for n := range store.MaxShipmentLines {
		many = append(many, fmt.Sprintf("p%04d", 10+n))
		entities = append(entities, &store.WarehouseItem{ProductID: many[n], WarehouseID: "b", Quantity: 9, Version: 1})
	}
	entities = append(entities, order("whole", true, many...)...)
	entities = append(entities, order("long", true, append(many, "p0002")...)...)
	entities = append(entities, order("lacking", true, "p0003")...)
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// order returns an open order of one piece of each product.
func order(id string, paid bool, products ...string) []store.Entity {
	o := &store.Order{ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, ItemCount: len(products), PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, ShipTo: store.Address{City: "Lund"}, Version: 1}
	if paid {
		o.PaymentState = store.InvoicePaid
	}
	entities := []store.Entity{o}
	for _, product := range products {
		entities = append(entities, &store.OrderItem{OrderID: id, ProductID: product, CustomerID: "c1", Date: storetest.Now, Quantity: 1, Version: 1})
	}
	return entities
}

// TestBulkChange_ShipsOrdersOnce checks that each open order that a warehouse can ship
// whole is shipped once, even if the run is killed and continued.
func TestBulkChange_ShipsOrdersOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadOpenOrders(t, s)
	a := s.As(admin)
	b, planned := previewShipping(t, s, a, store.BulkChange{Kind: store.BulkShip, Orders: store.OrderFilter{Status: store.OrderOpen}})
	if b.State != store.BulkReady || b.Rows != openOrders+3 || b.Skipped != 2 || b.Unpaid != openOrders-(openOrders+2)/3 {
		t.Fatalf("got %+v, want a preview of %d orders with two skipped", b, openOrders+3)
	}
	from := map[string]int{}
	for _, row := range planned {
		from[row.SourceID]++
	}
	if from["a"] != 0 || from["b"] != openOrders/2+1 || from["c"] != openOrders/2 {
		t.Errorf("got the warehouses %v, want each piece shipped once", from)
	}
	for id, want := range map[string]string{"long": fmt.Sprintf("A shipment can have at most %d lines. Ship this order by itself.", store.MaxShipmentLines), "lacking": "None of your warehouses has all open items."} {
		if row := planned[id]; row.Outcome != store.BulkSkipped || row.Why != want {
			t.Errorf("%s: got %+v, want %q", id, row, want)
		}
	}
	if one, rows := previewShipping(t, s, a, store.BulkChange{Kind: store.BulkShip, SourceID: "b"}, "o0001#c1", "lacking#c1"); one.Describe() != "Shipments from Depot b" || rows["lacking"].Why != "Depot b doesn't have all open items." || rows["o0001"].Before != "2 pieces of 2 products" {
		t.Errorf("got %+v and %+v, want the chosen warehouse", one, rows)
	}
	// Ship one of the orders after the preview.
	if err := a.ShipOpenItems(t.Context(), "o0007", planned["o0007"].SourceID, ""); err != nil {
		t.Fatal(err)
	}
	runInterrupted(t, db, clock, a, b.ID)
	b, rows := ordersOfChange(t, a, b.ID)
	if b.State != store.BulkDone || b.Changed != openOrders || b.Failed != 1 || rows["o0007"].Why != "Changed after the preview." {
		t.Errorf("got %+v and %+v, want one failure", b, rows["o0007"])
	}
	for id, row := range rows {
		o, err := a.Order(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if row.Outcome == store.BulkSkipped {
			want = 0
		}
		if len(o.Shipments) != want || want == 1 && o.ShipmentState != store.FullyShipped || want == 1 && o.Shipments[0].WarehouseID != planned[id].SourceID {
			t.Errorf("%s: got %d shipments for %+v, want %d", id, len(o.Shipments), row, want)
		}
	}
	for _, id := range []string{"b", "c"} {
		if item, err := a.StockItem(t.Context(), "p0000", id); err != nil || item.Quantity != 0 {
			t.Errorf("%s: got %+v, %v, want nothing left", id, item, err)
		}
	}
}

// TestBulkChange_OfOrdersStaysInScope checks that managers can ship only from their own
// warehouses, and that users without the permission cannot ship.
func TestBulkChange_OfOrdersStaysInScope(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	loadOpenOrders(t, s)
	if err := s.AddUser(t.Context(), store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"a"}}, "a long password", "test"); err != nil {
		t.Fatal(err)
	}
	mia := s.As(&store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"a"}})
	if _, err := mia.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkShip, SourceID: "b"}, []string{"o0001#c1"}, ""); store.KindOf(err) != store.Invalid {
		t.Errorf("another warehouse: got %v, want Invalid", err)
	}
	if _, err := s.As(&store.User{Name: "s", Role: store.Support}).AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkShip}, []string{"o0001#c1"}, ""); store.KindOf(err) != store.Forbidden {
		t.Errorf("support: got %v, want Forbidden", err)
	}
	if b, rows := previewShipping(t, s, mia, store.BulkChange{Kind: store.BulkShip}, "o0001#c1"); b.Skipped != 1 || rows["o0001"].SourceID != "" {
		t.Errorf("got %+v and %+v, want no warehouse that can ship", b, rows)
	}
}

func previewShipping(t testing.TB, s *store.Store, a store.Access, b store.BulkChange, selected ...string) (*store.BulkChange, map[string]store.BulkRow) {
	t.Helper()
	added, err := a.AddBulkChange(t.Context(), b, selected, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), added.ID); err != nil {
		t.Fatal(err)
	}
	return ordersOfChange(t, a, added.ID)
}

// ordersOfChange returns a bulk change, and its rows by order.
func ordersOfChange(t testing.TB, a store.Access, id string) (*store.BulkChange, map[string]store.BulkRow) {
	t.Helper()
	b, err := a.BulkChange(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]store.BulkRow{}
	for row, err := range store.Each(func(p store.Page) (store.List[store.BulkRow], error) { return a.BulkRows(t.Context(), b, "", p) }) {
		if err != nil {
			t.Fatal(err)
		}
		rows[row.OrderID] = row
	}
	return b, rows
}
