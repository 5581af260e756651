package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
)

// Today is the start page. It shows orders, invoices, stock, rentals and payments that
// need attention. Parts that the user may not see are nil.
type Today struct {
	Page
	OwnPlaces bool // the figures cover only the warehouses and stores of the user

	OpenOrders         *Count    // orders that are not paid
	PaidOrders         *Count    // orders that are paid but not shipped
	OldestToShip       time.Time // date of the oldest order in PaidOrders
	Unpaid, PartlyPaid *InvoiceCount
	ToRefund           *RefundCount

	News  *store.News // nil if the news could not be read
	Token string      // token of the form that dismisses the news

	LowStock         *LowStock
	Overdue          *OverdueRows[store.ExpectedDelivery] // expected deliveries that have not arrived
	OverdueTransfers *OverdueRows[store.Transfer]         // transfers that have not arrived

	KayaksOverdue  *Count             // kayaks due back before today
	LongestOverdue store.ActiveRental // rental that is overdue the longest
	KayaksDue      *Count             // kayaks due back today
	Takings        *store.Sum         // rental charges paid today; for managers also deposits taken minus deposits returned today

	PickUps     []store.Booking // bookings of a manager's stores to pick up today, or not picked up earlier
	MorePickUps bool            // there are more bookings than PickUps contains

	Recurring Recurring // subscription payments and reminders

	Days        []store.DayTotal // orders by day in the last 2 weeks, including today
	ChartMonths int              // number of months that were read for the chart
	Totals      []store.DayTotal // totals by day of the months that were read

	SetUp    *store.SetUpSteps // progress of setting up a new business, for admins; nil if it was not read
	Findings int               // number of findings of the last nightly check, for admins
	File     *DataFile         // state of the data file, for admins; nil if there is no data file

	Failed     []string      // names of the parts that could not be read
	Unread     []string      // names of the parts that have not been read yet
	Incomplete bool          // after a reload, the page will show some of the unread parts
	Earlier    []EarlierPart // parts that were read at least a minute ago and kept in memory
}

// OverdueRows counts the overdue deliveries or transfers to some warehouses.
type OverdueRows[T any] struct {
	Count
	First      T
	Warehouses []store.Warehouse
}

// EarlierPart is a part of the page that was read earlier, and the time when it was
// read.
type EarlierPart struct {
	Name string
	At   time.Time
}

// Recurring counts the subscription payments and reminders of a day.
type Recurring struct {
	Day                 time.Time // at midnight UTC
	Payments, Reminders *Count    // due on this day; nil if they were not read
	Behind              *Count    // payments that were due earlier and are still open, except declined ones
	PastDue             *Count    // subscriptions with a declined payment
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

func (c Count) plus(added Count) Count { return Count{c.N + added.N, c.More || added.More} }

// InvoiceCount counts the invoices with a status, and the overdue ones among them.
type InvoiceCount struct {
	Count
	Overdue int
	Due     store.Sum // balance due of the overdue invoices
}

// RefundCount counts the invoices with an amount to refund.
type RefundCount struct {
	Count
	Amount store.Sum // amount to refund of these invoices
}

// LowStock contains counts and rows of the products with low stock in some warehouses.
type LowStock struct {
	Warehouses []LowWarehouse
	Rows       []store.StockRow // rows with the fewest pieces
	Partial    bool             // further warehouses were not read
}

// LowWarehouse counts the products of a warehouse that are low, and those that are out
// of stock.
type LowWarehouse struct {
	store.Warehouse
	Low, Out Count
}

// totals returns the numbers of products that are low and out of stock.
func (l *LowStock) totals() (low, out Count) {
	low.More, out.More = l.Partial, l.Partial
	for i := range l.Warehouses {
		low, out = low.plus(l.Warehouses[i].Low), out.plus(l.Warehouses[i].Out)
	}
	return low, out
}

type lowStockLink struct {
	name, url string
	low       Count
}

func (l *LowStock) links() []lowStockLink {
	var links []lowStockLink
	for i := range l.Warehouses {
		if w := &l.Warehouses[i]; w.Low.N > 0 {
			links = append(links, lowStockLink{nameOr(w.Name, w.ID), List{Path: lowStockPath}.With("warehouse", w.ID), w.Low})
		}
	}
	return links
}

func (l *LowStock) warehouses() []store.Warehouse {
	all := make([]store.Warehouse, len(l.Warehouses))
	for i := range l.Warehouses {
		all[i] = l.Warehouses[i].Warehouse
	}
	return all
}

// notes says which parts of the page are missing, and which were read earlier.
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
	if len(earlier) > 0 {
		notes = append(notes, strings.Join(earlier, ". ")+".")
	}
	return notes
}

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
