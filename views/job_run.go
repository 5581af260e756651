package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// JobRun is the run of a job for a day with its results.
type JobRun struct {
	Page
	List
	Day      JobDay // its State is "" if the job has not run
	Failures bool   // list failures only
	CanRun   bool
	Refused  string // why this server charges no payments; "" if it does
	Rows     []store.JobResult
}

// DryRun lists the steps that the run of a job for a day would take.
type DryRun struct {
	Page
	List
	Job     store.JobName
	Date    time.Time
	Totals  store.PlanTotals
	Service store.Service // that this server would use
	CanRun  bool
	Token   string

	Refused string // why this server charges no payments; "" if it does

	Rows []store.PlannedStep
}

func outcomeBadge(o store.JobOutcome) ui.Badge {
	tone := ui.Wrong
	switch o {
	case store.OutcomePaid, store.OutcomeReminded:
		tone = ui.Good
	case store.OutcomeUnknown, store.OutcomeDropped, store.OutcomeSkipped:
		tone = ui.Waiting
	}
	return ui.Badge{Word: sentence(string(o)), Tone: tone}
}
