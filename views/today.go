package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Today is the start page. It shows orders, invoices, stock and payments that need
// attention. Parts that the user may not see are nil.
type Today struct {
	Page
	Days           []store.DayTotal             // orders by day in the last 4 weeks, up to today
	OpenOrders     *Waiting[store.Order]        // orders that are not paid, newest first
	PaidOrders     *Waiting[store.Order]        // orders that are paid but not shipped, oldest first
	UnpaidInvoices *Waiting[store.Invoice]      // oldest first
	KayaksDue      *Waiting[store.ActiveRental] // kayaks due today or earlier, longest overdue first
	Takings        *store.Sum                   // rental charges that were paid today
	LowStock       []LowStock                   // low stock by warehouse
	Overdue        *OverdueDeliveries           // expected deliveries that have not arrived
	Recurring      Recurring                    // subscription payments and reminders

	OverdueTransfers *OverdueTransfers // transfers that have not arrived

	SetUp *store.SetUpSteps // steps of a new business, for admins; nil if they were not read

	Findings int // number of findings of the last nightly check, for admins

	ChartMonths int              // number of months of the chart that were read
	Totals      []store.DayTotal // totals of these months

	Failed     []string      // parts that could not be read
	Unread     []string      // parts that were not yet read
	Incomplete bool          // reloading the page will read some of the unread parts
	Earlier    []EarlierPart // parts from memory, with their age
}

// EarlierPart is a part that was read for an earlier page, and when.
type EarlierPart struct {
	Name string
	At   time.Time
}

// Recurring counts the subscription payments and reminders of a day.
type Recurring struct {
	Day                 time.Time // at midnight UTC
	Payments, Reminders *Count    // due on this day; nil if they were not read
	Behind              *Count    // payments that were due earlier and are still open
	PastDue             *Count    // subscriptions whose payment was declined
	Failed              *int      // number of payments of this day that failed, were declined or have an unknown outcome
}

// Count is the number of rows in a list, counted up to a limit.
type Count struct {
	N    int
	More bool // there are more than N rows
}

func (c Count) String() string {
	if c.More {
		return strconv.Itoa(c.N) + "+"
	}
	return strconv.Itoa(c.N)
}

// LowStock is the low stock of one warehouse, lowest quantity first.
type LowStock struct {
	Warehouse store.Warehouse
	Waiting[store.WarehouseItem]
}

// Waiting contains the first rows of a list, and the count of all rows.
type Waiting[T any] struct {
	Rows []T
	Count
}

// notes describes the parts that are missing, and those that come from memory.
func (p *Today) notes() []string {
	var notes []string
	if len(p.Failed) > 0 {
		notes = append(notes, "Can't be shown right now: "+strings.Join(p.Failed, "; ")+".")
	}
	if len(p.Unread) > 0 {
		notes = append(notes, "Not loaded yet: "+strings.Join(p.Unread, "; ")+".")
	}
	slices.SortStableFunc(p.Earlier, func(a, b EarlierPart) int { return b.At.Compare(a.At) })
	var earlier []string
	for i, e := range p.Earlier {
		if i > 0 && p.time(p.Earlier[i-1].At) == p.time(e.At) {
			earlier[len(earlier)-1] += "; " + e.Name
		} else {
			earlier = append(earlier, "As of "+p.time(e.At)+": "+e.Name)
		}
	}
	if len(earlier) > 0 { // one note for all parts, because each can have another age
		notes = append(notes, strings.Join(earlier, ". ")+".")
	}
	return notes
}

// runningLow returns the number of low products in all warehouses.
func (p *Today) runningLow() Count {
	var low Count
	for i := range p.LowStock {
		low.N, low.More = low.N+p.LowStock[i].N, low.More || p.LowStock[i].More
	}
	return low
}

// Addresses of the lists that the page links to.
const (
	openOrders     = "/orders?status=" + string(store.OrderOpen)
	paidOrders     = "/orders?status=" + string(store.OrderPaid)
	unpaidInvoices = "/invoices?status=" + string(store.InvoiceUnpaid)
)

// today returns today's totals.
func (p *Today) today() store.DayTotal {
	if len(p.Days) == 0 {
		return store.DayTotal{}
	}
	return p.Days[len(p.Days)-1]
}

// bars returns a bar for each day.
func (p *Today) bars(figure func(store.DayTotal) int) []ui.Bar {
	bars := make([]ui.Bar, len(p.Days))
	for i, d := range p.Days {
		bars[i] = ui.Bar{Label: d.Day.Format("2 Jan"), Value: figure(d), Now: i == len(p.Days)-1}
	}
	return bars
}

func ordersOf(d store.DayTotal) int { return d.Count }

// revenueOf returns the revenue in whole units, which is precise enough for a bar.
func revenueOf(d store.DayTotal) int { return d.Amount.Whole() }

// isNew reports whether the business is not yet set up and has no recent orders.
func (p *Today) isNew() bool {
	return p.SetUp != nil && !p.SetUp.Done() && !slices.ContainsFunc(p.Days, func(d store.DayTotal) bool { return d.Count > 0 })
}

// setUpStep is one step of setting up a business.
type setUpStep struct {
	name, hint, path string
	done             bool
}

func (p *Today) setUpSteps() []setUpStep {
	s := p.SetUp
	return []setUpStep{
		{"Add a warehouse", "For the stock that you sell and ship.", "/warehouses/new", s.Warehouse},
		{"Add a store", "Only if you rent out kayaks. Then add kayaks on the page of the store.", "/stores/new", s.Store},
		{"Add a product", "Then receive its first stock on the page of the warehouse.", "/products/new", s.Product},
		{"Add an employee", "Employees can be account reps of customers.", "/employees/new", s.Employee},
		{"Add a user", "Each user has a role, which decides what they can see and do.", "/admin/users", s.User},
	}
}
