package handlers

import (
	"context"

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
		file: "orders", columns: orderColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, f, q.reverse, p)
		},
		page: func(l views.List, rows []store.Order) templ.Component {
			return views.OrdersPage(views.Orders{Page: r.page("Orders"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows, CanSell: r.user.May(store.Sell), CanShip: r.user.May(store.Ship)})
		},
	})
}
