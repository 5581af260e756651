package views

import (
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Subscriptions is the list of subscriptions.
type Subscriptions struct {
	Page
	List
	Status store.SubscriptionStatus
	Rows   []store.Subscription
}

// Billing is what an account pays for and what it paid.
type Billing struct {
	Page
	AccountID     string
	Customer      *store.Customer // nil: nobody of the shop
	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Events        Part[store.Event]
	MaySell       bool
	MayRetry      bool
}

// SubscriptionAction is a change of one subscription.
type SubscriptionAction string

// The changes.
const (
	SubscriptionChange SubscriptionAction = "change"
	SubscriptionPause  SubscriptionAction = "pause"
	SubscriptionResume SubscriptionAction = "resume"
	SubscriptionCancel SubscriptionAction = "cancel"
	SubscriptionRetry  SubscriptionAction = "retry"
	SubscriptionRemind SubscriptionAction = "remind"
)

// words are the title of an action's form, what its button says, and what it
// does.
func (a SubscriptionAction) words() (title, submit, explains string) {
	switch a {
	case SubscriptionChange:
		return "Change a subscription", "Change it", "The next payment stays in its month where the new day still lies ahead, and goes to the month after where it does not."
	case SubscriptionPause:
		return "Pause a subscription", "Pause it", "No payment is taken and no reminder sent until it is resumed."
	case SubscriptionResume:
		return "Resume a subscription", "Resume it", "The next payment is on the next payment day. The time of the pause is free."
	case SubscriptionCancel:
		return "Cancel a subscription", "Cancel it for good", "No payment is taken any more. This cannot be undone."
	case SubscriptionRetry:
		return "Try the payment again", "Take the payment now", "The open payment is asked for once more, now. Its next attempts stay as they are planned."
	case SubscriptionRemind:
		return "Send a reminder again", "Send it now", "The reminder of the next payment is sent once more."
	}
	return "", "", ""
}

// Title is the title of the action's form.
func (a SubscriptionAction) Title() string {
	title, _, _ := a.words()
	return title
}

// offered says whether an action makes sense for a subscription.
func (a SubscriptionAction) offered(s *store.Subscription) bool {
	switch a {
	case SubscriptionChange, SubscriptionCancel:
		return s.Status != store.SubscriptionCancelled
	case SubscriptionPause, SubscriptionRemind:
		return s.Live()
	case SubscriptionResume:
		return s.Status == store.SubscriptionPaused
	case SubscriptionRetry:
		return s.Status == store.SubscriptionPastDue
	}
	return false
}

// actions are what the user may do with a subscription.
func (p Billing) actions(s *store.Subscription) []SubscriptionAction {
	var all, offered []SubscriptionAction
	if p.MayRetry {
		all = append(all, SubscriptionRetry, SubscriptionRemind)
	}
	if p.MaySell {
		all = append(all, SubscriptionChange, SubscriptionPause, SubscriptionResume, SubscriptionCancel)
	}
	for _, a := range all {
		if a.offered(s) {
			offered = append(offered, a)
		}
	}
	return offered
}

// SubscriptionChanging is the form of a change of one subscription.
type SubscriptionChanging struct {
	Page
	Form
	Action           SubscriptionAction
	Subscription     store.Subscription
	Day, Amount, Why ui.Input
}

func (p SubscriptionChanging) fields() []ui.Field {
	s := &p.Subscription
	switch p.Action {
	case SubscriptionChange:
		return []ui.Field{
			{Name: "day", Label: "Day of the month", Hint: dayHint, Numeric: true, Required: true, Now: p.now(p.Day.Value, strconv.Itoa(s.PaymentDay)), Input: p.Day},
			{Name: "amount", Label: "Amount", Required: true, Now: p.now(p.Amount.Value, s.PaymentAmount.String()), Input: p.Amount},
		}
	case SubscriptionCancel:
		return []ui.Field{{Name: "why", Label: "Why", Input: p.Why}}
	}
	return nil
}

const dayHint = "1 to 31. In a shorter month it is the last day."

// Subscribing is the form of a new subscription.
type Subscribing struct {
	Page
	Form
	AccountID                                              string
	SKU, Day, Amount, From, Email, Card, Customer, Payment ui.Input
}

func (p Subscribing) fields() []ui.Field {
	return []ui.Field{
		{Name: "sku", Label: "SKU", Required: true, Input: p.SKU},
		{Name: "amount", Label: "Amount a month", Required: true, Input: p.Amount},
		{Name: "day", Label: "Day of the month", Hint: dayHint, Numeric: true, Required: true, Input: p.Day},
		{Name: "from", Label: "First payment not before", Hint: "A day such as 2026-12-01. Empty is today.", Input: p.From},
		{Name: "email", Label: "E-mail for reminders", Hint: "Empty is the customer's own.", Input: p.Email},
	}
}

func (p Subscribing) details() []ui.Field {
	return []ui.Field{
		{Name: "card", Label: "Card", Hint: "Its last four digits, for reminders. Never more are kept.", Numeric: true, Input: p.Card},
		{Name: "customer", Label: "Customer at the payment processor", Input: p.Customer},
		{Name: "method", Label: "Payment method at the payment processor", Input: p.Payment},
	}
}

// Due is what is due on some days.
type Due struct {
	Page
	List
	Job      store.JobName
	Day      ui.Input
	Week     bool
	From     time.Time // the first day of those that are listed
	Expected []ui.Bar  // revenue by week
	Rows     []store.Subscription
}

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

// BillingPath is the address of an account.
func BillingPath(accountID string) string { return "/accounts/" + ui.Segment(accountID) }

// SubscriptionPath is the address of a change of a subscription.
func SubscriptionPath(s *store.Subscription, action SubscriptionAction) string {
	return BillingPath(s.AccountID) + "/subscriptions/" + ui.Segment(s.ID) + "/" + ui.Segment(s.SKU) + "/" + string(action)
}

// JobPath is the address of a day of a job.
func JobPath(job store.JobName, day time.Time) string {
	return "/jobs/" + string(job) + "/" + day.Format(time.DateOnly)
}

// calendar is a day without a time.
func calendar(day time.Time) string { return string(AppendDay(nil, day, time.UTC)) }

func subscriptionBadge(s store.SubscriptionStatus) ui.Badge {
	switch s {
	case store.SubscriptionActive:
		return ui.Badge{Word: "Active", Tone: ui.Good}
	case store.SubscriptionPastDue:
		return ui.Badge{Word: "Past due", Tone: ui.Wrong}
	case store.SubscriptionPaused:
		return ui.Badge{Word: "Paused", Tone: ui.Waiting}
	case store.SubscriptionCancelled:
		return ui.Badge{Word: "Cancelled", Tone: ui.Neutral}
	}
	return unknownBadge(string(s))
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

// jobTitle is what a job is called.
func jobTitle(job store.JobName) string { return capital(string(job)) }
