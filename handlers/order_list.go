package handlers

import (
	"context"
	"slices"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func listOrders(r *request) error {
	q, err := readStatusQuery(r, store.OrderStatuses, views.OrderStatusText, "stock")
	if err != nil {
		return err
	}
	f := store.OrderFilter{Status: q.status, DateRange: q.days, Stock: web.OneNamed(q.Query, "stock", store.OrderStocks, views.OrderStockText)}
	if f.Stock != "" && !views.ShowsStock(f.Status) {
		q.Fail("stock", "Choose Open or To ship to filter by stock.")
	}
	return respondList(r, q.Query, listPage[store.StockedOrder]{
		file: q.file("orders"), columns: stockedOrderColumns, shown: views.OrderColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockedOrder], error) {
			if r.wantsFile() || views.ShowsStock(f.Status) {
				return r.shop.StockedOrders(ctx, f, q.reverse, p)
			}
			return r.shop.OrdersWithoutStock(ctx, f, q.reverse, p)
		},
		older: q.older(r.settings.Zone(), func(before store.DateRange) (time.Time, error) {
			newest, err := r.shop.NewestOrder(r.ctx(), before)
			if err != nil {
				return time.Time{}, err
			}
			return newest.Date, nil
		}),
		page: func(l views.List, rows []store.StockedOrder) templ.Component {
			return views.OrdersPage(views.Orders{
				Page: r.page("Orders"), List: l, Status: q.status, From: q.from, To: q.to, Stock: queryInput(q.Query, "stock"), Rows: rows,
				Filters: append(statusFilters(q), ui.Param{Name: "stock", Value: string(f.Stock)}),
				CanSell: r.user.May(store.Sell), CanShip: r.user.MayInWarehouse(store.Ship),
			})
		},
	})
}

// orderFilter returns the filter for all orders that match the filters of a list.
func orderFilter(s *views.BulkSelection) (f store.OrderFilter, err error) {
	f.Status, f.Stock = store.OrderStatus(s.Filter("status")), store.OrderStock(s.Filter("stock"))
	if f.Status != "" && !slices.Contains(store.OrderStatuses, f.Status) || f.Stock != "" && (!slices.Contains(store.OrderStocks, f.Stock) || !views.ShowsStock(f.Status)) {
		return f, errFiltersChanged
	}
	f.DateRange, err = selectedDays(s)
	return f, err
}
