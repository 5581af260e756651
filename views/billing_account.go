package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// Billing is the page of a customer's billing account: its subscriptions, receipts,
// emails and history.
type Billing struct {
	Page
	AccountID     string
	Customer      *store.Customer // nil if the account has no customer
	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Emails        Part[store.Email]
	Events        Part[store.Event]
	CanSubscribe  bool // the user may change subscriptions and retry payments
	CollectsCards bool // customers can enter a card on a page of the payment service
	CanNote       bool // show the note form, which needs the field Token
	Token         string
}

// history returns the events of the account, newest first. It adds the payments that have
// only a receipt and no event, unless they belong on another page of the history.
func (p Billing) history() Part[store.Event] {
	all := p.Events
	for _, payment := range store.PaymentEvents(p.Receipts.Rows) {
		isLater := all.PrevURL != "" && (len(p.Events.Rows) == 0 || payment.When.After(p.Events.Rows[0].When))
		isEarlier := all.NextURL != "" && (len(p.Events.Rows) == 0 || payment.When.Before(p.Events.Rows[len(p.Events.Rows)-1].When))
		if !isLater && !isEarlier {
			all.Rows = append(slices.Clip(all.Rows), payment)
			all.Shown++
		}
	}
	slices.SortStableFunc(all.Rows, func(a, b store.Event) int { return b.When.Compare(a.When) })
	return all
}

// noHistory explains why the history is empty. There can nevertheless be receipts: the
// history never shows the payment of an imported receipt.
func (p Billing) noHistory() string {
	if len(p.Receipts.Rows) > 0 {
		return "No changes yet. The receipts show the payments."
	}
	return "No history yet."
}

// overwritten maps the ID of each event that can no longer be undone to the later event
// that prevents it. The later event can be a payment that has only a receipt.
func (p Billing) overwritten() map[string]*store.Event {
	return overwritten(slices.Concat(p.Events.Rows, store.PaymentEvents(p.Receipts.Rows)))
}

// actions returns the actions that the user may take on a subscription now.
func (p Billing) actions(s *store.Subscription) []SubscriptionAction {
	var available []SubscriptionAction
	if !p.CanSubscribe {
		return nil
	}
	for _, a := range subscriptionActions {
		if a.available(s) && (a != SubscriptionCard || p.CollectsCards) {
			available = append(available, a)
		}
	}
	return available
}

// BillingPath returns the path of an account.
func BillingPath(accountID string) string { return "/accounts/" + ui.Segment(accountID) }
