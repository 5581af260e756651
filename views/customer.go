package views

import (
	"slices"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Customers is the list of customers, by name.
type Customers struct {
	Page
	List            // parameters bucket, name, email, limit
	Bucket string   // the first letter; "" is all
	Name   ui.Input // a beginning of the name
	Email  ui.Input // a whole address
	Rows   []store.Customer
	MayAdd bool
}

// Customer is one person and what they bought in a range of days.
type Customer struct {
	Page
	Customer Single[store.Customer]  // of whom the ID alone is known where the profile could not be read
	Rep      Single[*store.Employee] // who looks after them; nil: nobody, or nobody whom the user may know of
	Debt     Single[store.Debt]
	From, To ui.Input // the days of all three lists
	Orders   Part[store.Order]
	Invoices Part[store.Invoice]
	Products Part[store.OrderItem]
	Rented   Rented

	NextPayment   Single[*store.Subscription] // nil: nothing is paid for
	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Newest        []store.TimelineEntry // of those days, what happened last in all parts of the business
	NewestLack    bool                  // something of it could not be read
	MayEdit       bool
	MayNote       bool // and then Once is the token of the form of a note
	Once          string
}

// Timeline is all that happened with a customer, newest first.
type Timeline struct {
	Page
	List     // parameter limit
	Customer store.Customer
	Rows     []store.TimelineEntry
}

// standingFigure is one figure of how a customer stands with the business.
type standingFigure struct{ name, value, note string }

// standing are the figures above all parts. What could not be read says so.
func (p *Customer) standing() []standingFigure {
	figures := []standingFigure{p.owed()}
	if p.Debt.Found.Back.Sign() > 0 {
		figures = append(figures, standingFigure{name: "To pay back", value: p.money(p.Debt.Found.Back)})
	}
	return append(figures, p.nextPayment(), p.kayaksOut())
}

// notRead is the note of a figure that could not be read.
const notRead = "could not be read just now"

func (p *Customer) owed() standingFigure {
	f := standingFigure{"Owed", p.money(p.Debt.Found.Owed), ""}
	switch debt := &p.Debt.Found; {
	case p.Debt.Failed:
		f.value, f.note = "–", notRead
	case debt.More:
		f.note = "on the newest invoices"
	case debt.Unpaid > 0:
		f.note = "on " + count(debt.Unpaid, "invoice", "invoices")
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
	f := standingFigure{"Kayaks out", strconv.Itoa(len(out.Rows)), ""}
	switch {
	case out.Failed:
		f.value, f.note = "–", notRead
	case out.NextURL != "" || out.PrevURL != "":
		f.value = "over " + strconv.Itoa(out.Shown)
	case len(out.Rows) > 0:
		first := slices.MinFunc(out.Rows, func(a, b store.ActiveRental) int { return a.Due.Compare(b.Due) })
		f.note = "due back on " + calendar(first.Due)
	}
	return f
}
