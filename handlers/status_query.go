package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// recentMonths is the number of months in a list that is not filtered by status or date.
const recentMonths = 3

// statusQuery is the query string of a list that can be filtered by status. Without a
// status, the list is read by month.
type statusQuery[S ~string] struct {
	*web.Query
	status   S
	days     store.DateRange
	from, to ui.Input
	reverse  bool
	recent   bool // no status and no dates are selected
}

// file returns the name of the list's file, to which sendRows adds the current date. If the
// list contains only recent months, the name contains their first day.
func (q *statusQuery[S]) file(name string) string {
	if q.recent {
		return name + "-from-" + q.days.From.Format(time.DateOnly) + "-to"
	}
	return name
}

// readStatusQuery parses the query string. If it contains no status and no dates, the
// list contains the last recentMonths months, including the current one. The function
// nameOf returns the name of a status. Pass the names of the other filters of the list.
func readStatusQuery[S ~string](r *request, statuses []S, nameOf func(S) string, filters ...string) (statusQuery[S], error) {
	q, err := r.query(append([]string{"status", "from", "to", views.ColumnsParam}, filters...)...)
	if err != nil {
		return statusQuery[S]{}, err
	}
	l := statusQuery[S]{Query: q, status: web.OneNamed(q, "status", statuses, nameOf), days: r.days(q), reverse: q.Reverse()}
	l.from, l.to = queryInput(q, "from"), queryInput(q, "to")
	if q.Get("status") == "" && l.from.Value == "" && l.to.Value == "" {
		l.recent = true
		now := r.now()
		l.days.From = time.Date(now.Year(), now.Month()-recentMonths+1, 1, 0, 0, 0, 0, time.UTC)
		l.from.Value = l.days.From.Format(time.DateOnly)
	}
	return l, nil
}
