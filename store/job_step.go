package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/table"
)

// AttemptKeyLifetime is how long a job may repeat the charge of an attempt with the same
// idempotency key. After that, it looks up the outcome instead. Payment services remember
// a key for 24 hours. The lifetime is an hour less, because requests can be slow and clocks
// inaccurate.
const AttemptKeyLifetime = 23 * time.Hour

// Step is the next step of a daily job for a subscription, or "" if nothing is due.
type Step string

// Steps of the daily jobs.
const (
	StepTake   Step = "TAKE"    // charge the payment
	StepSkip   Step = "SKIP"    // skip the late payment
	StepRepeat Step = "REPEAT"  // repeat the charge of the pending attempt, with the same key
	StepLookUp Step = "LOOK_UP" // look up the outcome of the pending attempt
	StepRemind Step = "REMIND"  // send the reminder
	StepEnd    Step = "END"     // cancel the subscription at the end of its period
)

// Step returns the next step of a job for the subscription in the run of a day. A zero day
// means that a user retries a payment or resends a reminder. Only a user, not a run, can
// retry the open payment of a paused subscription. Both runs and dry runs call Step.
func (s *Subscription) Step(settings Settings, job JobName, day, now time.Time) Step {
	switch {
	case !day.IsZero() && !s.DueOn(job).Equal(day):
		return ""
	case job == RemindersJob && s.Charged():
		return StepRemind
	case job == RemindersJob:
		return ""
	case s.PendingAttempt.Key == "" && s.Live() && s.Ending:
		return StepEnd
	case s.PendingAttempt.Key == "" && s.Live() && settings.skips(day, now):
		return StepSkip
	case s.PendingAttempt.Key == "" && (s.Live() || day.IsZero() && s.HasOpenPayment()):
		return StepTake
	case s.PendingAttempt.Key == "":
		return ""
	case s.Live() && now.Sub(s.PendingAttempt.At) < AttemptKeyLifetime:
		return StepRepeat
	}
	return StepLookUp
}

// WithoutAttempt returns a copy of the subscription without its pending attempt. Use
// it if the attempt never reached the payment service.
func (s *Subscription) WithoutAttempt() *Subscription {
	without := *s
	without.PendingAttempt = PaymentAttempt{}
	return &without
}

// ChargeAmount returns the amount that the next step charges: the amount of the pending
// attempt, or the current price if no attempt is pending.
func (s *Subscription) ChargeAmount() Amount {
	if s.PendingAttempt.Key != "" {
		return s.PendingAttempt.Amount
	}
	return s.PaymentAmount
}

// PlannedStep is the step that a run would make for one subscription.
type PlannedStep struct {
	Subscription
	Step Step
}

// Charges reports whether the step charges a payment. A step that looks up an attempt does
// not: the payment service may already have charged the payment.
func (p *PlannedStep) Charges() bool { return p.Step == StepTake || p.Step == StepRepeat }

// ChargeAmount returns the amount of the payment that the step charges, checks or
// announces. It returns zero if the step skips the payment or cancels the subscription.
func (p *PlannedStep) ChargeAmount() Amount {
	if p.Step == StepSkip || p.Step == StepEnd {
		return Amount{}
	}
	return p.Subscription.ChargeAmount()
}

// DryRun lists the steps that a run of a job for a day would make now, sorted by account.
// It changes nothing.
func (a Access) DryRun(ctx context.Context, job JobName, day time.Time, page Page) (List[PlannedStep], error) {
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return List[PlannedStep]{}, err
	}
	due, err := a.Due(ctx, job, []time.Time{day}, page)
	planned := List[PlannedStep]{Prev: due.Prev, Next: due.Next, Unreadable: due.Unreadable}
	for i := range due.Rows {
		planned.Rows = append(planned.Rows, PlannedStep{due.Rows[i], due.Rows[i].Step(settings, job, day, a.store.now())})
	}
	planned.Rows = slices.DeleteFunc(planned.Rows, func(p PlannedStep) bool { return p.Step == "" })
	if planned.Next != nil { // later subscriptions may have steps
		unread := *planned.Next
		unread.Unread = true
		planned.Next = &unread
	}
	return planned, err
}

// PlanTotals counts the steps that a run would make. Complete is false if more
// subscriptions are due than were counted.
type PlanTotals struct {
	Steps    map[Step]int
	Amount   Sum // sum of the payments to charge
	Complete bool
	Due      DayTotal // all payments due on the day; only set if Complete is false
}

// MaxPlanned is the maximum number of subscriptions that DryRunTotals reads.
const MaxPlanned = table.MaxLimit

// DryRunTotals counts the steps that a run of a job for a day would make now. It reads at
// most MaxPlanned subscriptions. If more are due, it sets Complete to false and, for
// payments, also returns the total that is due on that day.
func (a Access) DryRunTotals(ctx context.Context, job JobName, day time.Time) (PlanTotals, error) {
	planned, err := a.DryRun(ctx, job, day, Page{Limit: MaxPlanned, Partial: true})
	if err != nil {
		return PlanTotals{}, err
	}
	totals := PlanTotals{Steps: map[Step]int{}, Complete: planned.Next == nil}
	for i := range planned.Rows {
		p := &planned.Rows[i]
		totals.Steps[p.Step]++
		if p.Charges() {
			totals.Amount = totals.Amount.Plus(p.ChargeAmount().Sum())
		}
	}
	if totals.Complete || job != PaymentsJob {
		return totals, nil
	}
	due, err := a.Totals(ctx, TotalDue, DateRange{From: day, To: day})
	for _, t := range due {
		totals.Due.Count += t.Count
		totals.Due.Amount = totals.Due.Amount.Plus(t.Amount)
	}
	return totals, err
}
