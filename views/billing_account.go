package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Billing is what an account pays for and what it paid.
type Billing struct {
	Page
	AccountID     string
	Customer      *store.Customer // nil: nobody of the shop
	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Events        Part[store.Event]
	MaySell       bool
	MayRetry      bool
}

// actions are what the user may do with a subscription.
func (p Billing) actions(s *store.Subscription) []SubscriptionAction {
	var all, offered []SubscriptionAction
	if p.MayRetry {
		all = append(all, SubscriptionRetry, SubscriptionRemind)
	}
	if p.MaySell {
		all = append(all, SubscriptionChange, SubscriptionPause, SubscriptionResume, SubscriptionCancel)
	}
	for _, a := range all {
		if a.offered(s) {
			offered = append(offered, a)
		}
	}
	return offered
}

// BillingPath is the address of an account.
func BillingPath(accountID string) string { return "/accounts/" + ui.Segment(accountID) }
