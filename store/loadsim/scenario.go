package loadsim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"stockroom/store"
)

// Scenario describes a shop and its load.
type Scenario struct {
	Name   string
	Limits Limits
	Shards int

	OrdersPerSecond int
	Customers       int
	Products        int
	Zipf            float64 // exponent of the Zipf distribution of sales over products; 0 means that all products sell equally
	Lines           int     // lines of an order
	Warehouses      int
	Reps            int // number of account reps; 0 means that customers have none
	Users           int // number of users in whose names requests are made
	OnlyPlace       bool
	Numbering       store.Numbering
	Servers         int  // number of servers that get the requests of users; 0 means one
	Accounts        int  // number of users who can sign in
	large           bool // sums and counts of the shop are already large at the start

	WarmUp, Measured time.Duration

	// meanwhile is a function that runs during the measurement, for example to kill a
	// server. The measurement ends when the function returns. If the function is nil, the
	// measurement takes the time Measured.
	meanwhile func(context.Context, *load) error
}

// Steps of an order. The duration and the errors of each step are measured.
const (
	stepPlace   = "place an order"
	stepPay     = "record its payment"
	stepShip    = "ship it"
	stepSent    = "mark it sent"
	stepDeliver = "mark it delivered"
)

// thinkTime is the median time between two steps of an order. It is short, so that all
// steps run at the same rate after a short time.
const thinkTime = 200 * time.Millisecond

// price is the price of every product.
var price = store.MinorUnits(1999)

// Entities returns the records of the shop on a day.
func (s *Scenario) Entities(day time.Time) []store.Entity {
	var all []store.Entity
	if s.large {
		all = s.largeSums(day)
	}
	for n := range s.Reps {
		all = append(all, &store.Employee{ID: repID(n), Name: fmt.Sprintf("Rep %d", n), JobID: "j1", JobTitle: "Account rep", Version: 1})
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
	for n := range s.Accounts {
		all = append(all, staffAccount(n))
	}
	for n := range s.Customers {
		c := &store.Customer{ID: customerID(n), Name: fmt.Sprintf("Customer %d", n), Email: fmt.Sprintf("c%d@example.com", n), Address: store.Address{City: "Lund"}, Version: 1}
		if s.Reps > 0 {
			c.AccountRepID = repID(n % s.Reps)
		}
		all = append(all, c)
	}
	return all
}

func repID(n int) string       { return fmt.Sprintf("e%03d", n) }
func warehouseID(n int) string { return fmt.Sprintf("w%03d", n) }
func productID(n int) string   { return fmt.Sprintf("p%05d", n) }
func customerID(n int) string  { return fmt.Sprintf("c%06d", n) }

// load is a running scenario.
type load struct {
	*Scenario
	engine  *Engine
	meter   *Meter
	popular []float64 // for each product, the sum of the popularity of all products up to it

	mu      sync.Mutex
	servers []*server // servers that have not been killed
	placed  map[string]time.Time
}

// server is one of the servers that share the table.
type server struct {
	store *store.Store
	ctx   context.Context // ends when the server is killed
	kill  context.CancelFunc
}

// newLoad starts the servers of the scenario. The function open opens the store of each
// server.
func (s *Scenario) newLoad(ctx context.Context, engine *Engine, open func() *store.Store) *load {
	l := &load{Scenario: s, engine: engine, meter: engine.Meter, placed: map[string]time.Time{}}
	for range max(1, s.Servers) {
		serverCtx, kill := context.WithCancel(ctx)
		l.servers = append(l.servers, &server{open(), serverCtx, kill})
	}
	sum := 0.0
	for n := range s.Products {
		sum += math.Pow(float64(n+1), -s.Zipf)
		l.popular = append(l.popular, sum)
	}
	return l
}

// Run runs the scenario, and returns its counts and their duration. The function open
// opens the store of a server. Run must be called in a synctest bubble. It returns an
// error if an order is lost or listed twice.
func (s *Scenario) Run(ctx context.Context, engine *Engine, open func() *store.Store) (counts Counts, took time.Duration, err error) {
	l := s.newLoad(ctx, engine, open)
	var orders sync.WaitGroup
	arrive := func(isOver func() bool) {
		for !isOver() {
			orders.Go(func() { l.order() })
			time.Sleep(interval(s.OrdersPerSecond))
		}
	}
	during := func(d time.Duration) func() bool {
		end := time.Now().Add(d)
		return func() bool { return !time.Now().Before(end) }
	}
	arrive(during(s.WarmUp))
	l.meter.Take()
	began := time.Now()
	if s.meanwhile == nil {
		arrive(during(s.Measured))
	} else {
		ended := make(chan error, 1)
		go func() { ended <- s.meanwhile(ctx, l) }()
		arrive(func() bool { return len(ended) > 0 })
		err = <-ended
	}
	counts, took = l.meter.Take(), time.Since(began)
	orders.Wait()
	time.Sleep(time.Second) // by then, the indexes have all orders
	return counts, took, errors.Join(err, l.checkOrders())
}

// interval returns the random time from one arrival to the next.
func interval(perSecond int) time.Duration {
	return time.Duration(float64(time.Second) * rand.ExpFloat64() / float64(perSecond))
}

// onServer makes a request in the name of a random user, on a random server. If the server
// is killed before it answers, onServer makes the same request on another one.
func (l *load) onServer(request func(context.Context, store.Access) error) error {
	for {
		l.mu.Lock()
		s := l.servers[rand.IntN(len(l.servers))]
		l.mu.Unlock()
		err := request(s.ctx, s.store.As(&store.User{Name: fmt.Sprintf("user%d", rand.IntN(l.Users)), Role: store.Admin}))
		if s.ctx.Err() == nil {
			return err
		}
	}
}

// do is like onServer, and measures the operation.
func (l *load) do(step string, request func(context.Context, store.Access) error) error {
	return l.meter.Do(step, func() error { return l.onServer(request) })
}

func (l *load) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.servers[0].kill()
	l.servers = l.servers[1:]
}

func (l *load) newToken() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.servers[0].store.NewToken()
}

// order places an order, and performs all its steps. If a step fails, order skips the
// remaining steps.
func (l *load) order() {
	basket := store.Basket{Customer: customerID(rand.IntN(l.Customers))}
	total := store.Amount{}
	for _, product := range l.choose() {
		basket.Lines = append(basket.Lines, store.BasketLine{Product: productID(product), Quantity: 1})
		total = total.Plus(price)
	}
	var id string
	token := l.newToken()
	err := l.do(stepPlace, func(ctx context.Context, a store.Access) (err error) {
		id, err = a.PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: total}, token)
		return err
	})
	if err != nil {
		return
	}
	l.mu.Lock()
	l.placed[id] = time.Now()
	l.mu.Unlock()
	if l.OnlyPlace {
		return
	}
	pause(thinkTime)
	warehouse := warehouseID(rand.IntN(l.Warehouses))
	steps := []struct {
		name string
		do   func(context.Context, store.Access, *store.OrderDetails, string) error
	}{
		{stepPay, func(ctx context.Context, a store.Access, o *store.OrderDetails, token string) error {
			card := store.Payment{Type: "Visa", Amount: o.Total, Data: "1234"}
			return a.RecordPayment(ctx, store.PaymentRequest{InvoiceID: o.Invoices[0].ID, Version: o.Invoices[0].Version, Rest: card}, token)
		}},
		{stepShip, func(ctx context.Context, a store.Access, o *store.OrderDetails, token string) error {
			return a.ShipOpenItems(ctx, o.ID, warehouse, token)
		}},
		{stepSent, advanceTo(store.ShipmentSent)},
		{stepDeliver, advanceTo(store.ShipmentDelivered)},
	}
	for _, step := range steps {
		var form *store.OrderDetails
		err := l.onServer(func(ctx context.Context, a store.Access) (err error) {
			form, err = a.OrderForChange(ctx, id)
			return err
		})
		if err == nil {
			token := l.newToken()
			err = l.do(step.name, func(ctx context.Context, a store.Access) error { return step.do(ctx, a, form, token) })
		}
		if err != nil {
			return
		}
		pause(thinkTime)
	}
}

// advanceTo returns the step that changes the status of the shipment.
func advanceTo(to store.ShipmentStatus) func(context.Context, store.Access, *store.OrderDetails, string) error {
	return func(ctx context.Context, a store.Access, o *store.OrderDetails, token string) error {
		s := &o.Shipments[0]
		return a.AdvanceShipment(ctx, store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: to}, token)
	}
}

// checkOrders lists all orders. It returns an error if an order is listed twice, or if an
// order is missing that was placed more than a second ago.
func (l *load) checkOrders() error {
	since := time.Now().Add(-time.Second)
	listed := map[string]int{}
	filter := store.OrderFilter{DateRange: store.DateRange{From: l.servers[0].store.Now().AddDate(0, 0, -1)}}
	err := l.onServer(func(ctx context.Context, a store.Access) error {
		clear(listed)
		for order, err := range store.Each(func(p store.Page) (store.List[store.Order], error) {
			return a.Orders(ctx, filter, false, p)
		}) {
			if err != nil {
				return err
			}
			listed[order.ID]++
		}
		return nil
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, at := range l.placed {
		if at.Before(since) && listed[id] == 0 && err == nil {
			err = fmt.Errorf("order %s is missing", id)
		}
	}
	for id, n := range listed {
		if n > 1 && err == nil {
			err = fmt.Errorf("order %s is listed %d times", id, n)
		}
	}
	return err
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

// PlaceOne places one order, and performs all its steps. When it returns, the order is
// visible in all indexes.
func (s *Scenario) PlaceOne(ctx context.Context, engine *Engine, open func() *store.Store) {
	s.newLoad(ctx, engine, open).order()
	time.Sleep(time.Second)
}

// Orders returns the scenario of a shop with many products, warehouses and account reps.
func Orders(perSecond int) Scenario {
	return Scenario{
		Name: fmt.Sprintf("%d orders per second", perSecond), Limits: enough, Shards: 15, Numbering: store.NumberByID,
		OrdersPerSecond: perSecond, Customers: 2_000, Products: 1_000, Zipf: 1, Lines: 3, Warehouses: 10, Reps: 50, Users: 50,
		WarmUp: 2 * time.Second, Measured: 4 * time.Second,
	}
}

// ShardedOrders is like Orders, with the maximum number of shards. The best-selling product
// is in 35 % of the orders.
func ShardedOrders(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Shards = store.MaxShards
	s.Name += ", 48 shards"
	return s
}

// LargeShop is like ShardedOrders, with more products and warehouses. The best-selling
// product is in 15 % of the orders.
func LargeShop(perSecond int) Scenario {
	s := ShardedOrders(perSecond)
	s.Warehouses, s.Products, s.Zipf = 20, 10_000, 0.87
	s.Name += ", 10,000 products"
	return s
}

// OrdersOnServers is like Orders, with several servers. A total is divided into slots. Each
// server chooses the slots to which it adds, independently of the other servers.
func OrdersOnServers(perSecond, servers int) Scenario {
	s := Orders(perSecond)
	s.Name += fmt.Sprintf(" on %d servers", servers)
	s.Servers = servers
	return s
}

// Numbered is like Orders, with consecutive invoice numbers.
func Numbered(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name += " with consecutive invoice numbers"
	s.Numbering = store.NumberConsecutive
	return s
}

// FlashSale returns a sale of a single product. Its orders are placed, but not shipped.
func FlashSale(perSecond int) Scenario {
	return Scenario{
		Name: fmt.Sprintf("flash sale: %d orders of one product per second", perSecond), Limits: enough, Shards: 15, Numbering: store.NumberByID,
		OrdersPerSecond: perSecond, Customers: 5_000, Products: 1, Lines: 1, Warehouses: 1, Reps: 50, Users: 50, OnlyPlace: true,
		WarmUp: 2 * time.Second, Measured: 4 * time.Second,
	}
}

// OneWarehouse is like Orders, with one warehouse and one account rep.
func OneWarehouse(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name = fmt.Sprintf("one warehouse, one account rep: %d orders per second", perSecond)
	s.Warehouses, s.Reps = 1, 1
	return s
}

// enough are limits that no scenario reaches, so that only keys limit the load.
var enough = Limits{Quota: 400_000, Partitions: 400}
