package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func listSubscriptions(r *request) error {
	q, err := r.query("status")
	if err != nil {
		return err
	}
	status := cmp.Or(web.OneOf(q, "status", store.SubscriptionStatuses), store.SubscriptionActive)
	return answerList(r, q, listing[store.Subscription]{
		file: "subscriptions", columns: subscriptionColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Subscription], error) {
			return r.shop.Subscriptions(ctx, status, p)
		},
		page: func(l views.List, rows []store.Subscription) templ.Component {
			return views.SubscriptionsPage(views.Subscriptions{Page: r.page("Subscriptions"), List: l, Status: status, Rows: rows})
		},
	})
}

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

var subscriptionColumns = []web.Column[store.Subscription]{
	{Name: "AccountID", Cell: func(s store.Subscription) web.Cell { return web.Text(s.AccountID) }},
	{Name: "SubscriptionID", Cell: func(s store.Subscription) web.Cell { return web.Text(s.ID) }},
	{Name: "SKU", Cell: func(s store.Subscription) web.Cell { return web.Text(s.SKU) }},
	{Name: "Email", Cell: func(s store.Subscription) web.Cell { return web.Text(s.Email) }},
	{Name: "Status", Cell: func(s store.Subscription) web.Cell { return web.Text(string(s.Status)) }},
	{Name: "PaymentDay", Cell: func(s store.Subscription) web.Cell { return whole(s.PaymentDay) }},
	{Name: "PaymentAmount", Cell: func(s store.Subscription) web.Cell { return amount(s.PaymentAmount) }},
	{Name: "NextPaymentDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextPaymentDate) }},
	{Name: "NextAttemptDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextAttemptDate) }},
	{Name: "Attempt", Cell: func(s store.Subscription) web.Cell { return whole(s.Attempt) }},
	{Name: "LastPaymentDate", Cell: func(s store.Subscription) web.Cell { return instant(s.LastPaymentDate) }},
	{Name: "NextReminderDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextReminderDate) }},
	{Name: "LastReminderDate", Cell: func(s store.Subscription) web.Cell { return instant(s.LastReminderDate) }},
	{Name: "PaymentDetails.default-card", Cell: func(s store.Subscription) web.Cell { return web.Text(s.PaymentDetails.Card) }},
}

var receiptColumns = []web.Column[store.Receipt]{
	{Name: "AccountID", Cell: func(r store.Receipt) web.Cell { return web.Text(r.AccountID) }},
	{Name: "SubscriptionID", Cell: func(r store.Receipt) web.Cell { return web.Text(r.SubscriptionID) }},
	{Name: "SKU", Cell: func(r store.Receipt) web.Cell { return web.Text(r.SKU) }},
	{Name: "DueDate", Cell: func(r store.Receipt) web.Cell { return calendarDay(r.DueDate) }},
	{Name: "ProcessedDate", Cell: func(r store.Receipt) web.Cell { return instant(r.ProcessedDate) }},
	{Name: "ProcessedAmount", Cell: func(r store.Receipt) web.Cell { return amount(r.ProcessedAmount) }},
	{Name: "Reference", Cell: func(r store.Receipt) web.Cell { return web.Text(r.Reference) }},
	{Name: "TTL", Cell: func(r store.Receipt) web.Cell { return instant(r.Expires) }},
}
