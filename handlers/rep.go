package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// listReps ranks the account reps by their sales in a quarter, by default the current
// one.
func listReps(r *request) error {
	q, err := r.query("period")
	if err != nil {
		return err
	}
	current := store.QuarterOf(r.now())
	period := current
	if text := q.Get("period"); text != "" {
		if period, err = store.ParseQuarter(text); err != nil {
			q.Fail("period", err.Error())
			period = current
		}
	}
	return respondList(r, q, listPage[store.Quota]{
		file: "reps", columns: quotaColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return r.shop.RankedReps(ctx, period, p)
		},
		page: func(l views.List, rows []store.Quota) templ.Component {
			return views.RepsPage(views.Reps{Page: r.page("Account reps"), List: l, Period: period, Current: current, Rows: rows})
		},
	})
}
