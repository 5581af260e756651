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

// refreshSeconds is the value of the Refresh header: the number of seconds after which a
// page reloads while work is in progress, such as a job or an import.
const refreshSeconds = "2"

func showJobRun(r *request) error {
	q, err := r.query("show")
	if err != nil {
		return err
	}
	job, day, err := r.jobRun()
	if err != nil {
		return err
	}
	refused, err := r.refusal(job)
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
	if shown.State == store.JobRunning && !r.wantsFile() {
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page, also without JavaScript
	}
	failures := web.OneOf(q, "show", []string{"failures"}) != ""
	return respondList(r, q, listPage[store.JobResult]{
		file: string(job), columns: resultColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.JobResult], error) {
			return r.shop.JobResults(ctx, runs, failures, p)
		},
		page: func(l views.List, rows []store.JobResult) templ.Component {
			return views.JobRunPage(views.JobRun{
				Page: r.page(views.JobRunTitle(job, day)), List: l, Day: shown, Failures: failures, CanRun: refused == "" && r.canRun(job, day), Refused: refused, Rows: rows,
			})
		},
	})
}

// jobRun returns the job and the day in the path, or NotFound if one of them is
// invalid.
func (r *request) jobRun() (job store.JobName, day time.Time, err error) {
	day, err = time.Parse(time.DateOnly, r.param("date"))
	for _, job := range store.JobNames {
		if string(job) == r.param("name") && err == nil {
			return job, day, nil
		}
	}
	return "", time.Time{}, &store.Error{Kind: store.NotFound, Message: "Job run not found."}
}

// showDryRun lists the steps that the job would take now.
func showDryRun(r *request) error {
	q, err := r.query("show")
	if err != nil {
		return err
	}
	job, day, err := r.jobRun()
	if err != nil {
		return err
	}
	if job == store.NoticesJob {
		return r.showNotices(q, day)
	}
	if q.Get("show") != "" {
		return store.InvalidField("show", "Only the dry run of notices has this parameter.")
	}
	refused, err := r.refusal(job)
	if err != nil {
		return err
	}
	var totals store.PlanTotals
	if !r.wantsFile() {
		if totals, err = r.shop.DryRunTotals(r.ctx(), job, day); err != nil {
			return err
		}
	}
	return respondList(r, q, listPage[store.PlannedStep]{
		file: string(job) + "-dry-run", columns: plannedColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.PlannedStep], error) {
			return r.shop.DryRun(ctx, job, day, p)
		},
		page: func(l views.List, rows []store.PlannedStep) templ.Component {
			return views.DryRunPage(views.DryRun{
				Page: r.page("Dry run: " + views.JobRunTitle(job, day)), List: l, Job: job, Date: day, Totals: totals, Service: r.site.jobs.Service(job), CanRun: refused == "" && r.canRun(job, day), Refused: refused, Token: r.newFormToken(), Rows: rows,
			})
		},
	})
}

// canRun reports whether the user can run the job for this day. The day must have begun.
// The notices job can only run for today.
func (r *request) canRun(job store.JobName, day time.Time) bool {
	today := calendarOf(r.now())
	return r.user.May(store.Administer) && !day.After(today) && (job != store.NoticesJob || day.Equal(today))
}

// runJob starts the job for one day in the background, and redirects to the page with
// its progress.
func runJob(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	job, day, err := r.jobRun()
	if err != nil {
		return err
	}
	if day.After(calendarOf(r.now())) {
		return store.InvalidField("", "This day is in the future. Use a dry run instead.")
	}
	if !r.canRun(job, day) {
		return store.InvalidField("", "This day is over. Notices are only sent on the day itself.")
	}
	if err := r.site.jobs.CheckJob(r.ctx(), job); err != nil {
		return err
	}
	if err := r.shop.RecordJobStart(r.ctx(), job, day, form.Token()); err != nil {
		return err
	}
	r.site.jobs.Start(r.ctx(), jobs.RunRequest{Job: job, Date: day, By: r.user.Name})
	return r.redirectWithFlash("Run started.", views.JobPath(job, day))
}

var plannedColumns = []web.Column[store.PlannedStep]{
	referColumn("AccountID", func(p store.PlannedStep) string { return p.AccountID }),
	{Name: "SubscriptionID", Cell: func(p store.PlannedStep) web.Cell { return web.Text(p.ID) }},
	{Name: "SKU", Cell: func(p store.PlannedStep) web.Cell { return web.Text(p.SKU) }},
	{Name: "PlanName", Cell: func(p store.PlannedStep) web.Cell { return web.Text(p.PlanName) }},
	{Name: "Step", Cell: func(p store.PlannedStep) web.Cell { return web.Text(string(p.Step)) }},
	{Name: "Amount", Cell: func(p store.PlannedStep) web.Cell { return amount(p.ChargeAmount()) }},
	{Name: "NextPaymentDate", Cell: func(p store.PlannedStep) web.Cell { return calendarDay(p.NextPaymentDate) }},
	{Name: "Attempt", Cell: func(p store.PlannedStep) web.Cell { return integer(p.Attempt) }},
}

var resultColumns = []web.Column[store.JobResult]{
	referColumn("AccountID", func(r store.JobResult) string {
		if r.Job == store.NoticesJob {
			return "" // for this job, AccountID is not the ID of an account
		}
		return r.AccountID
	}),
	{Name: "SubscriptionID", Cell: func(r store.JobResult) web.Cell { return web.Text(r.SubscriptionID) }},
	{Name: "SKU", Cell: func(r store.JobResult) web.Cell { return web.Text(r.SKU) }},
	{Name: "PlanName", Cell: func(r store.JobResult) web.Cell { return web.Text(r.PlanName) }},
	{Name: "Outcome", Cell: func(r store.JobResult) web.Cell { return web.Text(string(r.Outcome)) }},
	{Name: "Amount", Cell: func(r store.JobResult) web.Cell { return amount(r.Amount) }},
	{Name: "Why", Cell: func(r store.JobResult) web.Cell { return web.Text(r.Why) }},
	{Name: "When", Cell: func(r store.JobResult) web.Cell { return instant(r.When) }},
}
