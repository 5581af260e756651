package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/views"
	"stockroom/web"
)

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
	r.site.jobs.Start(r.ctx(), jobs.RunRequest{Job: job, Date: day, By: r.user.Name})
	return r.done("The run has begun.", views.JobPath(job, day))
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
