package store

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
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

func (r *JobRun) write(a *table.Attributes) {
	a.Text("State", string(r.State))
	a.Text("By", r.By)
	a.Text("Owner", r.Owner)
	a.Time("Until", r.Until)
	a.Time("Began", r.Began)
	a.Time("Updated", r.Updated)
	a.Number("Due", r.Due)
	a.Number("Done", r.Done)
	a.Number("Declined", r.Declined)
	a.Number("Failed", r.Failed)
	writeAmount(a, "Amount", r.Amount)
	a.Number(table.AttrVersion, r.Version)
}

func decodeJobRun(item Item) (Entity, error) {
	f := table.NewFields(item)
	date, shard, _ := strings.Cut(f.Text(table.AttrSK), "#")
	day, err := time.Parse(key.Day, date)
	n, wrong := strconv.Atoi(shard)
	if err != nil || wrong != nil {
		f.Damaged(table.AttrSK, "the key of a day's run")
	}
	r := &JobRun{
		Job: JobName(f.After(table.AttrPK, "job#")), Date: day, Shard: n,
		State: JobState(f.Text("State")), By: f.Text("By"), Owner: f.Text("Owner"), Until: f.Time("Until"),
		Began: f.Time("Began"), Updated: f.Time("Updated"), Due: f.Number("Due"),
		JobCounts: JobCounts{Done: f.Number("Done"), Declined: f.Number("Declined"), Failed: f.Number("Failed"), Amount: readAmount(f, "Amount")},
		Version:   f.Number(table.AttrVersion),
	}
	return r, f.Err()
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

func (r *JobResult) write(a *table.Attributes) {
	a.Text("SKU", r.SKU)
	a.Text("Outcome", string(r.Outcome))
	writeAmount(a, "Amount", r.Amount)
	a.Text("Why", MaskCardNumbers(r.Why))
	a.Time("When", r.When)
	a.Seconds(table.AttrTTL, r.Expires)
	a.Number(table.AttrVersion, 1)
}

func decodeJobResult(item Item) (Entity, error) {
	f := table.NewFields(item)
	account, id, _ := strings.Cut(f.After(table.AttrSK, "ACC#"), "#SUB#")
	r := &JobResult{
		AccountID: account, SubscriptionID: id, SKU: f.Text("SKU"), Outcome: JobOutcome(f.Text("Outcome")),
		Amount: readAmount(f, "Amount"), Why: f.Text("Why"), When: f.Time("When"), Expires: f.Seconds(table.AttrTTL),
	}
	parts := strings.Split(f.After(table.AttrPK, "jobResult#"), "#")
	if len(parts) != 3 {
		f.Damaged(table.AttrPK, "the key of a result")
		return r, f.Err()
	}
	day, err := time.Parse(key.Day, parts[1])
	shard, wrong := strconv.Atoi(parts[2])
	if err != nil || wrong != nil {
		f.Damaged(table.AttrPK, "the key of a result")
	}
	r.Job, r.Date, r.Shard = JobName(parts[0]), day, shard
	return r, f.Err()
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

func (l *Lease) write(a *table.Attributes) {
	a.Text("Owner", l.Owner)
	a.Time("Until", l.Until)
	a.Number(table.AttrVersion, l.Version)
}

func decodeLease(item Item) (Entity, error) {
	f := table.NewFields(item)
	return &Lease{Name: f.After(table.AttrPK, "lease#"), Owner: f.Text("Owner"), Until: f.Time("Until"), Version: f.Number(table.AttrVersion)}, f.Err()
}
