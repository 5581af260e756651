package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// JobRun is one day of a job with what came of each account.
type JobRun struct {
	Page
	List
	Day      JobDay // without a state where it has not run
	Failures bool   // only those are listed
	May      bool
	Once     string
	Rows     []store.JobResult
}

// Rehearsal is what a day of a job would do.
type Rehearsal struct {
	Page
	List
	Job  store.JobName
	Date time.Time
	May  bool
	Once string
	Rows []store.Planned
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
