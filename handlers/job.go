package handlers

import (
	"errors"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// jobDays is the number of past days that the page Jobs shows.
const jobDays = 14

func listJobs(r *request) error {
	q, err := r.query("job", "date")
	if err != nil {
		return err
	}
	if date := q.Get("date"); date != "" {
		day, err := time.Parse(time.DateOnly, date)
		job, known := store.JobName(q.Get("job")), slices.Contains(store.JobNames, store.JobName(q.Get("job")))
		if err != nil || !known {
			return store.InvalidField("date", "Choose a job and enter a day such as 2026-11-21.")
		}
		return web.Redirect(r.Context, views.JobPath(job, day))
	}
	settings, err := r.shop.Settings(r.ctx())
	if err != nil {
		return err
	}
	today := calendarOf(r.now())
	p := views.Jobs{Today: today, Since: settings.SchedulerSince, Days: map[store.JobName][]views.JobDay{}, CanSwitch: r.user.May(store.Administer)}
	for _, job := range store.JobNames {
		runs, err := r.shop.JobRuns(r.ctx(), job, today.AddDate(0, 0, -jobDays), today)
		if err != nil {
			return err
		}
		p.Days[job] = views.DaysOf(runs)
	}
	p.Payments, p.Email = r.site.jobs.Service(store.PaymentsJob), r.site.jobs.Service(store.RemindersJob)
	if p.Refused, err = r.refusal(store.PaymentsJob); err != nil {
		return err
	}
	if p.BehindSince, err = r.shop.PaymentsBehindSince(r.ctx()); err != nil {
		return err
	}
	if p.CanSwitch {
		waiting, err := r.shop.Emails(r.ctx(), store.EmailQueued, store.Page{Limit: 1, Partial: true})
		if err != nil {
			return err
		}
		for _, e := range waiting.Rows {
			p.EmailsSince = e.Created
		}
	}
	p.Page, p.Token = r.page("Jobs"), r.newFormToken()
	return r.show(views.JobsPage(p))
}

// refusal returns the reason why this server may not run the job, or "" if it may.
func (r *request) refusal(job store.JobName) (string, error) {
	err := r.site.jobs.CheckJob(r.ctx(), job)
	var refused *store.Error
	if errors.As(err, &refused) && refused.Kind == store.Conflict {
		return refused.Message, nil
	}
	return "", err
}

func switchScheduler(r *request) error {
	form, err := r.readForm("on")
	if err != nil {
		return err
	}
	on := form.Get("on") != ""
	if err := r.shop.SetScheduler(r.ctx(), on); err != nil {
		return err
	}
	if on {
		return r.redirectWithFlash("Scheduler turned on.", "/jobs")
	}
	return r.redirectWithFlash("Scheduler turned off.", "/jobs")
}
