package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// waiting is an order with which everything is left to do: of three of p10,
// one has left from w1, two of p08 have not, and little is paid. There are
// saved views besides: the admin's own, those for all, and one that leads
// elsewhere.
func waiting() []store.Entity {
	line := func(product string, price int64, quantity, shipped int) *store.OrderItem {
		return &store.OrderItem{
			OrderID: "open", ProductID: product, CustomerID: "c01", Date: storetest.Now, Name: product,
			Price: store.MinorUnits(price), Quantity: quantity, Shipped: shipped,
		}
	}
	return []store.Entity{
		&store.Order{
			ID: "open", CustomerID: "c01", CustomerName: "Åsa 1", Date: storetest.Now, Status: store.OrderOpen, ItemCount: 5,
			Total: store.MinorUnits(546), PaymentState: store.InvoicePartial, ShipmentState: store.PartlyShipped,
		},
		line("p10", 110, 3, 1), line("p08", 108, 2, 0),
		&store.Invoice{
			ID: "iopen", OrderID: "open", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(546), Status: store.InvoicePartial,
			Payments: []store.Payment{{ID: "1", Type: "GiftCard", Amount: store.MinorUnits(10), Date: storetest.Now, Data: "GC-1"}},
		},
		&store.Shipment{ID: "sopen", OrderID: "open", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked},
		&store.SavedView{ID: "v1", Owner: "admin", Name: "Owed", Path: "/invoices?status=UNPAID"},
		&store.SavedView{ID: "v2", Name: "Waiting", Path: "/orders?status=OPEN"},
		&store.SavedView{ID: "v3", Name: "Accounts", Path: "/admin/users"},
		&store.SavedView{ID: "v4", Name: "Elsewhere", Path: "//example.com/orders"},
		&store.ShipmentItem{ID: "sopen-1", OrderID: "open", ShipmentID: "sopen", ProductID: "p10", Quantity: 1},
	}
}

// ran is a run of today's payments that came across one that it could not take.
func ran() []store.Entity {
	day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	return []store.Entity{
		&store.JobRun{Job: store.PaymentsJob, Date: day, State: store.JobDone, Due: 1, JobCounts: store.JobCounts{Failed: 1}, Version: 1},
		&store.JobResult{Job: store.PaymentsJob, Date: day, AccountID: "c00", SubscriptionID: "sub00", SKU: "PLAN", Outcome: store.OutcomeFailed, Expires: day.AddDate(0, 3, 0)},
	}
}
