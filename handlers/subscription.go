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
	status := cmp.Or(web.OneNamed(q, "status", store.SubscriptionStatuses, views.SubscriptionStatusText), store.SubscriptionActive)
	var figures store.SubscriptionFigures
	if !r.wantsFile() {
		if figures, err = r.shop.SubscriptionFigures(r.ctx()); err != nil {
			return err
		}
	}
	return respondList(r, q, listPage[store.Subscription]{
		file: "subscriptions", columns: subscriptionColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Subscription], error) {
			return r.shop.Subscriptions(ctx, status, p)
		},
		page: func(l views.List, rows []store.Subscription) templ.Component {
			return views.SubscriptionsPage(views.Subscriptions{Page: r.page("Subscriptions"), List: l, Status: status, Figures: figures, Rows: rows})
		},
	})
}

var subscriptionColumns = []web.Column[store.Subscription]{
	referColumn("AccountID", func(s store.Subscription) string { return s.AccountID }),
	{Name: "SubscriptionID", Cell: func(s store.Subscription) web.Cell { return web.Text(s.ID) }, Minor: true},
	{Name: "SKU", Cell: func(s store.Subscription) web.Cell { return web.Text(s.SKU) }, Minor: true},
	{Name: "PlanName", Cell: func(s store.Subscription) web.Cell { return web.Text(s.PlanName) }},
	{Name: "Email", Cell: func(s store.Subscription) web.Cell { return web.Text(s.Email) }, Minor: true},
	{Name: "Status", Cell: func(s store.Subscription) web.Cell { return web.Text(string(s.Status)) }, Words: func(s store.Subscription) string { return views.SubscriptionStatusText(s.Status) }},
	{Name: "PaymentDay", Cell: func(s store.Subscription) web.Cell { return integer(s.PaymentDay) }, Minor: true},
	{Name: "PaymentAmount", Cell: func(s store.Subscription) web.Cell { return amount(s.PaymentAmount) }},
	{Name: "NextPaymentDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextPaymentDate) }},
	{Name: "NextAttemptDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextAttemptDate) }},
	{Name: "Attempt", Cell: func(s store.Subscription) web.Cell { return integer(s.Attempt) }, Minor: true},
	{Name: "LastPaymentDate", Cell: func(s store.Subscription) web.Cell { return instant(s.LastPaymentDate) }, Minor: true},
	{Name: "NextReminderDate", Cell: func(s store.Subscription) web.Cell { return calendarDay(s.NextReminderDate) }, Minor: true},
	{Name: "LastReminderDate", Cell: func(s store.Subscription) web.Cell { return instant(s.LastReminderDate) }, Minor: true},
	{Name: "PaymentDetails.default-card", Cell: func(s store.Subscription) web.Cell { return web.Text(s.PaymentDetails.Card) }, Minor: true},
}
