package loadsim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"stockroom/store"
)

// Scenario is a load of a shop.
type Scenario struct {
	Name   string
	Limits Limits
	Shards int

	OrdersPerSecond int
	Customers       int
	Products        int
	Zipf            float64 // exponent of the popularity of products; 0 means that all sell equally
	Lines           int     // lines of an order
	Warehouses      int
	Reps            int // account reps; 0 means that customers have none
	Users           int // users among whom the changes are divided
	OnlyPlace       bool

	WarmUp, Measured time.Duration
}

// Steps of an order, which are the operations that are measured.
const (
	stepPlace   = "place an order"
	stepPay     = "record its payment"
	stepShip    = "ship it"
	stepSent    = "mark it sent"
	stepDeliver = "mark it delivered"
	stepList    = "list open orders"
)

// thinkTime is the median time between two steps of an order. It is short, so that all
// steps of an order run at the same rate after a short warm-up.
const thinkTime = 200 * time.Millisecond

// price is the price of every product.
var price = store.MinorUnits(1999)

// Entities returns the records of the shop.
func (s *Scenario) Entities() []store.Entity {
	var all []store.Entity
	for n := range s.Reps {
		all = append(all, &store.Employee{ID: fmt.Sprintf("e%03d", n), Name: fmt.Sprintf("Rep %d", n), JobID: "j1", JobTitle: "Account rep", Version: 1})
	}
	for n := range s.Warehouses {
		all = append(all, &store.Warehouse{ID: warehouseID(n), Name: fmt.Sprintf("Warehouse %d", n), Version: 1})
	}
	for n := range s.Products {
		p := &store.Product{ID: productID(n), Name: fmt.Sprintf("Product %d", n), SKU: fmt.Sprintf("SKU-%d", n), Price: price, Category: "All", Version: 1}
		all = append(all, p)
		for w := range s.Warehouses {
			all = append(all, &store.WarehouseItem{ProductID: p.ID, WarehouseID: warehouseID(w), Name: p.Name, Quantity: 1_000_000, ReorderPoint: 10, Version: 1})
		}
	}
	for n := range s.Customers {
		c := &store.Customer{ID: customerID(n), Name: fmt.Sprintf("Customer %d", n), Email: fmt.Sprintf("c%d@example.com", n), Version: 1}
		if s.Reps > 0 {
			c.AccountRepID = fmt.Sprintf("e%03d", n%s.Reps)
		}
		all = append(all, c)
	}
	return all
}

func warehouseID(n int) string { return fmt.Sprintf("w%03d", n) }
func productID(n int) string   { return fmt.Sprintf("p%05d", n) }
func customerID(n int) string  { return fmt.Sprintf("c%06d", n) }

// load is a running scenario.
type load struct {
	*Scenario
	store   *store.Store
	meter   *Meter
	popular []float64 // cumulative popularity of the products
}

// Run runs the scenario and returns its counts. It must run in a synctest bubble.
func (s *Scenario) Run(ctx context.Context, st *store.Store, meter *Meter) Counts {
	l := &load{Scenario: s, store: st, meter: meter}
	sum := 0.0
	for n := range s.Products {
		sum += math.Pow(float64(n+1), -s.Zipf)
		l.popular = append(l.popular, sum)
	}
	var orders sync.WaitGroup
	arrive := func(d time.Duration) {
		for end := time.Now().Add(d); time.Now().Before(end); {
			orders.Go(func() { l.order(ctx) })
			time.Sleep(time.Duration(float64(time.Second) * rand.ExpFloat64() / float64(s.OrdersPerSecond)))
		}
	}
	arrive(s.WarmUp)
	meter.Take()
	arrive(s.Measured)
	counts := meter.Take()
	orders.Wait()
	return counts
}

// order places an order and does all its steps. If a step fails, the order stays as it
// is.
func (l *load) order(ctx context.Context) {
	basket := store.Basket{Customer: customerID(rand.IntN(l.Customers))}
	total := store.Amount{}
	for _, product := range l.choose() {
		basket.Lines = append(basket.Lines, store.BasketLine{Product: productID(product), Quantity: 1})
		total = total.Plus(price)
	}
	var id string
	err := l.meter.Do(stepPlace, func() (err error) {
		id, err = l.user().PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: total}, l.store.NewToken())
		return err
	})
	if err != nil || l.OnlyPlace {
		return
	}
	pause(thinkTime)
	steps := []struct {
		name string
		do   func(store.Access, *store.OrderDetails) error
	}{
		{stepPay, func(a store.Access, o *store.OrderDetails) error {
			card := store.Payment{Type: "Visa", Amount: o.Total, Data: "1234"}
			return a.RecordPayment(ctx, store.PaymentRequest{InvoiceID: o.Invoices[0].ID, Version: o.Invoices[0].Version, Card: card}, l.store.NewToken())
		}},
		{stepShip, func(a store.Access, o *store.OrderDetails) error {
			return a.ShipOpenItems(ctx, o.ID, warehouseID(rand.IntN(l.Warehouses)), l.store.NewToken())
		}},
		{stepSent, func(a store.Access, o *store.OrderDetails) error { return l.advance(ctx, a, o, store.ShipmentSent) }},
		{stepDeliver, func(a store.Access, o *store.OrderDetails) error {
			return l.advance(ctx, a, o, store.ShipmentDelivered)
		}},
	}
	for _, step := range steps {
		a := l.user()
		o, err := a.OrderForChange(ctx, id) // the form
		if err == nil {
			err = l.meter.Do(step.name, func() error { return step.do(a, o) })
		}
		if err != nil {
			return
		}
		pause(thinkTime)
	}
}

func (l *load) advance(ctx context.Context, a store.Access, o *store.OrderDetails, to store.ShipmentStatus) error {
	s := &o.Shipments[0]
	return a.AdvanceShipment(ctx, store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: to}, l.store.NewToken())
}

// user returns the store with the permissions of a random user.
func (l *load) user() store.Access {
	return l.store.As(&store.User{Name: fmt.Sprintf("user%d", rand.IntN(l.Users)), Role: store.Admin})
}

// choose returns the products of an order, by their popularity.
func (l *load) choose() []int {
	var chosen []int
	for len(chosen) < l.Lines {
		at := rand.Float64() * l.popular[len(l.popular)-1]
		n, _ := slices.BinarySearch(l.popular, at)
		if !slices.Contains(chosen, n) {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// PlaceOne places one order and does all its steps. It returns when the indexes have
// its writes.
func (s *Scenario) PlaceOne(ctx context.Context, st *store.Store, meter *Meter) {
	l := &load{Scenario: s, store: st, meter: meter}
	for range s.Products {
		l.popular = append(l.popular, float64(len(l.popular)+1))
	}
	l.order(ctx)
	time.Sleep(time.Second)
}

// Orders is a shop with many products, warehouses and account reps.
func Orders(perSecond int) Scenario {
	return Scenario{
		Name: fmt.Sprintf("%d orders per second", perSecond), Limits: enough, Shards: 15,
		OrdersPerSecond: perSecond, Customers: 2_000, Products: 1_000, Zipf: 1, Lines: 3, Warehouses: 10, Reps: 50, Users: 50,
		WarmUp: 2 * time.Second, Measured: 4 * time.Second,
	}
}

// FlashSale is a sale of one product, whose orders do not ship yet.
func FlashSale(perSecond int) Scenario {
	return Scenario{
		Name: fmt.Sprintf("flash sale: %d orders of one product per second", perSecond), Limits: enough, Shards: 15,
		OrdersPerSecond: perSecond, Customers: 5_000, Products: 1, Lines: 1, Warehouses: 1, Reps: 50, Users: 50, OnlyPlace: true,
		WarmUp: 2 * time.Second, Measured: 4 * time.Second,
	}
}

// OneWarehouse is a shop with one warehouse and one account rep.
func OneWarehouse(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name = fmt.Sprintf("one warehouse, one account rep: %d orders per second", perSecond)
	s.Warehouses, s.Reps = 1, 1
	return s
}

// enough are limits that no scenario reaches, so that only keys limit the load.
var enough = Limits{Quota: 400_000, Partitions: 400}
