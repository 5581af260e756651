package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listOverdue lists overdue kayaks of the stores that the user may see. With the
// parameter "show", it lists the kayaks that are due back today.
func listOverdue(r *request) error {
	q, err := r.query("show")
	if err != nil {
		return err
	}
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	from, last := time.Time{}, today.AddDate(0, 0, -1)
	dueToday := web.OneOf(q, "show", []string{views.ShowToday}) != ""
	if dueToday {
		from, last = today, today
	}
	rejectSort(q)
	return respondList(r, q, listPage[store.ActiveRental]{
		file: "overdue", columns: activeRentalColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return r.shop.RentalsDue(ctx, from, last, p)
		},
		page: func(l views.List, rows []store.ActiveRental) templ.Component {
			return views.OverduePage(views.Overdue{Page: r.page("Overdue"), List: l, DueToday: dueToday, Rows: rows})
		},
	})
}
