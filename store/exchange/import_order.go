package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stockroom/store"
)

// What one order may hold: what belongs to it has to go into one transaction.
const (
	maxLines  = 80
	maxPacked = 20
)

// fault is why an order cannot be taken, and the row where that shows.
type fault struct {
	*found
	reason string
}

func faulty(f *found, format string, args ...any) *fault {
	return &fault{f, fmt.Sprintf(format, args...)}
}

// completeOrder fills in what the rows of an order leave to each other, and
// lists them.
func (s *shop) completeOrder(p *parts) ([]*found, *fault) {
	for _, step := range []func() *fault{
		p.findHead, p.limits, p.belongToHead, p.foldPayments, p.namePayments,
		func() *fault { return s.completeLines(p) },
	} {
		if fault := step(); fault != nil {
			return nil, fault
		}
	}
	p.completeStates()
	if len(p.heads) > 0 {
		p.derive(s.customers[p.heads[0].is.CustomerID])
	}
	return p.written()
}

// written are the parts that are items of the table.
func (p *parts) written() ([]*found, *fault) {
	var all []*found
	if len(p.heads) > 0 {
		all = append(all, p.heads[0].found)
	}
	for _, f := range p.all {
		if f.shape.kind != kindOrder && f.shape.kind != kindPayment {
			all = append(all, f)
		}
	}
	for _, f := range all {
		if reason := f.unwritable(); reason != "" {
			return nil, faulty(f, "%s", reason)
		}
	}
	return all, nil
}

// findHead finds the order among its parts. Where the file leaves it out, as
// one of the published samples does, it is made of what its lines and
// invoices say: whose they are, and the first date of any.
func (p *parts) findHead() *fault {
	switch {
	case len(p.heads) > 1:
		return faulty(p.heads[1].found, "The order stands in row %d of %s already, as one of the customer %s.", p.heads[0].row.Number, p.heads[0].row.Table, p.heads[0].is.CustomerID)
	case len(p.heads) == 1 || len(p.lines)+len(p.invoices) == 0:
		return nil
	}
	customer, date := p.said()
	if customer == "" {
		return faulty(p.all[0], "It does not say its customer, and its order %s is not in the file.", p.id())
	}
	made := &store.Order{ID: p.id(), CustomerID: customer, Date: date}
	origin := &found{row: p.all[0].row, shape: shape{kind: kindOrder}, entity: made}
	origin.row.Item = store.Item{}
	p.heads = []head{{part[*store.Order]{origin, made}}}
	return nil
}

func (p *parts) limits() *fault {
	if len(p.lines) > maxLines {
		return faulty(p.lines[maxLines].found, "An order has at most %d lines.", maxLines)
	}
	packed := map[string]int{}
	for _, i := range p.packed {
		if packed[i.is.ShipmentID]++; packed[i.is.ShipmentID] > maxPacked {
			return faulty(i.found, "A shipment has at most %d lines.", maxPacked)
		}
	}
	return nil
}

// said is the customer whom lines and invoices name first, and the first date
// of any.
func (p *parts) said() (customer string, date time.Time) {
	for _, l := range p.lines {
		customer, date = cmp.Or(customer, l.is.CustomerID), earlier(date, l.is.Date)
	}
	for _, i := range p.invoices {
		customer, date = cmp.Or(customer, i.is.CustomerID), earlier(date, i.is.Date)
	}
	return customer, date
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// belongToHead gives lines and invoices the customer of their order, which
// often only the order knows, and its date where they have none.
func (p *parts) belongToHead() *fault {
	if len(p.heads) == 0 {
		return nil
	}
	head := p.heads[0]
	if _, date := p.said(); head.is.Date.IsZero() {
		head.is.Date = date
	}
	if head.is.Date.IsZero() {
		return faulty(head.found, "The order has no date, nor has any of its lines and invoices.")
	}
	for _, l := range p.lines {
		if fault := head.owns(l.found, &l.is.CustomerID, &l.is.Date); fault != nil {
			return fault
		}
	}
	for _, i := range p.invoices {
		if fault := head.owns(i.found, &i.is.CustomerID, &i.is.Date); fault != nil {
			return fault
		}
	}
	return nil
}

func (h head) owns(f *found, customer *string, date *time.Time) *fault {
	*customer, *date = cmp.Or(*customer, h.is.CustomerID), cmp.Or(*date, h.is.Date)
	if *customer != h.is.CustomerID {
		return faulty(f, "It names the customer %s, and its order the customer %s.", *customer, h.is.CustomerID)
	}
	return nil
}

// foldPayments puts payments that were items of their own into their invoice.
func (p *parts) foldPayments() *fault {
	for _, f := range p.payments {
		invoice := p.invoiceOf(f)
		if invoice == nil {
			return faulty(f, "The payment does not say which invoice it is for, and its order has not exactly one.")
		}
		invoice.Payments = append(invoice.Payments, *f.fold)
	}
	return nil
}

// invoiceOf is the invoice that a payment names, or the order's only one.
func (p *parts) invoiceOf(payment *found) *store.Invoice {
	named := text(payment.row.Item, "GSI1-PK")
	for _, i := range p.invoices {
		if "i#"+i.is.ID == named || named == "" && len(p.invoices) == 1 {
			return i.is
		}
	}
	return nil
}

// namePayments gives every payment an ID of its own, the same each time that
// it is imported.
func (p *parts) namePayments() *fault {
	for _, i := range p.invoices {
		named := map[string]store.Payment{}
		payments := i.is.Payments[:0]
		for n, payment := range i.is.Payments {
			payment.ID = either(payment.ID, strconv.Itoa(n+1))
			if other, twice := named[payment.ID]; twice && other != payment {
				return faulty(i.found, "Two of its payments have the ID %s.", payment.ID)
			} else if twice {
				continue
			}
			named[payment.ID] = payment
			payments = append(payments, payment)
		}
		i.is.Payments = slices.Clip(payments)
	}
	return nil
}
