package storetest_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// benchItems is the number of items in the table that BenchmarkCheckBusiness checks.
const benchItems = 200_000

// BenchmarkCheckBusiness checks a table of benchItems items. It reports the peak
// growth of the heap.
func BenchmarkCheckBusiness(b *testing.B) {
	s := storetest.Open(b, storetest.NewClock())
	loadOrders(b, s, benchItems)
	b.ResetTimer()
	for range b.N {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		var peak, stop atomic.Int64
		done := make(chan struct{})
		go func() {
			defer close(done)
			for stop.Load() == 0 {
				runtime.ReadMemStats(&now)
				peak.Store(max(peak.Load(), int64(now.HeapInuse)-int64(before.HeapInuse)))
				time.Sleep(5 * time.Millisecond)
			}
		}()
		result, err := s.CheckBusiness(b.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) { b.Fatal(f) }})
		stop.Store(1)
		<-done
		if err != nil || result.Items < benchItems || result.Changing > 0 {
			b.Fatalf("got %+v, error %v, want at least %d items and none changing", result, err, benchItems)
		}
		b.ReportMetric(float64(peak.Load())/1e6, "peak-MB")
		b.ReportMetric(float64(result.Items)*float64(b.N)/b.Elapsed().Seconds(), "items/s")
	}
}

// loadOrders loads the small business and, in addition, orders and customers that have at
// least the given number of items.
func loadOrders(b *testing.B, s *store.Store, items int) {
	b.Helper()
	storetest.NewBusiness().Load(b, s)
	var entities []store.Entity
	for n := 0; len(entities) < items; n++ {
		id, customer, date := fmt.Sprintf("n%07d", n), fmt.Sprintf("m%07d", n/3), storetest.Now.Add(-time.Duration(n)*time.Minute)
		if n%3 == 0 {
			entities = append(entities, &store.Customer{ID: customer, Name: "Customer " + customer, Email: customer + "@example.com", Version: 1})
		}
		entities = append(entities,
			&store.Order{
				ID: id, CustomerID: customer, Date: date, Status: store.OrderOpen, Total: store.MinorUnits(24_00), ItemCount: 4,
				PaymentState: store.InvoiceUnpaid, ShipmentState: store.PartlyShipped, Version: 1,
			},
			&store.OrderItem{OrderID: id, ProductID: "p1", CustomerID: customer, Date: date, Price: store.MinorUnits(10_00), Quantity: 2, Shipped: 2, Version: 1},
			&store.OrderItem{OrderID: id, ProductID: "p2", CustomerID: customer, Date: date, Price: store.MinorUnits(2_00), Quantity: 2, Version: 1},
			&store.Invoice{ID: id, OrderID: id, CustomerID: customer, Date: date, Amount: store.MinorUnits(24_00), Status: store.InvoiceUnpaid, Version: 1},
			&store.Shipment{ID: id, OrderID: id, WarehouseID: "w1", Date: date, Status: store.ShipmentSent, Version: 1},
			&store.ShipmentItem{ID: id + "-1", OrderID: id, ShipmentID: id, ProductID: "p1", Quantity: 2, Version: 1})
	}
	loaded, err := s.Load(b.Context(), entities, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		b.Fatal(err, loaded.Rejected[:min(3, len(loaded.Rejected))])
	}
}
