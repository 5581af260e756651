package storetest_test

import (
	"context"
	"math/rand/v2"
	"strings"

	"stockroom/store"
	"stockroom/store/storetest"
)

// burningOrders is how many orders everybody works on at once.
const burningOrders = 4

// takeOrders takes the orders that are fought over, each of many pieces of the
// products whose stock is too.
func (f *underFire) takeOrders() {
	f.Helper()
	for range burningOrders {
		id, err := f.calm.As(admin).PlaceOrder(f.Context(), f.basket(60), f.calm.NewToken())
		if err != nil {
			f.Fatal(err)
		}
		f.orders = append(f.orders, id)
	}
}

// basket is so many of each of the products that everybody wants.
func (f *underFire) basket(pieces int) store.NewOrder {
	t := store.NewOrder{Basket: store.Basket{Customer: "c07"}}
	for _, product := range f.shop.Products[1:4] {
		t.Lines = append(t.Lines, store.BasketLine{Product: product.ID, Quantity: pieces})
		t.Total = t.Total.Plus(product.Price.Times(pieces))
	}
	return t
}

// orderActs are what can be done with orders.
func (f *underFire) orderActs() []act {
	about := func(fill func(a store.Access, r *rand.Rand, o *store.OrderDetails, once string) func(context.Context) error) act {
		return func(ctx context.Context, a store.Access, r *rand.Rand, once string) (func() error, error) {
			order, err := a.OrderForChange(ctx, f.orders[r.IntN(len(f.orders))])
			if err != nil {
				return nil, err
			}
			send := fill(a, r, order, once)
			return func() error { return send(ctx) }, nil
		}
	}
	one := func(r *rand.Rand, o *store.OrderDetails) map[string]int {
		return map[string]int{o.Items[r.IntN(len(o.Items))].ProductID: 1 + r.IntN(2)}
	}
	return []act{
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, once string) func(context.Context) error {
			p := store.ShipmentRequest{OrderID: o.ID, Version: o.Version, WarehouseID: f.shop.Warehouses[r.IntN(3)].ID, Quantities: one(r, o)}
			return func(ctx context.Context) error { return a.ShipItems(ctx, p, once) }
		}),
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, once string) func(context.Context) error {
			i := o.Invoices[0]
			p := store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Card: store.Payment{Type: "Visa", Data: "1234", Amount: store.MinorUnits(int64(1 + r.IntN(200)))}}
			return func(ctx context.Context) error { return a.RecordPayment(ctx, p, once) }
		}),
		about(func(a store.Access, r *rand.Rand, o *store.OrderDetails, once string) func(context.Context) error {
			b := store.ReturnRequest{OrderID: o.ID, Version: o.Version, WarehouseID: f.shop.Warehouses[r.IntN(3)].ID, Quantities: one(r, o), Why: "fire"}
			return func(ctx context.Context) error { return a.ReturnItems(ctx, b, once) }
		}),
		func(ctx context.Context, a store.Access, r *rand.Rand, once string) (func() error, error) {
			taking := f.basket(1 + r.IntN(3))
			return func() error {
				id, err := a.PlaceOrder(ctx, taking, once)
				if err == nil {
					f.mu.Lock()
					defer f.mu.Unlock()
					f.taken = append(f.taken, id)
				}
				return err
			}, nil
		},
	}
}

// checkOrders holds every order to its parcels, its payments and its events,
// and the totals to the orders.
func (f *underFire) checkOrders() {
	f.Helper()
	var count int
	var sum store.Amount
	for _, id := range append(f.taken, f.orders...) {
		o, err := f.calm.As(admin).Order(f.Context(), id)
		if err != nil {
			f.Fatal(err)
		}
		f.checkLines(o)
		f.checkPayments(o)
		tally := o.Tally()
		count, sum = count+tally.Count, sum.Plus(tally.Amount)
	}
	days := store.DateRange{From: storetest.Now, To: storetest.Now}
	totals, err := f.calm.As(admin).Totals(f.Context(), store.TotalOrders, days)
	if err != nil {
		f.Fatal(err)
	}
	for _, total := range totals {
		count, sum = count-total.Count, sum.Minus(total.Amount)
	}
	if count != 0 || sum.Sign() != 0 {
		f.Errorf("the totals are short of %d orders and %s", count, sum)
	}
}

func (f *underFire) checkLines(o *store.OrderDetails) {
	f.Helper()
	packed := map[string]int{}
	for _, p := range o.Shipments {
		for _, i := range p.Items {
			packed[i.ProductID] += i.Quantity
		}
	}
	for _, line := range o.Items {
		if line.Shipped > line.Quantity || line.Shipped != packed[line.ProductID] || line.Returned > line.Shipped {
			f.Errorf("order %s: of %d of %s, %d are shipped, %d packed, %d returned", o.ID, line.Quantity, line.ProductID, line.Shipped, packed[line.ProductID], line.Returned)
		}
	}
	if told := countEvents(o, "shipped in"); told != len(o.Shipments) {
		f.Errorf("order %s: %d parcels, of which %d are told", o.ID, len(o.Shipments), told)
	}
}

func (f *underFire) checkPayments(o *store.OrderDetails) {
	f.Helper()
	invoice := o.Invoices[0]
	seen := map[string]bool{}
	for _, p := range invoice.Payments {
		if seen[p.ID] {
			f.Errorf("order %s: payment %s is there twice", o.ID, p.ID)
		}
		seen[p.ID] = true
	}
	if told := countEvents(o, "payment taken"); told != len(invoice.Payments) {
		f.Errorf("order %s: %d payments, of which %d are told", o.ID, len(invoice.Payments), told)
	}
	if invoice.Paid().Compare(invoice.Amount) > 0 || invoice.Status != invoice.StatusFromPayments() || o.PaymentState != invoice.Status {
		f.Errorf("order %s is %s: its invoice is %s, of %s %s are paid", o.ID, o.PaymentState, invoice.Status, invoice.Amount, invoice.Paid())
	}
}

func countEvents(o *store.OrderDetails, what string) int {
	n := 0
	for _, e := range o.Events {
		if strings.HasPrefix(e.What, what) {
			n++
		}
	}
	return n
}
