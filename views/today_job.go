package views

import (
	"cmp"
	"slices"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Addresses of the lists that Today links to.
const (
	openOrders      = "/orders?status=" + string(store.OrderOpen)
	paidOrders      = "/orders?status=" + string(store.OrderPaid)
	overdueInvoices = "/invoices?status=" + string(store.InvoiceOverdue)
	unpaidInvoices  = "/invoices?status=" + string(store.InvoiceUnpaid)
	partlyPaid      = "/invoices?status=" + string(store.InvoicePartial)
	toRefund        = "/invoices?status=" + string(store.InvoiceToRefund)
	pastDue         = "/subscriptions?status=" + string(store.SubscriptionPastDue)
)

// todayJob is a card of Today with the figures of one area of work, such as stock.
type todayJob struct {
	title   string
	icon    ui.Icon
	scope   string // says that the figures cover only the user's warehouses or stores; otherwise ""
	figures []todayFigure
}

// todayFigure is the number of rows in a list, with a link to the list.
type todayFigure struct {
	count     Count
	one       string // the text instead of what if the count is 1; "" to show what
	what, sub string
	url       string
	tone      figureTone
}

// text returns the text after the number.
func (f *todayFigure) text() string {
	if f.count == (Count{N: 1}) {
		return cmp.Or(f.one, f.what)
	}
	return f.what
}

// figureTone is the urgency of a figure. Figures are sorted by it.
type figureTone int

const (
	actNow  figureTone = iota // red
	actSoon                   // amber
	justShown
	nothingToDo // the count is 0
)

var toneClasses = [...]string{actNow: "bad", actSoon: "warn", justShown: "", nothingToDo: "nil"}

// jobs returns the cards that have figures. On a card, the most urgent figures come
// first, and zeros come last.
func (p *Today) jobs() []todayJob {
	all := []todayJob{
		{title: "Sales", icon: ui.IconOrders, figures: p.salesFigures()},
		{title: "Stock", icon: ui.IconProducts, scope: "Your warehouses", figures: p.stockFigures()},
		{title: "Rentals", icon: ui.IconKayaks, scope: "Your stores", figures: p.rentalFigures()},
		{title: "Payments", icon: ui.IconPayment, figures: p.paymentFigures()},
	}
	all = slices.DeleteFunc(all, func(j todayJob) bool { return len(j.figures) == 0 })
	for i := range all {
		if !p.OwnPlaces {
			all[i].scope = ""
		}
		figures := all[i].figures
		for i := range figures {
			if figures[i].count == (Count{}) {
				figures[i].tone, figures[i].sub = nothingToDo, ""
			}
		}
		slices.SortStableFunc(figures, func(a, b todayFigure) int { return cmp.Compare(a.tone, b.tone) })
	}
	return all
}

func (p *Today) salesFigures() (figures []todayFigure) {
	if p.Unpaid != nil && p.PartlyPaid != nil {
		overdue := Count{N: p.Unpaid.Overdue + p.PartlyPaid.Overdue, More: p.Unpaid.More || p.PartlyPaid.More}
		f := todayFigure{count: overdue, one: "Invoice overdue", what: "Invoices overdue", url: overdueInvoices, tone: actNow}
		if !overdue.More {
			f.sub = p.sum(p.Unpaid.Due.Plus(p.PartlyPaid.Due)) + " balance due"
		}
		figures = append(figures, f)
	}
	if p.PaidOrders != nil {
		f := todayFigure{count: *p.PaidOrders, one: "Order to ship", what: "Orders to ship", url: paidOrders, tone: actSoon}
		if !p.OldestToShip.IsZero() {
			f.sub = "Oldest placed " + relativeDay(&p.Page, p.OldestToShip)
			if p.OwnPlaces {
				f.sub += " · all warehouses"
			}
		}
		figures = append(figures, f)
	}
	if back := p.ToRefund; back != nil {
		f := todayFigure{count: back.Count, one: "Invoice to refund", what: "Invoices to refund", url: toRefund, tone: actSoon}
		if !back.More {
			f.sub = p.sum(back.Amount)
		}
		figures = append(figures, f)
	}
	figures = appendFigure(figures, p.OpenOrders, todayFigure{one: "Open order", what: "Open orders", sub: "Not fully paid", url: openOrders, tone: justShown})
	if p.Unpaid != nil {
		figures = append(figures, todayFigure{count: p.Unpaid.Count, one: "Unpaid invoice", what: "Unpaid invoices", url: unpaidInvoices, tone: justShown})
	}
	if p.PartlyPaid != nil {
		figures = append(figures, todayFigure{count: p.PartlyPaid.Count, one: "Partly paid invoice", what: "Partly paid invoices", url: partlyPaid, tone: justShown})
	}
	return figures
}

func (p *Today) stockFigures() (figures []todayFigure) {
	if p.LowStock != nil {
		low, out := p.LowStock.totals()
		figures = append(figures,
			todayFigure{count: out, what: "Out of stock", sub: "Each product counts once per warehouse", url: outOfStock, tone: actNow},
			todayFigure{count: low, what: "Low in stock", sub: "At or below the reorder point, counted per warehouse", url: lowStockPath, tone: actSoon},
		)
	}
	if late := p.Overdue; late != nil {
		figures = append(figures, todayFigure{
			count: late.Count, one: "Delivery overdue", what: "Deliveries overdue", url: overdueDeliveries, tone: actNow,
			sub: warehouseName(late.Warehouses, late.First.WarehouseID) + ", due " + p.calendar(late.First.Due),
		})
	}
	if late := p.OverdueTransfers; late != nil {
		figures = append(figures, todayFigure{
			count: late.Count, one: "Transfer overdue", what: "Transfers overdue", url: overdueTransfers, tone: actNow,
			sub: "To " + warehouseName(late.Warehouses, late.First.TargetID) + ", sent " + p.calendar(late.First.Sent),
		})
	}
	return figures
}

func (p *Today) rentalFigures() (figures []todayFigure) {
	longest := &p.LongestOverdue
	figures = appendFigure(figures, p.KayaksOverdue, todayFigure{
		one: "Kayak overdue", what: "Kayaks overdue", url: overduePath, tone: actNow,
		sub: "Longest: " + nameOr(longest.KayakName, longest.KayakID) + ", " + count(store.LateDays(longest.Due, p.Now, p.zone()), "day", "days"),
	})
	return appendFigure(figures, p.KayaksDue, todayFigure{one: "Kayak due back today", what: "Kayaks due back today", url: dueTodayPath, tone: actSoon})
}

func (p *Today) paymentFigures() (figures []todayFigure) {
	due := &p.Recurring
	figures = appendFigure(figures, due.PastDue, todayFigure{one: "Subscription past due", what: "Subscriptions past due", sub: "Their last payment was declined", url: pastDue, tone: actNow})
	figures = appendFigure(figures, due.Behind, todayFigure{one: "Payment not charged", what: "Payments not charged", sub: "Due on an earlier day", url: behindPath, tone: actNow})
	if due.Failed != nil {
		figures = append(figures, todayFigure{
			count: Count{N: *due.Failed}, one: "Payment failed today", what: "Payments failed today", url: JobPath(store.PaymentsJob, due.Day) + "?show=failures", tone: actNow,
		})
	}
	figures = appendFigure(figures, due.Payments, todayFigure{one: "Payment due today", what: "Payments due today", url: "/due", tone: actSoon})
	return appendFigure(figures, due.Reminders, todayFigure{one: "Reminder due today", what: "Reminders due today", url: "/due?kind=reminder", tone: justShown})
}

// appendFigure appends a figure with the count n. It appends nothing if the count was
// not read.
func appendFigure(figures []todayFigure, n *Count, f todayFigure) []todayFigure {
	if n == nil {
		return figures
	}
	f.count = *n
	return append(figures, f)
}

// weekChart returns the chart of a value in the last 7 days and in the 7 days before. It
// compares today with a whole day, because the totals contain no time of day.
func (p *Today) weekChart(name, title, note string, value func(store.DayTotal) int, sum func([]store.DayTotal) string, short func(store.DayTotal) string) ui.WeekChart {
	half := len(p.Days) / 2
	before, now := p.Days[:half], p.Days[half:2*half]
	last := max(0, half-1)
	c := ui.WeekChart{Name: name, Title: title, Note: note, Total: sum(now), Whole: sum(now[:last]), WholeBefore: sum(before[:last])}
	for i := range now {
		day := now[i].Day
		label, compared := day.Format("Mon 2 Jan"), "week before"
		if i == last {
			label, compared = "Today so far", "all of "+before[i].Day.Format("Mon 2 Jan")+":"
		}
		c.Days = append(c.Days, ui.WeekDay{
			Weekday: day.Format("Mon"), Day: day.Format("2"), Label: label, Compared: compared, Short: short(now[i]),
			Value: value(now[i]), Before: value(before[i]), Text: sum(now[i : i+1]), TextBefore: sum(before[i : i+1]),
		})
	}
	return c
}

func (p *Today) orderChart() ui.WeekChart {
	orders := func(d store.DayTotal) int { return d.Count }
	return p.weekChart("orders", "Orders per day", "excluding cancelled orders", orders,
		func(days []store.DayTotal) string {
			n := 0
			for _, d := range days {
				n += d.Count
			}
			return count(n, "order", "orders")
		},
		func(d store.DayTotal) string { return strconv.Itoa(d.Count) })
}

func (p *Today) revenueChart() ui.WeekChart {
	// Whole currency units are precise enough for a bar.
	return p.weekChart("revenue", "Revenue per day", "net of returns", func(d store.DayTotal) int { return d.Amount.Whole() },
		func(days []store.DayTotal) string {
			var sum store.Sum
			for _, d := range days {
				sum = sum.Plus(d.Amount)
			}
			return p.sum(sum)
		},
		func(d store.DayTotal) string { return shortSum(&p.Page, d.Amount) })
}

// shortSum formats a sum for a narrow column, such as €612, €4.8k or €1.2m.
func shortSum(p *Page, sum store.Sum) string {
	whole := sum.Whole()
	b, _, _ := store.AppendSymbol(nil, whole < 0, p.Currency)
	whole = max(whole, -whole)
	unit := ""
	for _, next := range []string{"k", "m", "bn"} {
		if whole < 1000 {
			break
		}
		if whole < 9950 {
			tenths := (whole + 50) / 100
			return string(b) + strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + next
		}
		whole, unit = (whole+500)/1000, next
	}
	return string(AppendCount(b, whole)) + unit
}

// lowStockNote says how many stock items are low, and where. A product that is low in two
// warehouses counts twice.
func lowStockNote(p *Today, low Count) string {
	if low == (Count{}) {
		return ""
	}
	items := "low stock items"
	if low == (Count{N: 1}) {
		items = "low stock item"
	}
	if p.OwnPlaces {
		items += " in your warehouses"
	}
	return low.String() + " " + items + " (each product counts once per warehouse)"
}

// takingsURL returns the address of the takings of the user's only store. For other users,
// it returns the address of the list of stores.
func (p *Today) takingsURL() string {
	if p.OwnPlaces && len(p.User.Stores) == 1 {
		return TakingsPath(p.User.Stores[0])
	}
	return "/stores"
}

// jobCard shows the figures of one area of work, with links to the lists that they
// count.
func jobCard(p *Today, job *todayJob) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<section class="card job"><header><h2>`)
		m.Icon(job.icon)
		m.Text(job.title)
		m.HTML(`</h2>`)
		if job.title == "Rentals" && p.Takings != nil {
			words := " taken today"
			if p.User.InChargeOfAll() {
				words = " of charges paid today"
			}
			ui.More(p.takingsURL(), p.sum(*p.Takings)+words)(m)
		}
		m.HTML(`</header>`)
		if job.scope != "" {
			m.HTML(`<p class="scope muted">`)
			m.Text(job.scope)
			m.HTML(`</p>`)
		}
		m.HTML(`<ul>`)
		for i := range job.figures {
			todayFigureRow(m, &job.figures[i])
		}
		m.HTML(`</ul></section>`)
	}
}

func todayFigureRow(m *ui.Markup, f *todayFigure) {
	m.HTML(`<li><a href="`)
	m.Address(f.url)
	m.HTML(`" class="`)
	m.Text(toneClasses[f.tone])
	m.HTML(`"><b>`)
	m.Text(f.count.String())
	m.HTML(`</b><span class="what"> `)
	m.Text(f.text())
	m.HTML(`</span>`)
	if f.sub != "" {
		m.HTML(`<span class="sub" dir="auto">`)
		m.Text(f.sub)
		m.HTML(`</span>`)
	}
	m.HTML(`</a></li>`)
}
