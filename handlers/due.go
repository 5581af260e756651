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

// What the pages of jobs look at.
const (
	jobDays       = 14 // of runs, back from today
	expectedWeeks = 6  // of revenue, from this one on
	daysOfWeek    = 7
	refreshEvery  = "2" // seconds, while a run goes on
)

// dueKinds are what may be due; "" is a payment.
var dueKinds = map[string]store.JobName{"": store.PaymentsJob, "payment": store.PaymentsJob, "reminder": store.RemindersJob}

func listDue(r *request) error {
	q, err := r.query("date", "kind", "span")
	if err != nil {
		return err
	}
	job, known := dueKinds[q.Get("kind")]
	if !known {
		q.Fail("kind", "Payments or reminders are due: the kind is payment or reminder.")
	}
	week := web.OneOf(q, "span", []string{"day", "week"}) == "week"
	days, err := r.dueDays(q, week)
	if err != nil {
		return err
	}
	expected, err := r.expected()
	if err != nil {
		return err
	}
	return answerList(r, q, listing[store.Subscription]{
		file: "due", columns: subscriptionColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Subscription], error) {
			return r.shop.Due(ctx, job, days, p)
		},
		page: func(l views.List, rows []store.Subscription) templ.Component {
			return views.DuePage(views.Due{
				Page: r.page("Due"), List: l, Job: job, Day: field(q, "date"), Week: week, From: days[0], Expected: expected, Rows: rows,
			})
		},
	})
}

// dueDays are the day that was asked for, today where none was, or the week
// that begins with it.
func (r *request) dueDays(q *web.Query, week bool) ([]time.Time, error) {
	first := calendarOf(r.now())
	if asked := q.Days("date", "date", r.now()); !asked.From.IsZero() {
		first = calendarOf(asked.From)
	}
	days := []time.Time{first}
	for week && len(days) < daysOfWeek {
		days = append(days, first.AddDate(0, 0, len(days)))
	}
	return days, nil
}

// expected is the revenue of the next weeks, in whole units of the currency. A
// file shows no chart.
func (r *request) expected() ([]ui.Bar, error) {
	if r.file() {
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
		var sum store.Amount
		for _, t := range totals {
			if !t.Day.Before(first) && t.Day.Before(first.AddDate(0, 0, daysOfWeek)) {
				sum = sum.Plus(t.Amount)
			}
		}
		bars = append(bars, ui.Bar{Label: first.Format("2 Jan"), Value: sum.Whole(), Now: week == 0})
	}
	return bars, nil
}
