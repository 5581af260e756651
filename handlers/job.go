package handlers

import (
	"stockroom/store"
	"stockroom/views"
)

// jobDays is how many days back the page of jobs shows runs.
const jobDays = 14

func listJobs(r *request) error {
	if _, err := r.query(); err != nil {
		return err
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
	p.Page = r.page("Jobs")
	return r.show(views.JobsPage(p))
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
