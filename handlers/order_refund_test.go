package handlers

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestOrder_ShowsRefunds(t *testing.T) {
	b := open(
		t,
		&store.Order{ID: "back", CustomerID: "c01", Date: storetest.Now, Status: store.OrderDelivered, ItemCount: 1, Total: store.MinorUnits(500), PaymentState: store.InvoicePaid, Version: 1},
		&store.OrderItem{OrderID: "back", ProductID: "p10", CustomerID: "c01", Date: storetest.Now, Name: "p10", Price: store.MinorUnits(500), Quantity: 1, Shipped: 1, Version: 1},
		&store.Invoice{
			ID: "iback", OrderID: "back", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(500), Credit: store.MinorUnits(200), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{
				{ID: "1", Type: "Visa", Amount: store.MinorUnits(500), Date: storetest.Now, Data: "•••• 4242"},
				{ID: "2", Type: "Visa", Amount: store.MinorUnits(-200), Date: storetest.Now, Data: "•••• 4242", RefundOf: "1"},
			},
		},
	)
	if page := b.as(t, "support").get("/orders/back").body; !strings.Contains(page, "2.00 refunded</span>") {
		t.Errorf("got %s, want the refund", content(page))
	}
}
