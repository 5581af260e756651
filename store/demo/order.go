package demo

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"stockroom/store"
)

const (
	firstOrder   = 100001
	firstInvoice = 500001
	firstCredit  = 800001
)

func (g *generator) addOrders() {
	for i, date := range g.orderDates() {
		s := &orderHistory{generator: g, age: g.now.Sub(date)}
		s.order = store.Order{ID: fmt.Sprint(firstOrder + i), Date: date, Version: 1}
		s.invoice = store.Invoice{ID: fmt.Sprint(firstInvoice + i), Number: i + 1, OrderID: s.order.ID, Version: 1}
		s.generate()
	}
	g.addCreditNotes()
}

// orderDates returns the times of all orders, in ascending order. Busy days have more
// orders.
func (g *generator) orderDates() []time.Time {
	start := g.now.AddDate(0, -months, 0)
	var days []time.Time
	var sums []float64 // for each day, the sum of the weights up to this day
	total := 0.0
	for day := start; !day.After(g.now); day = day.AddDate(0, 0, 1) {
		total += weight(day, day.Sub(start).Hours()/g.now.Sub(start).Hours())
		days, sums = append(days, day), append(sums, total)
	}
	dates := make([]time.Time, 0, g.size.Orders)
	for len(dates) < g.size.Orders {
		day := days[sort.SearchFloat64s(sums, g.floatBetween(0, total))]
		// Orders are placed between 07:00 and midnight, and most of them in the afternoon.
		hour := (g.floatBetween(7, 24) + g.floatBetween(7, 24)) / 2
		date := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC).Add(time.Duration(hour * float64(time.Hour)))
		if date.Before(g.now) {
			dates = append(dates, date.Truncate(time.Second))
		}
	}
	slices.SortFunc(dates, func(a, b time.Time) int { return a.Compare(b) })
	return dates
}

// weight returns how many orders a day has, relative to other days. The shop grows over
// time: the argument progress rises from 0 on the first day to 1 on the last. More
// orders are placed on Sundays, on Mondays and before Christmas, and fewer on Fridays,
// on Saturdays and in July.
func weight(day time.Time, progress float64) float64 {
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

// orderHistory generates one order with its lines, invoice and shipments.
type orderHistory struct {
	*generator
	age time.Duration

	order     store.Order
	lines     []store.OrderItem
	invoice   store.Invoice
	shipments []store.Shipment
	packed    []store.ShipmentItem
}

func (s *orderHistory) generate() {
	s.addLines()
	s.order.Status = s.status()
	s.addShipments()
	s.addInvoice()
	details := store.OrderDetails{Order: s.order, Items: s.lines}
	details.UpdateOpenLines()
	s.order.OpenLines = details.OpenLines
	s.add(&s.order)
	for i := range s.lines {
		s.add(&s.lines[i])
	}
	s.add(&s.invoice)
	s.creditInvoice()
	for i := range s.shipments {
		s.add(&s.shipments[i])
	}
	for i := range s.packed {
		s.add(&s.packed[i])
	}
}

// addLines chooses a customer who was created before the order, and adds lines.
func (s *orderHistory) addLines() {
	o := &s.order
	count := sort.Search(len(s.customers), func(i int) bool { return s.customers[i].Created.After(o.Date) })
	customer := s.customers[count-1-s.popular(count)] // recent customers order more often
	o.CustomerID, o.CustomerName, o.ShipTo, o.AccountRepID = customer.ID, customer.Name, customer.Address, customer.AccountRepID
	ordered := map[string]bool{}
	for n := 1; n == 1 || (n <= 8 && s.chance(48)); n++ {
		product := s.products[s.popular(len(s.products))]
		if ordered[product.ID] {
			continue
		}
		ordered[product.ID] = true
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

// status returns a plausible status for the age of the order. Some orders are late,
// cancelled or returned.
func (s *orderHistory) status() store.OrderStatus {
	x := s.floatBetween(0, 100)
	switch {
	case s.age > 2*time.Hour && x < 3:
		return store.OrderCancelled
	case s.age > 21*day && x < 6:
		return store.OrderReturned
	}
	// Cumulative percentages: orders that are open; open or paid; and open, paid or
	// shipped.
	open, paid, shipped := 1.0, 1.4, 2.5
	switch {
	case s.age < day:
		open, paid, shipped = 55, 95, 100
	case s.age < 3*day:
		open, paid, shipped = 18, 60, 100
	case s.age < 10*day:
		open, paid, shipped = 5, 13, 65
	}
	switch x = s.floatBetween(0, 100); {
	case x < open:
		return store.OrderOpen
	case x < paid:
		return store.OrderPaid
	case x < shipped:
		return store.OrderShipped
	}
	return store.OrderDelivered
}
