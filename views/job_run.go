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
	Day      JobDay // has no state if the job has not run
	Failures bool   // list failures only
	CanRun   bool
	Once     string
	Rows     []store.JobResult
}

// DryRun lists what the run of a job for a day would do.
type DryRun struct {
	Page
	List
	Job    store.JobName
	Date   time.Time
	CanRun bool
	Once   string
	Rows   []store.PlannedStep
}

func outcomeBadge(o store.JobOutcome) ui.Badge {
	tone := ui.Wrong
	switch o {
	case store.OutcomePaid, store.OutcomeReminded:
		tone = ui.Good
	case store.OutcomeUnknown, store.OutcomeDropped:
		tone = ui.Waiting
	}
	return ui.Badge{Word: sentence(string(o)), Tone: tone}
}
