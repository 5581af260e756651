package handlers

import (
	"cmp"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// showBilling shows an account: one that the shop knows a customer of, or that
// something was ever subscribed to for.
func showBilling(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	id := r.id()
	customer, err := r.accountOf(id)
	if err != nil {
		return err
	}
	subscriptions := partOf(r, "subscriptions", subscriptionColumns, id, store.Access.SubscriptionsOfAccount)
	receipts := partOf(r, "receipts", receiptColumns, id, store.Access.ReceiptsOfAccount)
	events := partOf(r, "events", eventColumns, id, store.Access.EventsOfAccount)
	title := "Account " + id
	if customer != nil {
		title = cmp.Or(customer.Name, title)
	}
	return answerThing(r, q, thing{
		path: views.BillingPath(id), lists: []attached{subscriptions, receipts, events},
		page: func() templ.Component {
			return views.BillingPage(views.Billing{
				Page: r.page(title), AccountID: id, Customer: customer,
				Subscriptions: subscriptions.view(), Receipts: receipts.view(), Events: events.view(),
				MaySell: r.user.May(store.Sell), MayRetry: r.user.May(store.RetryPayments),
			})
		},
		json: func() any {
			return struct {
				AccountID     string
				Subscriptions beginning[store.Subscription]
				Receipts      beginning[store.Receipt]
			}{id, subscriptions.json(), receipts.json()}
		},
	})
}

// accountOf is the customer of an account, nil where the shop knows none but
// something was subscribed to.
func (r *request) accountOf(id string) (*store.Customer, error) {
	var customer *store.Customer
	if err := ifThere(&customer)(r.shop.Customer(r.ctx(), id)); err != nil || customer != nil {
		return customer, err
	}
	known, err := r.shop.SubscriptionsOfAccount(r.ctx(), id, store.Page{Limit: 1})
	if err == nil && len(known.Rows) == 0 {
		err = &store.Error{Kind: store.NotFound, Message: "There is no such account."}
	}
	return customer, err
}
