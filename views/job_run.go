package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// JobRun is the page of a job's run for a day, with its results.
type JobRun struct {
	Page
	List
	Day      JobDay // Day.State is "" if the job has not run
	Failures bool   // show only failures
	CanRun   bool
	Refused  string // why this server may not run the job; "" if it may
	Rows     []store.JobResult
}

// DryRun is the page with the steps that a job would take for a day.
type DryRun struct {
	Page
	List
	Job     store.JobName
	Date    time.Time
	Totals  store.PlanTotals
	Service store.Service // payment or email service that this server would use
	CanRun  bool
	Token   string

	Refused string // why this server may not run the job; "" if it may

	Rows []store.PlannedStep
}

func outcomeBadge(o store.JobOutcome) ui.Badge {
	tone := ui.Wrong
	switch o {
	case store.OutcomePaid, store.OutcomeReminded, store.OutcomeQueued:
		tone = ui.Good
	case store.OutcomeUnknown, store.OutcomeDropped, store.OutcomeSkipped:
		tone = ui.Waiting
	}
	return ui.Badge{Word: sentence(string(o)), Tone: tone}
}
