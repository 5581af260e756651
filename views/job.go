package views

import (
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Jobs is the page of the daily jobs: their recent runs, the scheduler, and the
// services that they use.
type Jobs struct {
	Page
	Today       time.Time
	Since       time.Time // when the scheduler was turned on; zero if it is off
	Days        map[store.JobName][]JobDay
	Payments    store.Service // payment service of this server
	Email       store.Service
	EmailsSince time.Time // creation time of the email that has waited longest, or zero
	Refused     string    // why this server charges no payments; otherwise ""
	BehindSince time.Time // first day before today with open payments, or zero
	Token       string
	CanSwitch   bool // the user may turn the scheduler on and off
}

// JobDay combines the runs of a job for one day, one for each shard.
type JobDay struct {
	Job   store.JobName
	Date  time.Time
	State store.JobState
	By    string
	Due   int

	Service store.Service // "" for runs of earlier versions of the program
	store.JobCounts
	Updated time.Time
}

// DaysOf combines the runs of all shards for the same day into one JobDay. Runs for the
// same day must be next to each other.
func DaysOf(runs []store.JobRun) []JobDay {
	var days []JobDay
	for i := range runs {
		run := &runs[i]
		if len(days) == 0 || !days[len(days)-1].Date.Equal(run.Date) {
			days = append(days, JobDay{Job: run.Job, Date: run.Date, State: run.State, By: run.By, Service: run.Service})
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

// worse returns the worse of two states. From worst to best, the states are running,
// stopped, incomplete and done. A day is therefore running as long as one of its shards is.
func worse(a, b store.JobState) store.JobState {
	for _, state := range []store.JobState{store.JobRunning, store.JobStopped, store.JobIncomplete} {
		if a == state || b == state {
			return state
		}
	}
	return store.JobDone
}

func serviceName(s store.Service) string {
	switch s {
	case store.ServiceStripe:
		return "Charged with Stripe"
	case store.ServiceRecord:
		return "Recorded only, nobody is charged"
	case store.ServiceSMTP:
		return "Sent through the mail server"
	case store.ServiceOutbox:
		return "Kept in the outbox: no mail server is set up (-smtp)"
	}
	return "Not recorded"
}

// JobPath returns the path of the page of a job's run for a day.
func JobPath(job store.JobName, day time.Time) string {
	return "/jobs/" + string(job) + "/" + day.Format(time.DateOnly)
}

func jobBadge(s store.JobState) ui.Badge {
	switch s {
	case store.JobRunning:
		return ui.Badge{Word: "Running", Tone: ui.Moving}
	case store.JobStopped:
		return ui.Badge{Word: "Stopped", Tone: ui.Wrong}
	case store.JobIncomplete:
		return ui.Badge{Word: "Incomplete", Tone: ui.Waiting}
	case store.JobDone:
		return ui.Badge{Word: "Done", Tone: ui.Good}
	}
	return ui.Badge{Word: "Not run", Tone: ui.Neutral}
}

func jobTitle(job store.JobName) string { return capital(string(job)) }

// runName returns the name of a run of the job, such as "payment run".
func runName(job store.JobName) string { return strings.TrimSuffix(string(job), "s") + " run" }

func countsPayments(job store.JobName) bool { return job != store.NoticesJob }

// JobRunTitle returns the title of the page of a job's run for a day.
func JobRunTitle(job store.JobName, day time.Time) string {
	return capital(runName(job)) + ", " + calendar(day)
}
