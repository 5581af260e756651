package demo

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"stockroom/store"
)

const (
	firstOrder    = 100001
	firstInvoice  = 500001
	firstShipment = 700001
)

// makeOrders spreads the orders over the days by how busy each is, and tells
// each one's story up to now.
func (g *generator) makeOrders() {
	moments := g.moments()
	shipments := firstShipment
	for i, date := range moments {
		s := &story{generator: g, nextShipment: &shipments, age: g.now.Sub(date)}
		s.order = store.Order{ID: fmt.Sprint(firstOrder + i), Date: date, Version: 1}
		s.invoice = store.Invoice{ID: fmt.Sprint(firstInvoice + i), OrderID: s.order.ID, Version: 1}
		s.tell()
	}
}

// moments are when the orders were placed, in order of time.
func (g *generator) moments() []time.Time {
	start := g.now.AddDate(0, -months, 0)
	var days []time.Time
	var until []float64 // the weights of the days up to and including this one
	total := 0.0
	for day := start; !day.After(g.now); day = day.AddDate(0, 0, 1) {
		total += busyness(day, day.Sub(start).Hours()/g.now.Sub(start).Hours())
		days, until = append(days, day), append(until, total)
	}
	moments := make([]time.Time, 0, Orders)
	for len(moments) < Orders {
		day := days[sort.SearchFloat64s(until, g.Float64Range(0, total))]
		// People buy from the morning on, and most in the evening.
		hour := (g.Float64Range(7, 24) + g.Float64Range(7, 24)) / 2
		moment := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC).Add(time.Duration(hour * float64(time.Hour)))
		if moment.Before(g.now) {
			moments = append(moments, moment.Truncate(time.Second))
		}
	}
	slices.SortFunc(moments, func(a, b time.Time) int { return a.Compare(b) })
	return moments
}

// busyness is how many orders a day brings: the shop grows, Mondays and
// Sundays are good, and so are the weeks before Christmas.
func busyness(day time.Time, progress float64) float64 {
	weight := 1 + progress
	switch day.Weekday() {
	case time.Sunday, time.Monday:
		weight *= 1.3
	case time.Friday, time.Saturday:
		weight *= 0.75
	}
	switch day.Month() {
	case time.November:
		weight *= 1.35
	case time.December:
		weight *= 1.6
	case time.July:
		weight *= 0.7
	}
	return weight
}

// story is one order, from the basket to the doorstep.
type story struct {
	*generator
	age          time.Duration
	nextShipment *int

	order     store.Order
	lines     []store.OrderItem
	invoice   store.Invoice
	shipments []store.Shipment
	packed    []store.ShipmentItem
}

func (s *story) tell() {
	s.buy()
	s.order.Status = s.outcome()
	s.ship()
	s.bill()
	s.add(&s.order)
	for i := range s.lines {
		s.add(&s.lines[i])
	}
	s.add(&s.invoice)
	for i := range s.shipments {
		s.add(&s.shipments[i])
	}
	for i := range s.packed {
		s.add(&s.packed[i])
	}
}

// buy fills the basket of somebody who was a customer by then.
func (s *story) buy() {
	o := &s.order
	known := sort.Search(len(s.customers), func(i int) bool { return s.customers[i].Created.After(o.Date) })
	customer := s.customers[known-1-s.popular(known)] // recent customers buy more
	o.CustomerID, o.CustomerName, o.ShipTo, o.AccountRepID = customer.ID, customer.Name, customer.Address, customer.AccountRepID
	bought := map[string]bool{}
	for n := 1; n == 1 || (n <= 8 && s.chance(48)); n++ {
		product := s.products[s.popular(len(s.products))]
		if bought[product.ID] {
			continue
		}
		bought[product.ID] = true
		quantity := 1
		for quantity < 6 && s.chance(28) {
			quantity++
		}
		line := store.OrderItem{
			OrderID: o.ID, ProductID: product.ID, CustomerID: o.CustomerID, Date: o.Date,
			Name: product.Name, SKU: product.SKU, Price: product.Price, Quantity: quantity, Version: 1,
		}
		s.lines = append(s.lines, line)
		o.Total = o.Total.Plus(line.Total())
		o.ItemCount += quantity
	}
}

const day = 24 * time.Hour

// outcome is how far the order has come by its age. A few are late, and a few
// never went through.
func (s *story) outcome() store.OrderStatus {
	x := s.Float64Range(0, 100)
	switch {
	case s.age > 2*time.Hour && x < 3:
		return store.OrderCancelled
	case s.age > 21*day && x < 6:
		return store.OrderReturned
	}
	// The shares of open and paid orders and of those under way, in that order.
	open, paid, sent := 1.0, 1.4, 2.5
	switch {
	case s.age < day:
		open, paid, sent = 55, 95, 100
	case s.age < 3*day:
		open, paid, sent = 18, 60, 100
	case s.age < 10*day:
		open, paid, sent = 5, 13, 65
	}
	switch x = s.Float64Range(0, 100); {
	case x < open:
		return store.OrderOpen
	case x < paid:
		return store.OrderPaid
	case x < sent:
		return store.OrderShipped
	}
	return store.OrderDelivered
}
