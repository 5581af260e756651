package storetest_test

import (
	"fmt"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestBulkChange_BoundsStepsOfShipments previews shipments of orders with many products
// from any of many warehouses: once without any stock, and once if one warehouse has all
// products. Each step of the preview may make at most 110 requests.
func TestBulkChange_BoundsStepsOfShipments(t *testing.T) {
	for _, stocked := range []bool{false, true} {
		t.Run(fmt.Sprintf("stock %t", stocked), func(t *testing.T) { boundStepsOfShipments(t, stocked) })
	}
}

func boundStepsOfShipments(t *testing.T, stocked bool) {
	const warehouses, orders = 120, 12
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		var all []store.Entity
		for n := range warehouses {
			all = append(all, &store.Warehouse{ID: fmt.Sprintf("W%d", n), Name: "Depot", Version: 1})
		}
		var selected []string
		for n := range orders {
			o := &store.Order{ID: fmt.Sprintf("O%d", n), CustomerID: "C1", Date: storetest.Now, Status: store.OrderOpen, ItemCount: store.MaxShipmentLines, ShipTo: store.Address{City: "Lund"}, Version: 1}
			for line := range store.MaxShipmentLines {
				product := fmt.Sprintf("P%d-%d", n, line)
				o.OpenLines = append(o.OpenLines, "1 "+product)
				all = append(all, &store.OrderItem{OrderID: o.ID, ProductID: product, CustomerID: "C1", Date: storetest.Now, Quantity: 1, Version: 1})
				if stocked {
					all = append(all, &store.WarehouseItem{ProductID: product, WarehouseID: "W99", Quantity: 1, Version: 1})
				}
			}
			all = append(all, o)
			selected = append(selected, store.OrderRowID(o))
		}
		if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(loaded.Rejected, err)
		}
		if err := s.AddUser(t.Context(), *admin, "correct horse battery", "test"); err != nil {
			t.Fatal(err)
		}
		b, err := s.As(admin).AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkShip}, selected, "")
		if err != nil {
			t.Fatal(err)
		}
		run, err := s.LeaseBulkChange(t.Context(), b.ID, "test", clock.Now().Add(time.Minute))
		if err == nil {
			err = run.Authorize(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		for more := true; more; {
			trace := &store.Trace{}
			if more, err = run.List(store.WithTrace(t.Context(), trace), clock.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if requests := countRequests(trace); requests > 110 {
				t.Errorf("got %d requests in one step, want at most 110", requests)
			}
		}
		skipped := orders
		if stocked {
			skipped = 0
		}
		if run.Rows != orders || run.Skipped != skipped {
			t.Errorf("got %d rows, %d skipped, want %d, %d", run.Rows, run.Skipped, orders, skipped)
		}
	})
}
