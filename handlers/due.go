package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

const (
	expectedWeeks = 6
	daysOfWeek    = 7
)

// dueKinds maps the values of the parameter kind to jobs. The default is payments.
var dueKinds = map[string]store.JobName{"": store.PaymentsJob, "payment": store.PaymentsJob, "reminder": store.RemindersJob}

func listDue(r *request) error {
	q, err := r.query("date", "kind", "span")
	if err != nil {
		return err
	}
	job, known := dueKinds[q.Get("kind")]
	if !known {
		q.Fail("kind", "Choose the kind: payment or reminder.")
	}
	span := web.OneOf(q, "span", []string{"day", "week", views.SpanBehind})
	if span == views.SpanBehind {
		return r.listBehind(q)
	}
	days := r.dueDays(q, span == "week")
	expected, err := r.expectedRevenue()
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.Subscription]{
		file: "due", columns: subscriptionColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Subscription], error) {
			return r.shop.Due(ctx, job, days, p)
		},
		page: func(l views.List, rows []store.Subscription) templ.Component {
			return views.DuePage(views.Due{
				Page: r.page("Due"), List: l, Job: job, Day: queryInput(q, "date"), Week: span == "week", From: days[0], Expected: expected, Rows: rows,
			})
		},
	})
}

// listBehind lists the payments that were due before today and are still open, except declined ones.
func (r *request) listBehind(q *web.Query) error {
	refused, err := r.refusal(store.PaymentsJob)
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.Subscription]{
		file: "behind", columns: subscriptionColumns,
		fetch: r.shop.Behind,
		page: func(l views.List, rows []store.Subscription) templ.Component {
			return views.BehindPage(views.Behind{Page: r.page("Payments not charged"), List: l, Rule: r.settings.LatePayments, Since: r.settings.SchedulerSince, Refused: refused, Rows: rows})
		},
	})
}

// dueDays returns the days of the list: the day in the query string, by default today, and
// the six days after it if week is true.
func (r *request) dueDays(q *web.Query, week bool) []time.Time {
	first := calendarOf(r.now())
	if requested := q.Days("date", "date", r.now()); !requested.From.IsZero() {
		first = calendarOf(requested.From)
	}
	days := []time.Time{first}
	for week && len(days) < daysOfWeek {
		days = append(days, first.AddDate(0, 0, len(days)))
	}
	return days
}

// expectedRevenue returns the expected revenue of each of the next weeks, in whole units
// of the currency. It returns nil for files, because they have no chart.
func (r *request) expectedRevenue() ([]ui.Bar, error) {
	if r.wantsFile() {
		return nil, nil
	}
	today := calendarOf(r.now())
	totals, err := r.shop.Expected(r.ctx(), store.DateRange{From: today, To: today.AddDate(0, 0, expectedWeeks*daysOfWeek-1)})
	if err != nil {
		return nil, err
	}
	var bars []ui.Bar
	for week := range expectedWeeks {
		first := today.AddDate(0, 0, week*daysOfWeek)
		var sum store.Sum
		for _, t := range totals {
			if !t.Day.Before(first) && t.Day.Before(first.AddDate(0, 0, daysOfWeek)) {
				sum = sum.Plus(t.Amount)
			}
		}
		bars = append(bars, ui.Bar{Label: first.Format("2 Jan"), Value: sum.Whole(), Now: week == 0})
	}
	return bars, nil
}
