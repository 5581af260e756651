package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// listOverdue lists overdue kayaks of the stores that the user may see.
func listOverdue(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	rejectSort(q)
	return respondList(r, q, listPage[store.ActiveRental]{
		file: "overdue", columns: activeRentalColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return r.shop.RentalsDue(ctx, today.AddDate(0, 0, -1), p)
		},
		page: func(l views.List, rows []store.ActiveRental) templ.Component {
			return views.OverduePage(views.Overdue{Page: r.page("Overdue"), List: l, Rows: rows})
		},
	})
}
