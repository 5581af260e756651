package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Billing is what there is of an account. It is one Query: keys lie so that,
// from the end of the partition, subscriptions come first, then receipts, then
// events.
type Billing struct {
	Subscriptions []Subscription
	Receipts      []Receipt // those that have not disappeared, the one that was due last first
	Events        []Event   // newest first
	More          bool      // the account holds more than was read
}

// BillingOf reads an account from the end of its partition, a page at most.
func (a Access) BillingOf(ctx context.Context, accountID string) (Billing, error) {
	var b Billing
	if err := a.require(Browse); err != nil {
		return b, err
	}
	q := table.Query{Pattern: getAccount, Values: key.Map{"accountID": accountID}}
	found, err := a.store.page(ctx, q, Page{Limit: MaxLimit})
	if err != nil {
		return b, err
	}
	for _, item := range found.Rows {
		entity, err := Decode(item)
		if err != nil {
			return b, err
		}
		switch e := entity.(type) {
		case *Subscription:
			b.Subscriptions = append(b.Subscriptions, *e)
		case *Receipt:
			if !e.over(a.store.now()) {
				b.Receipts = append(b.Receipts, *e)
			}
		case *Event:
			b.Events = append(b.Events, *e)
		}
	}
	slices.Reverse(b.Subscriptions) // by ID, as everywhere
	b.More = found.Next != nil
	return b, nil
}

// Next is the subscription that is paid next, nil where none is.
func (b *Billing) Next() *Subscription {
	var next *Subscription
	for i := range b.Subscriptions {
		s := &b.Subscriptions[i]
		if s.Live() && (next == nil || s.NextPaymentDate.Before(next.NextPaymentDate)) {
			next = s
		}
	}
	return next
}

// Debt is what a customer's invoices leave open.
type Debt struct {
	Owed   Amount // of the invoices on which something is owed
	Back   Amount // what is to be paid back, of the others
	Unpaid int    // invoices on which something is owed
	More   bool   // there are older invoices, which are not counted
}

// DebtOf adds up what is owed of a customer's newest invoices, a page at most.
func (a Access) DebtOf(ctx context.Context, customerID string) (Debt, error) {
	var d Debt
	invoices, err := a.InvoicesOfCustomer(ctx, customerID, DateRange{}, Page{Limit: MaxLimit})
	for i := range invoices.Rows {
		switch owed := invoices.Rows[i].BalanceDue(); owed.Sign() {
		case 1:
			d.Owed, d.Unpaid = d.Owed.Plus(owed), d.Unpaid+1
		case -1:
			d.Back = d.Back.Minus(owed)
		}
	}
	d.More = invoices.Next != nil
	return d, err
}
