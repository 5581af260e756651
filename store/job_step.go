package store

import (
	"context"
	"slices"
	"time"
)

// KeyLife is how long a payment processor is sure to know an attempt by its
// key. What is still unknown after that is looked up, never asked for blindly.
const KeyLife = 24 * time.Hour

// Step is what a daily job does next with a subscription.
type Step string

// The steps; "" is none, because nothing is due.
const (
	StepTake   Step = "TAKE"    // ask for the payment
	StepRepeat Step = "REPEAT"  // ask again for an attempt, with the same key
	StepLookUp Step = "LOOK_UP" // find out what became of an attempt
	StepRemind Step = "REMIND"  // send the reminder
)

// Step is what a job does next with the subscription, in a day's run or, where
// the day is zero, because a person asks for it. Runs and rehearsals both go
// by it.
func (s *Subscription) Step(job JobName, day, now time.Time) Step {
	switch {
	case !day.IsZero() && !s.DueOn(job).Equal(day):
		return ""
	case job == RemindersJob && s.Live():
		return StepRemind
	case job == RemindersJob:
		return ""
	case s.Asked.Key == "" && s.Live():
		return StepTake
	case s.Asked.Key == "":
		return ""
	case s.Live() && now.Sub(s.Asked.At) < KeyLife:
		return StepRepeat
	}
	return StepLookUp
}

// Asking is the amount of the payment that a run asks for: that of an attempt
// whose outcome is not known, whatever the subscription costs by now.
func (s *Subscription) Asking() Amount {
	if s.Asked.Key != "" {
		return s.Asked.Amount
	}
	return s.PaymentAmount
}

// Planned is what a run would do with one subscription.
type Planned struct {
	Subscription
	Step Step
}

// Rehearse lists what a job's run for a day would do now, account by account,
// and changes nothing.
func (a Access) Rehearse(ctx context.Context, job JobName, day time.Time, page Page) (List[Planned], error) {
	due, err := a.Due(ctx, job, []time.Time{day}, page)
	planned := List[Planned]{Prev: due.Prev, Next: due.Next}
	for i := range due.Rows {
		planned.Rows = append(planned.Rows, Planned{due.Rows[i], due.Rows[i].Step(job, day, a.store.now())})
	}
	planned.Rows = slices.DeleteFunc(planned.Rows, func(p Planned) bool { return p.Step == "" })
	return planned, err
}
