package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Billing is a customer's billing account: its events, subscriptions and receipts.
type Billing struct {
	Subscriptions []Subscription // at most MaxLimit
	Receipts      []Receipt      // receipts that have not expired, latest due day first
	Events        []Event        // newest first
	More          bool           // the account has more items than these
}

// BillingOf returns the latest items of a billing account; see Billing.
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
	for _, row := range found.Rows {
		entity, err := schema.DecodeRow(row)
		if err != nil {
			return b, err
		}
		switch e := entity.(type) {
		case *Subscription:
			b.Subscriptions = append(b.Subscriptions, *e)
		case *Receipt:
			if !e.expired(a.store.now()) {
				b.Receipts = append(b.Receipts, *e)
			}
		case *Event:
			b.Events = append(b.Events, *e)
		}
	}
	slices.Reverse(b.Subscriptions) // show subscriptions in ascending order of ID, like other lists
	if b.More = found.Next != nil; b.More {
		// The query returns events before subscriptions, so its first page can lack
		// subscriptions.
		subscriptions, err := a.SubscriptionsOfAccount(ctx, accountID, Page{Limit: MaxLimit})
		if err != nil {
			return b, err
		}
		b.Subscriptions = subscriptions.Rows
	}
	return b, nil
}

// Next returns the subscription with the earliest next payment among those whose next
// payment will be charged, or nil if there are none.
func (b *Billing) Next() *Subscription {
	var next *Subscription
	for i := range b.Subscriptions {
		s := &b.Subscriptions[i]
		if s.Charged() && (next == nil || s.NextPaymentDate.Before(next.NextPaymentDate)) {
			next = s
		}
	}
	return next
}

// Debt adds up the invoices of a customer: the amount that the customer owes, and the
// amount that the business must refund.
type Debt struct {
	Owed   Amount // total of the balances due
	Back   Amount // total to refund
	Unpaid int    // invoices with a balance due
	More   bool   // there are older invoices, which are not counted
}

// DebtOf returns the debt of a customer, from at most one page of the newest
// invoices.
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
