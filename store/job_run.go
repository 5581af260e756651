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

func (r *JobRun) attributes(a *table.Attributes) {
	a.Text("State", (*string)(&r.State))
	a.Text("By", &r.By)
	a.Text("Owner", &r.Owner)
	a.Time("Until", &r.Until)
	a.Time("Began", &r.Began)
	a.Time("Updated", &r.Updated)
	a.Number("Due", &r.Due)
	a.Number("Done", &r.Done)
	a.Number("Declined", &r.Declined)
	a.Number("Failed", &r.Failed)
	amountAttribute(a, "Amount", &r.Amount)
	a.Version(&r.Version)
	if !a.Decoding() {
		return
	}
	date, shard, _ := strings.Cut(a.Read(table.AttrSK), "#")
	day, err := time.Parse(key.Day, date)
	n, errShard := strconv.Atoi(shard)
	if err != nil || errShard != nil {
		a.Damaged(table.AttrSK, "the key of a day's run")
	}
	r.Job, r.Date, r.Shard = JobName(a.AfterPrefix(table.AttrPK, "job#")), day, n
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

func (r *JobResult) attributes(a *table.Attributes) {
	a.Text("SKU", &r.SKU)
	a.Text("Outcome", (*string)(&r.Outcome))
	amountAttribute(a, "Amount", &r.Amount)
	maskedText(a, "Why", &r.Why)
	a.Time("When", &r.When)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.FixedVersion()
	if !a.Decoding() {
		return
	}
	r.AccountID, r.SubscriptionID, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "ACC#"), "#SUB#")
	parts := strings.Split(a.AfterPrefix(table.AttrPK, "jobResult#"), "#")
	if len(parts) != 3 {
		a.Damaged(table.AttrPK, "the key of a result")
		return
	}
	day, err := time.Parse(key.Day, parts[1])
	shard, errShard := strconv.Atoi(parts[2])
	if err != nil || errShard != nil {
		a.Damaged(table.AttrPK, "the key of a result")
	}
	r.Job, r.Date, r.Shard = JobName(parts[0]), day, shard
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

func (l *Lease) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "lease#", &l.Name)
	a.Text("Owner", &l.Owner)
	a.Time("Until", &l.Until)
	a.Version(&l.Version)
}
