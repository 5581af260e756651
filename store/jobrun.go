package store

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
)

// JobName names a daily job.
type JobName string

// The daily jobs.
const (
	RemindersJob JobName = "reminders" // announces payments by mail
	PaymentsJob  JobName = "payments"  // takes payments
)

// JobNames are all of them, in the order in which a day runs them.
var JobNames = []JobName{RemindersJob, PaymentsJob}

// JobState is how far a shard of a job's day has come.
type JobState string

// The states of a shard.
const (
	JobRunning JobState = "RUNNING"
	JobStopped JobState = "STOPPED" // told to stop, or killed: to be gone on with
	JobLeft    JobState = "LEFT"    // went through, and something is left to do
	JobDone    JobState = "DONE"
)

// JobRun is how far one shard of one day of a job has come. Whoever works on
// the shard holds it until a moment that it keeps moving on: a shard whose
// holder was killed is free again soon after.
type JobRun struct {
	Job     JobName
	Date    time.Time // the calendar day whose work it is, at midnight UTC
	Shard   int
	State   JobState
	By      string    // who had it run
	Owner   string    // the runner that holds the shard
	Until   time.Time // how long it does
	Began   time.Time
	Updated time.Time
	Due     int // how many were due when it began
	JobCounts
	Version int
}

// JobCounts is what came of a job's work.
type JobCounts struct {
	Done     int // paid, or reminded
	Declined int
	Failed   int    // errors, and payments of which nobody knows the outcome
	Amount   Amount // of the payments
}

// Plus adds counts up.
func (c JobCounts) Plus(o JobCounts) JobCounts {
	return JobCounts{c.Done + o.Done, c.Declined + o.Declined, c.Failed + o.Failed, c.Amount.Plus(o.Amount)}
}

// EntityType implements Entity.
func (*JobRun) EntityType() string { return "jobRun" }

// KeyValue implements Entity. A shard is part of what a run is.
func (r *JobRun) KeyValue(name string) string {
	switch name {
	case "job":
		return string(r.Job)
	case "date":
		return calendarDay(r.Date)
	case "shard":
		return strconv.Itoa(r.Shard)
	}
	return ""
}

func (r *JobRun) write(a *attributes) {
	a.text("State", string(r.State))
	a.text("By", r.By)
	a.text("Owner", r.Owner)
	a.time("Until", r.Until)
	a.time("Began", r.Began)
	a.time("Updated", r.Updated)
	a.number("Due", r.Due)
	a.number("Done", r.Done)
	a.number("Declined", r.Declined)
	a.number("Failed", r.Failed)
	a.amount("Amount", r.Amount)
	a.number(attrVersion, r.Version)
}

func decodeJobRun(item Item) (Entity, error) {
	f := fields{item: item}
	date, shard, _ := strings.Cut(f.text(attrSK), "#")
	day, err := time.Parse(key.Day, date)
	n, wrong := strconv.Atoi(shard)
	if err != nil || wrong != nil {
		f.damaged(attrSK, "the key of a day's run")
	}
	r := &JobRun{
		Job: JobName(f.after(attrPK, "job#")), Date: day, Shard: n,
		State: JobState(f.text("State")), By: f.text("By"), Owner: f.text("Owner"), Until: f.time("Until"),
		Began: f.time("Began"), Updated: f.time("Updated"), Due: f.number("Due"),
		JobCounts: JobCounts{Done: f.number("Done"), Declined: f.number("Declined"), Failed: f.number("Failed"), Amount: f.amount("Amount")},
		Version:   f.number(attrVersion),
	}
	return r, f.err
}

// JobOutcome is what came of one subscription in a day's run.
type JobOutcome string

// The outcomes.
const (
	OutcomePaid     JobOutcome = "PAID"
	OutcomeReminded JobOutcome = "REMINDED"
	OutcomeDeclined JobOutcome = "DECLINED"
	OutcomePaused   JobOutcome = "PAUSED"  // declined for the last time
	OutcomeUnknown  JobOutcome = "UNKNOWN" // the processor was asked and its answer was not heard
	OutcomeFailed   JobOutcome = "FAILED"
	OutcomeDropped  JobOutcome = "DROPPED" // an attempt that never reached the processor, of what is paid for no more
)

// JobResult is what a day's run did with one subscription. It lies apart from
// the subscription, so that a run is shown account by account in one question;
// what happened to the subscription stays told by its events.
type JobResult struct {
	Job            JobName
	Date           time.Time
	Shard          int
	AccountID      string
	SubscriptionID string
	SKU            string
	Outcome        JobOutcome
	Amount         Amount
	Why            string `json:",omitempty"`
	When           time.Time
	Expires        time.Time `json:"-"` // the broom takes it
}

// EntityType implements Entity.
func (*JobResult) EntityType() string { return "jobResult" }

// Failure says whether somebody should look at it.
func (r *JobResult) Failure() bool {
	return r.Outcome != OutcomePaid && r.Outcome != OutcomeReminded
}

// KeyValue implements Entity.
func (r *JobResult) KeyValue(name string) string {
	switch name {
	case "job":
		return string(r.Job)
	case "date":
		return calendarDay(r.Date)
	case "shard":
		return strconv.Itoa(r.Shard)
	case "accountID":
		return r.AccountID
	case "subscriptionID":
		return r.SubscriptionID
	case "failure":
		if r.Failure() {
			return string(r.Outcome)
		}
	}
	return ""
}

func (r *JobResult) write(a *attributes) {
	a.text("SKU", r.SKU)
	a.text("Outcome", string(r.Outcome))
	a.amount("Amount", r.Amount)
	a.text("Why", LastFour(r.Why))
	a.time("When", r.When)
	a.seconds(attrTTL, r.Expires)
	a.number(attrVersion, 1)
}

func decodeJobResult(item Item) (Entity, error) {
	f := fields{item: item}
	account, id, _ := strings.Cut(f.after(attrSK, "ACC#"), "#SUB#")
	r := &JobResult{
		AccountID: account, SubscriptionID: id, SKU: f.text("SKU"), Outcome: JobOutcome(f.text("Outcome")),
		Amount: f.amount("Amount"), Why: f.text("Why"), When: f.time("When"), Expires: f.epoch(attrTTL),
	}
	parts := strings.Split(f.after(attrPK, "jobResult#"), "#")
	if len(parts) != 3 {
		f.damaged(attrPK, "the key of a result")
		return r, f.err
	}
	day, err := time.Parse(key.Day, parts[1])
	shard, wrong := strconv.Atoi(parts[2])
	if err != nil || wrong != nil {
		f.damaged(attrPK, "the key of a result")
	}
	r.Job, r.Date, r.Shard = JobName(parts[0]), day, shard
	return r, f.err
}

// Lease says which of several servers does something that one of them has to.
type Lease struct {
	Name    string
	Owner   string
	Until   time.Time
	Version int
}

// EntityType implements Entity.
func (*Lease) EntityType() string { return "lease" }

// KeyValue implements Entity.
func (l *Lease) KeyValue(name string) string {
	if name == "name" {
		return l.Name
	}
	return ""
}

func (l *Lease) write(a *attributes) {
	a.text("Owner", l.Owner)
	a.time("Until", l.Until)
	a.number(attrVersion, l.Version)
}

func decodeLease(item Item) (Entity, error) {
	f := fields{item: item}
	return &Lease{Name: f.after(attrPK, "lease#"), Owner: f.text("Owner"), Until: f.time("Until"), Version: f.number(attrVersion)}, f.err
}
