package views

import (
	"slices"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Customer is the page of a customer, with the customer's orders, invoices, credit
// notes, rentals, subscriptions and receipts.
type Customer struct {
	Page
	Customer    Single[store.Customer]  // contains only the ID if the customer could not be read
	Rep         Single[*store.Employee] // nil if there is no rep
	Same        Single[[]store.Renter]  // other records of the same person
	Debt        Single[store.Debt]
	From, To    ui.Input // dates of orders, invoices, credit notes, products, Newest
	Orders      Part[store.Order]
	Invoices    Part[store.Invoice]
	CreditNotes Part[store.CreditNote]
	Products    Part[store.OrderItem]
	Rented      Rented

	NextPayment   Single[*store.Subscription] // nil if there is no active subscription
	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Newest        []store.TimelineEntry // latest activity in the range of dates
	NewestLack    bool                  // some entries of Newest could not be read
	CanEdit       bool
	CanNote       bool // show the note form, which needs the field Token
	Token         string
}

// standingFigure is a number at the top of the page, such as the balance due.
type standingFigure struct{ name, value, note string }

func (p *Customer) standing() []standingFigure {
	figures := []standingFigure{p.balanceFigure()}
	if p.Debt.Found.Back.Sign() > 0 {
		figures = append(figures, standingFigure{name: "To refund", value: p.money(p.Debt.Found.Back)})
	}
	return append(figures, p.nextPayment(), p.kayaksOut())
}

// notRead is shown instead of a number that could not be read.
const notRead = "not available right now"

func (p *Customer) balanceFigure() standingFigure {
	f := standingFigure{"Balance due on invoices", p.money(p.Debt.Found.Owed), ""}
	switch debt := &p.Debt.Found; {
	case p.Debt.Failed:
		f.value, f.note = "–", notRead
	case debt.More:
		f.note = "only the newest invoices"
	case debt.Unpaid > 0:
		f.note = count(debt.Unpaid, "invoice", "invoices")
	}
	return f
}

func (p *Customer) nextPayment() standingFigure {
	f := standingFigure{"Next payment", "–", ""}
	if p.NextPayment.Failed {
		f.note = notRead
	} else if s := p.NextPayment.Found; s != nil {
		f.value, f.note = p.money(s.PaymentAmount), "on "+calendar(s.NextPaymentDate)
	}
	return f
}

func (p *Customer) kayaksOut() standingFigure {
	out := &p.Rented.Out
	f := standingFigure{"Kayaks checked out", strconv.Itoa(len(out.Rows)), ""}
	switch {
	case out.Failed:
		f.value, f.note = "–", notRead
	case out.NextURL != "" || out.PrevURL != "":
		f.value = "over " + strconv.Itoa(out.Shown)
	case len(out.Rows) > 0:
		first := slices.MinFunc(out.Rows, func(a, b store.ActiveRental) int { return a.Due.Compare(b.Due) })
		f.note = "first due back on " + calendar(first.Due)
	}
	return f
}
