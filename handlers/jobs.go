package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/jobs"
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

func listJobs(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	settings, err := r.shop.Settings(r.ctx())
	if err != nil {
		return err
	}
	today := calendarOf(r.now())
	p := views.Jobs{Today: today, Since: settings.SchedulerSince, Days: map[store.JobName][]views.JobDay{}, May: r.user.May(store.Administer)}
	for _, job := range store.JobNames {
		runs, err := r.shop.JobRuns(r.ctx(), job, today.AddDate(0, 0, -jobDays), today)
		if err != nil {
			return err
		}
		p.Days[job] = views.DaysOf(runs)
	}
	p.Page = r.page("Jobs")
	return r.show(views.JobsPage(p))
}

// jobOf is the job and the day in the address.
func (r *request) jobOf() (job store.JobName, day time.Time, err error) {
	day, err = time.Parse(time.DateOnly, r.param("date"))
	for _, job := range store.JobNames {
		if string(job) == r.param("name") && err == nil {
			return job, day, nil
		}
	}
	return "", time.Time{}, &store.Error{Kind: store.NotFound, Message: "There is no such job, or no such day."}
}

func showJob(r *request) error {
	q, err := r.query("show")
	if err != nil {
		return err
	}
	job, day, err := r.jobOf()
	if err != nil {
		return err
	}
	runs, err := r.shop.RunsOfDay(r.ctx(), job, day)
	if err != nil {
		return err
	}
	shown := views.JobDay{Job: job, Date: day}
	for _, d := range views.DaysOf(runs) {
		shown = d
	}
	if shown.State == store.JobRunning && !r.file() {
		r.Response().Header().Set("Refresh", refreshEvery) // so that progress is seen without a script
	}
	failures := web.OneOf(q, "show", []string{"failures"}) != ""
	return answerList(r, q, listing[store.JobResult]{
		file: string(job), columns: resultColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.JobResult], error) {
			return r.shop.JobResults(ctx, runs, failures, p)
		},
		page: func(l views.List, rows []store.JobResult) templ.Component {
			return views.JobRunPage(views.JobRun{
				Page: r.page("Run of " + titleOf(job, day)), List: l, Day: shown, Failures: failures, May: r.mayRun(day), Once: r.token(), Rows: rows,
			})
		},
	})
}

func titleOf(job store.JobName, day time.Time) string {
	return string(job) + ", " + day.Format("2 Jan 2006")
}

// rehearseJob lists what a run would do.
func rehearseJob(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	job, day, err := r.jobOf()
	if err != nil {
		return err
	}
	return answerList(r, q, listing[store.Planned]{
		file: string(job) + "-rehearsal", columns: plannedColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Planned], error) {
			return r.shop.Rehearse(ctx, job, day, p)
		},
		page: func(l views.List, rows []store.Planned) templ.Component {
			return views.RehearsalPage(views.Rehearsal{
				Page: r.page("Rehearsal of " + titleOf(job, day)), List: l, Job: job, Date: day, May: r.mayRun(day), Once: r.token(), Rows: rows,
			})
		},
	})
}

// mayRun says whether this user may have a day run: none that is yet to come.
func (r *request) mayRun(day time.Time) bool {
	return r.user.May(store.Administer) && !day.After(calendarOf(r.now()))
}

// runJob has a day of a job run in the background; its page shows how far it
// is.
func runJob(r *request) error {
	form, err := r.form()
	if err != nil {
		return err
	}
	job, day, err := r.jobOf()
	if err != nil {
		return err
	}
	if day.After(calendarOf(r.now())) {
		return store.InvalidField("", "This day is yet to come: it can be rehearsed, not run.")
	}
	if err := r.shop.BeginJob(r.ctx(), job, day, form.Once()); err != nil {
		return err
	}
	r.site.jobs.Start(r.ctx(), jobs.Order{Job: job, Date: day, By: r.user.Name})
	return r.done("The run has begun.", views.JobPath(job, day))
}

func switchScheduler(r *request) error {
	form, err := r.form("on")
	if err != nil {
		return err
	}
	on := form.Get("on") != ""
	if err := r.shop.SwitchScheduler(r.ctx(), on); err != nil {
		return err
	}
	if on {
		return r.done("The jobs run by themselves from now on.", "/jobs")
	}
	return r.done("The jobs no longer run by themselves.", "/jobs")
}

var plannedColumns = []web.Column[store.Planned]{
	{Name: "AccountID", Cell: func(p store.Planned) web.Cell { return web.Text(p.AccountID) }},
	{Name: "SubscriptionID", Cell: func(p store.Planned) web.Cell { return web.Text(p.ID) }},
	{Name: "SKU", Cell: func(p store.Planned) web.Cell { return web.Text(p.SKU) }},
	{Name: "Step", Cell: func(p store.Planned) web.Cell { return web.Text(string(p.Step)) }},
	{Name: "Amount", Cell: func(p store.Planned) web.Cell { return amount(p.Asking()) }},
	{Name: "NextPaymentDate", Cell: func(p store.Planned) web.Cell { return calendarDay(p.NextPaymentDate) }},
	{Name: "Attempt", Cell: func(p store.Planned) web.Cell { return whole(p.Attempt) }},
}

var resultColumns = []web.Column[store.JobResult]{
	{Name: "AccountID", Cell: func(r store.JobResult) web.Cell { return web.Text(r.AccountID) }},
	{Name: "SubscriptionID", Cell: func(r store.JobResult) web.Cell { return web.Text(r.SubscriptionID) }},
	{Name: "SKU", Cell: func(r store.JobResult) web.Cell { return web.Text(r.SKU) }},
	{Name: "Outcome", Cell: func(r store.JobResult) web.Cell { return web.Text(string(r.Outcome)) }},
	{Name: "Amount", Cell: func(r store.JobResult) web.Cell { return amount(r.Amount) }},
	{Name: "Why", Cell: func(r store.JobResult) web.Cell { return web.Text(r.Why) }},
	{Name: "When", Cell: func(r store.JobResult) web.Cell { return instant(r.When) }},
}
