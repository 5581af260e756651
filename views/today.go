package views

import (
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Today is the first page: what waits for somebody. What is nil is not this
// user's to act on.
type Today struct {
	Page
	Days           []store.DayTotal             // the orders of the last weeks, the last of which is today
	OpenOrders     *Waiting[store.Order]        // not paid yet, newest first
	PaidOrders     *Waiting[store.Order]        // paid and not sent, oldest first
	UnpaidInvoices *Waiting[store.Invoice]      // oldest first
	KayaksDue      *Waiting[store.ActiveRental] // today or before, the longest due first
	LowStock       []LowStock                   // by warehouse
	Recurring      *Recurring                   // payments of every month
}

// Recurring is what of the recurring payments somebody should know of today.
type Recurring struct {
	Day                 time.Time // today's, at midnight UTC
	Payments, Reminders Count     // due today
	PastDue             Count     // subscriptions whose payment was declined
	Failed              int       // of today's payments so far
}

// Count is how many rows a list has, as far as they were counted.
type Count struct {
	N    int
	More bool // there are more
}

func (c Count) String() string {
	if c.More {
		return strconv.Itoa(c.N) + "+"
	}
	return strconv.Itoa(c.N)
}

// LowStock is what one warehouse runs out of, the least first.
type LowStock struct {
	Warehouse store.Warehouse
	Waiting[store.WarehouseItem]
}

// Waiting is the beginning of a list of what waits for somebody, and how much
// that is.
type Waiting[T any] struct {
	Rows []T
	Count
}

// runningLow counts what all warehouses run out of.
func (p *Today) runningLow() Count {
	var low Count
	for i := range p.LowStock {
		low.N, low.More = low.N+p.LowStock[i].N, low.More || p.LowStock[i].More
	}
	return low
}

// The lists that the first page leads to.
const (
	openOrders     = "/orders?status=" + string(store.OrderOpen)
	paidOrders     = "/orders?status=" + string(store.OrderPaid)
	unpaidInvoices = "/invoices?status=" + string(store.InvoiceUnpaid)
)

// today is what was counted today.
func (p *Today) today() store.DayTotal {
	if len(p.Days) == 0 {
		return store.DayTotal{}
	}
	return p.Days[len(p.Days)-1]
}

// bars draws a figure of each day, each week's first day under its date.
func (p *Today) bars(figure func(store.DayTotal) int) []ui.Bar {
	bars := make([]ui.Bar, len(p.Days))
	for i, d := range p.Days {
		bars[i] = ui.Bar{Label: d.Day.Format("2 Jan"), Value: figure(d), Now: i == len(p.Days)-1}
	}
	return bars
}

func ordersOf(d store.DayTotal) int { return d.Count }

// revenueOf is whole units of the currency: a bar has no room for cents.
func revenueOf(d store.DayTotal) int {
	n, _ := strconv.Atoi(string(d.Amount.AppendFixed(nil, 0))) // whole and within an int, as amounts are bounded
	return n
}
