package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listOrders(r *request) error {
	q, err := readStatusQuery(r, store.OrderStatuses)
	if err != nil {
		return err
	}
	f := store.OrderFilter{Status: q.status, DateRange: q.days}
	return respondList(r, q.Query, listPage[store.Order]{
		file: q.file("orders"), columns: orderColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, f, q.reverse, p)
		},
		older: q.older(r.settings.Zone(), func(before store.DateRange) (time.Time, error) {
			newest, err := r.shop.NewestOrder(r.ctx(), before)
			if err != nil {
				return time.Time{}, err
			}
			return newest.Date, nil
		}),
		page: func(l views.List, rows []store.Order) templ.Component {
			return views.OrdersPage(views.Orders{Page: r.page("Orders"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows, CanSell: r.user.May(store.Sell), CanShip: r.user.May(store.Ship)})
		},
	})
}
