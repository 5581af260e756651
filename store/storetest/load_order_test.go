package storetest_test

import (
	"context"
	"math/rand/v2"
	"slices"

	"stockroom/store"
	"stockroom/store/storetest"
)

// contestedOrders is the number of orders that all clients change.
const contestedOrders = 4

// placeOrders places the orders that all clients change. They have large quantities
// of the products that clients ship and return.
func (f *loadTest) placeOrders() {
	f.Helper()
	for range contestedOrders {
		token := f.reliable.NewToken()
		id, err := f.reliable.As(admin).PlaceOrder(f.Context(), f.basket(60), token)
		if err != nil {
			f.Fatal(err)
		}
		f.orders, f.forms = append(f.orders, id), append(f.forms, token)
	}
}

// basket returns an order form with this quantity of each contested product.
func (f *loadTest) basket(pieces int) store.NewOrder {
	t := store.NewOrder{Basket: store.Basket{Customer: "c07"}}
	for _, product := range f.shop.Products[1:4] {
		t.Lines = append(t.Lines, store.BasketLine{Product: product.ID, Quantity: pieces})
		t.Total = t.Total.Plus(product.Price.Times(pieces))
	}
	return t
}

func (f *loadTest) orderActs() []act {
	about := func(fill func(a store.Access, r *rand.Rand, o *store.OrderDetails, token string) func(context.Context) error) act {
		return func(ctx context.Context, a store.Access, r *rand.Rand, token string) (func() error, error) {
			order, err := a.OrderForChange(ctx, f.orders[r.IntN(len(f.orders))])
			if err != nil {
				return nil, err
			}
			send := fill(a, r, order, token)
			return func() error { return send(ctx) }, nil
		}
	}
	one := func(r *rand.Rand, o *store.OrderDetails) map[string]int {
		return map[string]int{o.Items[r.IntN(len(o.Items))].ProductID: 1 + r.IntN(2)}
	}
	return []act{
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, token string) func(context.Context) error {
			p := store.ShipmentRequest{OrderID: o.ID, Version: o.Version, WarehouseID: f.shop.Warehouses[r.IntN(3)].ID, Quantities: one(r, o)}
			return func(ctx context.Context) error { return a.ShipItems(ctx, p, token) }
		}),
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, token string) func(context.Context) error {
			n := slices.IndexFunc(o.Shipments, func(s store.ShipmentDetails) bool { return s.Next() != "" })
			return func(ctx context.Context) error {
				if n < 0 {
					return &store.Error{Kind: store.Invalid}
				}
				u := store.ShipmentUpdate{ShipmentID: o.Shipments[n].ID, Version: o.Shipments[n].Version, To: o.Shipments[n].Next()}
				return a.AdvanceShipment(ctx, u, token)
			}
		}),
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, token string) func(context.Context) error {
			i := o.Invoices[0]
			p := store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Rest: store.Payment{Type: "Visa", Data: "1234", Amount: store.MinorUnits(int64(1 + r.IntN(200)))}}
			return func(ctx context.Context) error { return a.RecordPayment(ctx, p, token) }
		}),
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, token string) func(context.Context) error {
			b := store.ReturnRequest{OrderID: o.ID, Version: o.Version, WarehouseID: f.shop.Warehouses[r.IntN(3)].ID, Quantities: one(r, o), Why: "load"}
			return func(ctx context.Context) error { return a.ReturnItems(ctx, b, token) }
		}),
		func(ctx context.Context, a store.Access, r *rand.Rand, token string) (func() error, error) {
			form := f.basket(1 + r.IntN(3))
			return func() error {
				id, err := a.PlaceOrder(ctx, form, token)
				if err == nil {
					f.mu.Lock()
					defer f.mu.Unlock()
					f.placed = append(f.placed, id)
				}
				return err
			}, nil
		},
	}
}

// checkOrders compares every order with its shipments, payments and events, and the
// totals with the orders.
func (f *loadTest) checkOrders() {
	f.Helper()
	var count int
	var sum store.Sum
	for _, id := range append(f.placed, f.orders...) {
		o, err := f.reliable.As(admin).Order(f.Context(), id)
		if err != nil {
			f.Fatal(err)
		}
		f.checkLines(o)
		f.checkPayments(o)
		tally := o.Tally()
		count, sum = count+tally.Count, sum.Plus(tally.Amount.Sum())
	}
	days := store.DateRange{From: storetest.Now, To: storetest.Now}
	totals, err := f.reliable.As(admin).Totals(f.Context(), store.TotalOrders, days)
	if err != nil {
		f.Fatal(err)
	}
	for _, total := range totals {
		count, sum = count-total.Count, sum.Minus(total.Amount)
	}
	if count != 0 || sum.Sign() != 0 {
		f.Errorf("the totals lack %d orders and %s, want all orders in them", count, sum)
	}
}

func (f *loadTest) checkLines(o *store.OrderDetails) {
	f.Helper()
	packed := map[string]int{}
	for _, p := range o.Shipments {
		for _, i := range p.Items {
			packed[i.ProductID] += i.Quantity
		}
	}
	for _, line := range o.Items {
		if line.Shipped > line.Quantity || line.Shipped != packed[line.ProductID] || line.Returned > line.Shipped {
			f.Errorf("order %s: got a line with %d of %s ordered, %d shipped, %d packed, %d returned, want consistent quantities", o.ID, line.Quantity, line.ProductID, line.Shipped, packed[line.ProductID], line.Returned)
		}
	}
	if events := countEvents(o, store.EventOrderShipped); events != len(o.Shipments) {
		f.Errorf("order %s: got %d shipments and %d events of shipments, want equal numbers", o.ID, len(o.Shipments), events)
	}
}

func (f *loadTest) checkPayments(o *store.OrderDetails) {
	f.Helper()
	invoice := o.Invoices[0]
	seen := map[string]bool{}
	for _, p := range invoice.Payments {
		if seen[p.ID] {
			f.Errorf("order %s: got the payment %s twice, want it once", o.ID, p.ID)
		}
		seen[p.ID] = true
	}
	if events := countEvents(o, store.EventPaymentRecorded); events != len(invoice.Payments) {
		f.Errorf("order %s: got %d payments and %d events of payments, want equal numbers", o.ID, len(invoice.Payments), events)
	}
	if invoice.Paid().Compare(invoice.Amount) > 0 || invoice.Status != invoice.StatusFromPayments() || o.PaymentState != invoice.Status {
		f.Errorf("order %s: got the payment state %s and the invoice status %s with %[5]s of %[4]s paid, want a state that follows from the payments", o.ID, o.PaymentState, invoice.Status, invoice.Amount, invoice.Paid())
	}
}

func countEvents(o *store.OrderDetails, what store.EventCode) int {
	n := 0
	for _, e := range o.Events {
		if e.What == what {
			n++
		}
	}
	return n
}
