package handlers

import (
	"stockroom/store"
	"stockroom/views"
)

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
