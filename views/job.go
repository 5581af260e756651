package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Jobs is what the daily jobs did lately.
type Jobs struct {
	Page
	Today time.Time
	Since time.Time // since when the scheduler is on; zero: it is off
	Days  map[store.JobName][]JobDay
	May   bool // switch the scheduler
}

// JobDay is one day of a job, over all shards.
type JobDay struct {
	Job   store.JobName
	Date  time.Time
	State store.JobState
	By    string
	Due   int
	store.JobCounts
	Updated time.Time
}

// DaysOf adds the shards of runs up, day by day, in the order in which they
// come.
func DaysOf(runs []store.JobRun) []JobDay {
	var days []JobDay
	for i := range runs {
		run := &runs[i]
		if len(days) == 0 || !days[len(days)-1].Date.Equal(run.Date) {
			days = append(days, JobDay{Job: run.Job, Date: run.Date, State: run.State, By: run.By})
		}
		day := &days[len(days)-1]
		day.State = worse(day.State, run.State)
		day.Due += run.Due
		day.JobCounts = day.Plus(run.JobCounts)
		if run.Updated.After(day.Updated) {
			day.Updated = run.Updated
		}
	}
	return days
}

// worse is the state that a day has whose shards have these two.
func worse(a, b store.JobState) store.JobState {
	for _, state := range []store.JobState{store.JobRunning, store.JobStopped, store.JobLeft} {
		if a == state || b == state {
			return state
		}
	}
	return store.JobDone
}

// JobPath is the address of a day of a job.
func JobPath(job store.JobName, day time.Time) string {
	return "/jobs/" + string(job) + "/" + day.Format(time.DateOnly)
}

func jobBadge(s store.JobState) ui.Badge {
	switch s {
	case store.JobRunning:
		return ui.Badge{Word: "Running", Tone: ui.Moving}
	case store.JobStopped:
		return ui.Badge{Word: "Stopped", Tone: ui.Wrong}
	case store.JobLeft:
		return ui.Badge{Word: "Something left", Tone: ui.Waiting}
	case store.JobDone:
		return ui.Badge{Word: "Done", Tone: ui.Good}
	}
	return ui.Badge{Word: "Not run", Tone: ui.Neutral}
}

// jobTitle is what a job is called.
func jobTitle(job store.JobName) string { return capital(string(job)) }
