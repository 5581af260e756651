package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
	"stockroom/web"
)

// recentMonths is how far a list of everything reaches back where nobody says
// how far: months that are long over are asked for by name.
const recentMonths = 3

// byStatus is the address of a list that is read by status, or by month: of
// one status and of all days, or of the last months and of every status.
type byStatus[S ~string] struct {
	*web.Query
	status   S
	days     store.DateRange
	from, to ui.Input
	reverse  bool
}

// readByStatus reads such an address. Where it names neither status nor days,
// the list begins with the first day of a month, and the form says with which.
func readByStatus[S ~string](r *request, statuses []S) (byStatus[S], error) {
	q, err := r.query("status", "from", "to")
	if err != nil {
		return byStatus[S]{}, err
	}
	l := byStatus[S]{Query: q, status: web.OneOf(q, "status", statuses), days: r.days(q), reverse: q.Reverse()}
	l.from, l.to = field(q, "from"), field(q, "to")
	if q.Get("status") == "" && l.from.Value == "" && l.to.Value == "" {
		now := r.now()
		l.days.From = time.Date(now.Year(), now.Month()-recentMonths+1, 1, 0, 0, 0, 0, time.UTC)
		l.from.Value = l.days.From.Format(time.DateOnly)
	}
	return l, nil
}
