package views

import (
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Due is the page of the payments or reminders due on a day or in a week. It also shows
// the expected revenue.
type Due struct {
	Page
	List
	Job      store.JobName
	Day      ui.Input
	Week     bool
	From     time.Time // first day of the list
	Expected []ui.Bar  // expected revenue by week
	Rows     []store.Subscription
}

// SpanBehind is the value of the parameter "span" for payments that were due before today
// and are still open, except declined ones.
const SpanBehind = "behind"

const behindPath = "/due?span=" + SpanBehind

// Behind is the page of the active subscriptions whose payment was due before today and
// is still open. It omits subscriptions with declined payments, which are past due.
type Behind struct {
	Page
	List
	Rule  store.LateRule
	Since time.Time // when the scheduler was turned on; zero if it is off
	Rows  []store.Subscription

	Refused string // why this server charges no payments; "" if it charges them
}

// next describes how the scheduler will treat these payments.
func (p Behind) next() string {
	if p.Since.IsZero() {
		return "The scheduler is off. " + p.startRuns()
	}
	if p.Refused != "" {
		return p.startRuns()
	}
	late := "however late they are. A subscription that missed several payments is charged for only one of them."
	if p.Rule == store.LateSkip {
		late = "up to " + strconv.Itoa(store.DaysUntilLate) + " days late."
	}
	return "The scheduler has been on since " + p.time(p.Since) + ". It charges payments that were due after that time, " + late + " " + p.startRuns()
}

// startRuns tells the user how to charge the payments, and which of them a run skips.
func (p Behind) startRuns() string {
	skipped := ""
	if p.Rule == store.LateSkip {
		skipped = " Payments that are more than " + strconv.Itoa(store.DaysUntilLate) + " days late are skipped, even if an admin starts the run. The customer then pays on the first payment day after today."
	}
	if p.User.May(store.Administer) {
		return "To charge the payments of a day, open the day and start its payment run." + skipped
	}
	return "To charge the payments of a day, ask an admin to start its payment run." + skipped
}
