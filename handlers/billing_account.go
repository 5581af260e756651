package handlers

import (
	"cmp"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// showBillingAccount shows a billing account. The account has no customer if its
// subscriptions were imported without one.
func showBillingAccount(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	id := r.id()
	customer, err := r.customerOfAccount(id)
	if err != nil {
		return err
	}
	subscriptions := partOf(r, "subscriptions", subscriptionColumns, id, store.Access.SubscriptionsOfAccount)
	receipts := partOf(r, "receipts", receiptColumns, id, store.Access.ReceiptsOfAccount)
	emails := partOf(r, "emails", emailColumns, id, store.Access.EmailsOfCustomer)
	events := partOf(r, "events", eventColumns, id, store.Access.EventsOfAccount)
	title := "Account " + id
	if customer != nil {
		title = cmp.Or(customer.Name, title)
	}
	return respondDetail(r, q, detailPage{
		path: views.BillingPath(id), lists: []listPart{subscriptions, receipts, emails, events},
		page: func() templ.Component {
			return views.BillingPage(views.Billing{
				Page: r.page(title), AccountID: id, Customer: customer,
				Subscriptions: subscriptions.view(), Receipts: receipts.view(), Emails: emails.view(), Events: events.view(),
				CanSubscribe: r.user.May(store.Subscribe), CollectsCards: r.site.jobs.CardOrigin() != "",
				CanNote: r.user.May(store.WriteNotes), Token: r.newFormToken(),
			})
		},
		json: func() any {
			return struct {
				AccountID     string
				Subscriptions firstRows[store.Subscription]
				Receipts      firstRows[store.Receipt]
				Emails        firstRows[store.Email]
			}{id, subscriptions.json(), receipts.json(), emails.json()}
		},
	})
}

// customerOfAccount returns the customer of an account. It returns nil if the account
// has subscriptions but no customer, and NotFound if it has neither.
func (r *request) customerOfAccount(id string) (*store.Customer, error) {
	var customer *store.Customer
	if err := ifFound(&customer)(r.shop.Customer(r.ctx(), id)); err != nil || customer != nil {
		return customer, err
	}
	subscriptions, err := r.shop.SubscriptionsOfAccount(r.ctx(), id, store.Page{Limit: 1})
	if err == nil && len(subscriptions.Rows) == 0 {
		err = &store.Error{Kind: store.NotFound, Message: "Account not found."}
	}
	return customer, err
}
