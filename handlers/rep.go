package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// rankReps lists the account reps of a quarter, the present one where none is
// named, who sold most first.
func rankReps(r *request) error {
	q, err := r.query("period")
	if err != nil {
		return err
	}
	now := store.QuarterOf(r.now())
	period := now
	if text := q.Get("period"); text != "" {
		if period, err = store.ParseQuarter(text); err != nil {
			q.Fail("period", err.Error())
			period = now
		}
	}
	return answerList(r, q, listing[store.Quota]{
		file: "reps", columns: quotaColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return r.shop.RankedReps(ctx, period, p)
		},
		page: func(l views.List, rows []store.Quota) templ.Component {
			return views.RepsPage(views.Reps{Page: r.page("Account reps"), List: l, Period: period, Current: now, Rows: rows})
		},
	})
}
