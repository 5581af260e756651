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
	RemindersJob JobName = "reminders" // sends payment reminders by email
	PaymentsJob  JobName = "payments"  // charges payments
	NoticesJob   JobName = "notices"   // emails daily notices to managers and renters
)

// JobNames lists all jobs, in the order in which they run.
var JobNames = []JobName{RemindersJob, PaymentsJob, NoticesJob}

// JobState is the state of a day's run in one shard.
type JobState string

// States of a day's run in one shard.
const (
	JobRunning    JobState = "RUNNING"
	JobStopped    JobState = "STOPPED" // stopped before the end; a later run continues
	JobIncomplete JobState = "LEFT"    // ended with failures; a later run retries them
	JobDone       JobState = "DONE"
)

// JobRun is the progress of a day's run of a job in one shard. The process that runs the
// shard (the runner) leases the shard, and extends the lease during the run. If the
// runner is killed, the lease expires after the HeartbeatTimeout of package jobs.
type JobRun struct {
	Job     JobName
	Date    time.Time // the calendar day of the run, at midnight UTC
	Shard   int
	State   JobState
	Service Service   // the service that charged the payments or sent the emails; "" in runs of earlier program versions
	By      string    // the user who started the run, or Program
	Owner   string    // the runner that has the lease
	Until   time.Time // when the lease ends
	Began   time.Time
	Leased  time.Time // when the last runner leased the shard
	Updated time.Time
	Due     int // number of due subscriptions, for the progress of the run; 0 for notices
	JobCounts
	Version int
}

// JobCounts counts the results of a run of a job.
type JobCounts struct {
	Done     int // number of queued notices, or of subscriptions with the outcome paid, reminded or skipped
	Declined int // number of declined payments and of dropped attempts; see OutcomeDropped
	Failed   int
	Unknown  int // number of payments whose outcome is unknown
	Amount   Sum // sum of the payments
}

// Plus returns the sum of the counts.
func (c JobCounts) Plus(o JobCounts) JobCounts {
	return JobCounts{c.Done + o.Done, c.Declined + o.Declined, c.Failed + o.Failed, c.Unknown + o.Unknown, c.Amount.Plus(o.Amount)}
}

// Minus returns the difference of the counts.
func (c JobCounts) Minus(o JobCounts) JobCounts {
	return JobCounts{c.Done - o.Done, c.Declined - o.Declined, c.Failed - o.Failed, c.Unknown - o.Unknown, c.Amount.Minus(o.Amount)}
}

func (c JobCounts) equals(o JobCounts) bool {
	difference := c.Minus(o)
	return difference.Done == 0 && difference.Declined == 0 && difference.Failed == 0 && difference.Unknown == 0 && difference.Amount.Sign() == 0
}

func (c *JobCounts) attributes(a *table.Attributes) {
	a.Count("Done", &c.Done)
	a.Count("Declined", &c.Declined)
	a.Count("Failed", &c.Failed)
	a.Count("Unknown", &c.Unknown)
	sumAttribute(a, "Amount", &c.Amount)
}

func (*JobRun) EntityType() string { return "jobRun" }

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
	a.Text("Service", (*string)(&r.Service))
	a.Text("By", &r.By)
	a.Text("Owner", &r.Owner)
	a.Time("Until", &r.Until)
	a.Time("Began", &r.Began)
	a.Time("Leased", &r.Leased)
	a.Time("Updated", &r.Updated)
	a.Count("Due", &r.Due)
	r.JobCounts.attributes(a)
	a.Version(&r.Version)
	if !a.Decoding() {
		return
	}
	date, shard, _ := strings.Cut(a.Read(table.AttrSK), "#")
	day, err := time.Parse(key.Day, date)
	n, errShard := strconv.Atoi(shard)
	if err != nil || errShard != nil {
		a.Damaged(table.AttrSK, "the key of a run")
	}
	r.Job, r.Date, r.Shard = JobName(a.AfterPrefix(table.AttrPK, "job#")), day, n
}

// JobOutcome is the outcome of one subscription or one notice in a day's run.
type JobOutcome string

// Outcomes of a subscription or notice.
const (
	OutcomePaid     JobOutcome = "PAID"
	OutcomeReminded JobOutcome = "REMINDED"
	OutcomeQueued   JobOutcome = "QUEUED" // the email with the notice is in the outbox
	OutcomeDeclined JobOutcome = "DECLINED"
	OutcomePaused   JobOutcome = "PAUSED"  // the payment was declined, and the subscription was paused
	OutcomeUnknown  JobOutcome = "UNKNOWN" // the outcome at the payment service is unknown, or could not be recorded
	OutcomeFailed   JobOutcome = "FAILED"
	OutcomeSkipped  JobOutcome = "SKIPPED" // a late payment was skipped because the settings say so, the payment already has a receipt, or the subscription was cancelled at the end of its period
	OutcomeDropped  JobOutcome = "DROPPED" // the subscription is no longer active, and its attempt never reached the payment service
)

// JobResult is the outcome of one subscription or one notice in a day's run. The results of
// each shard of the run have their own partition, and are sorted by account. In the result
// of a notice, AccountID is Notice.Recipient, and SubscriptionID is the kind of email.
type JobResult struct {
	Job            JobName
	Date           time.Time
	Shard          int
	AccountID      string
	SubscriptionID string
	SKU            string
	PlanName       string `json:",omitempty"` // as in the subscription
	Outcome        JobOutcome
	Amount         Amount
	Why            string `json:",omitempty"`
	When           time.Time
	Expires        time.Time `json:"-"` // TTL

	withoutSKU bool // an earlier program version stored the result, with a key that lacks the SKU
}

func (*JobResult) EntityType() string { return "jobResult" }

// Failure reports whether the result is a failure that a user should look at, such as a
// declined payment.
func (r *JobResult) Failure() bool {
	return r.Outcome != OutcomePaid && r.Outcome != OutcomeReminded && r.Outcome != OutcomeQueued && r.Outcome != OutcomeSkipped
}

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
	case "subscription":
		if r.withoutSKU {
			return r.SubscriptionID
		}
		return r.SubscriptionID + "#SKU#" + r.SKU
	case "failure":
		if r.Failure() {
			return string(r.Outcome)
		}
	}
	return ""
}

func (r *JobResult) attributes(a *table.Attributes) {
	a.Text("SKU", &r.SKU)
	a.Text("PlanName", &r.PlanName)
	a.Text("Outcome", (*string)(&r.Outcome))
	amountAttribute(a, "Amount", &r.Amount)
	maskedText(a, "Why", &r.Why)
	a.Time("When", &r.When)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.FixedVersion()
	if !a.Decoding() {
		return
	}
	account, subscription, _ := strings.Cut(a.AfterPrefix(table.AttrSK, "ACC#"), "#SUB#")
	id, _, hasSKU := strings.Cut(subscription, "#SKU#")
	r.AccountID, r.SubscriptionID, r.withoutSKU = account, id, !hasSKU
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

// Lease gives one server the exclusive right to do a task until a given time.
type Lease struct {
	Name    string
	Owner   string
	Until   time.Time
	State   string // how far the task has come, so that another server can continue; "" at the beginning
	Version int
}

func (*Lease) EntityType() string { return "lease" }

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
	a.Text("State", &l.State)
	a.Version(&l.Version)
}
