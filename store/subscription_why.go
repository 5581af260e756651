package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
)

// ChargeReason says why a subscription is charged on a day, or why not.
type ChargeReason string

// The reasons for days in the past and today. Most of them are outcomes of job
// results.
const (
	ReasonPaid     ChargeReason = ChargeReason(OutcomePaid)
	ReasonDeclined ChargeReason = ChargeReason(OutcomeDeclined)
	ReasonPaused   ChargeReason = ChargeReason(OutcomePaused) // declined for the last time, and paused
	ReasonSkipped  ChargeReason = ChargeReason(OutcomeSkipped)
	ReasonDropped  ChargeReason = ChargeReason(OutcomeDropped)
	ReasonUnknown  ChargeReason = ChargeReason(OutcomeUnknown)
	ReasonFailed   ChargeReason = ChargeReason(OutcomeFailed)
	ReasonNoRecord ChargeReason = "NO_RECORD" // no run of this day has a result for the subscription
	ReasonTooOld   ChargeReason = "TOO_OLD"   // the results of this day are deleted
	ReasonOtherDay ChargeReason = "OTHER_DAY" // the payment was due on this day and charged on another one
)

// The reasons for today and days in the future.
const (
	ReasonDue       ChargeReason = "DUE"        // the payment is due
	ReasonBehind    ChargeReason = "BEHIND"     // the payment was due on an earlier day and is still open
	ReasonRetry     ChargeReason = "RETRY"      // the declined payment is retried
	ReasonRepeat    ChargeReason = "REPEAT"     // an attempt with an unknown outcome is repeated or looked up
	ReasonLate      ChargeReason = "LATE"       // the payment is late, and the settings say that late payments are skipped
	ReasonEnds      ChargeReason = "ENDS"       // the subscription is cancelled on this day
	ReasonNotDue    ChargeReason = "NOT_DUE"    // the next payment is due on another day
	ReasonNotActive ChargeReason = "NOT_ACTIVE" // the subscription is paused or cancelled
)

// ChargeAnswer says whether and why a subscription is charged on a day.
type ChargeAnswer struct {
	Day     time.Time
	Reason  ChargeReason
	Charges bool       // the payment was or will be charged
	Amount  Amount     // amount of the payment, if it was attempted or will be charged
	Due     time.Time  // due day of the payment, or zero if it is unknown; for ReasonNotDue, the next day of an attempt
	Charged time.Time  `json:",omitzero"`  // for ReasonOtherDay, the day of the charge
	Result  *JobResult `json:",omitempty"` // what the run of the day did, or nil
	Events  []Event    // changes of the subscription on the day, newest first
}

// whyDays is the maximum number of days from today to a day in the future.
const whyDays = 366

// whyEvents is the number of an account's newest events in which WhyCharged looks for
// changes on the day.
const whyEvents = 200

// WhyCharged says whether and why the payments job charged a subscription on a day, or will
// charge it. For a past day, the answer is the result of the day's run. Without a result,
// it is the receipt of a payment that was due or charged on the day. For later days, and
// for today if there is no result yet, the answer is a forecast. It assumes that nothing
// else changes and that all payments until then succeed. WhyCharged returns NotFound, or
// Invalid for a day more than a year ahead.
func (a Access) WhyCharged(ctx context.Context, accountID, id, sku string, day time.Time) (*ChargeAnswer, error) {
	s, err := a.Subscription(ctx, accountID, id, sku)
	if err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	today := dayIn(a.store.now(), settings.Zone())
	if daysBetween(today, day) > whyDays {
		return nil, InvalidField("day", "Enter a day within a year from today.")
	}
	answer := s.forecast(settings, today, day)
	if !day.After(today) {
		result, err := a.store.dayResult(ctx, settings, s, day)
		if err != nil {
			return nil, err
		}
		answer = s.recorded(answer, result, today)
		switch {
		case result != nil:
			err = a.store.addDue(ctx, settings, s, &answer)
		case day.Before(today):
			err = a.store.addReceipt(ctx, settings, s, &answer)
		}
		if err != nil {
			return nil, err
		}
	}
	events, err := a.EventsOfAccount(ctx, accountID, Page{Limit: whyEvents})
	if err != nil {
		return nil, err
	}
	answer.Events = slices.DeleteFunc(events.Rows, func(e Event) bool {
		return !dayIn(e.When, settings.Zone()).Equal(day) || !slices.Contains(strings.Fields(strings.NewReplacer(",", " ", ":", " ").Replace(e.Why)), id)
	})
	answer.addDeclined()
	return &answer, nil
}

// addDeclined changes the reason if no result of the day's run is stored, but an event of
// the day says that the payment was declined. This is possible because a user can retry a
// payment, and because results are deleted earlier than events.
func (answer *ChargeAnswer) addDeclined() {
	if answer.Reason != ReasonNoRecord && answer.Reason != ReasonTooOld {
		return
	}
	for i := range answer.Events {
		switch answer.Events[i].What {
		case EventPaymentDeclined:
			answer.Reason = ReasonDeclined
			return
		case EventPaymentPaused:
			answer.Reason = ReasonPaused
			return
		}
	}
}

// dayResult returns what the payment run of a day did with the subscription, or nil.
func (s *Store) dayResult(ctx context.Context, settings Settings, sub *Subscription, day time.Time) (*JobResult, error) {
	shard, err := strconv.Atoi(key.Shard(sub.ID, settings.Shards))
	if err != nil {
		return nil, err
	}
	return s.resultOf(ctx, RunContext{Job: PaymentsJob, Date: day, Shard: shard}, sub)
}

// addDue adds the due day of the payment to an answer with a result. A result does not
// contain this day, which differs from the day of the run if the payment was retried. If the
// payment is still open, it is the subscription's next payment. If it was paid, the receipt
// contains the day. Otherwise, the day remains unknown.
func (s *Store) addDue(ctx context.Context, settings Settings, sub *Subscription, answer *ChargeAnswer) error {
	if !answer.Charges && !sub.NextPaymentDate.After(answer.Day) {
		answer.Due = sub.NextPaymentDate
		return nil
	}
	paid := ChargeAnswer{Day: answer.Day}
	err := s.addReceipt(ctx, settings, sub, &paid)
	answer.Due = paid.Due
	return err
}

// addReceipt adds to the answer the receipt of the payment that was due on the day. If
// there is none, it adds the receipt of a payment that was charged on the day. A day can
// have a receipt but no result, because receipts can be kept longer.
func (s *Store) addReceipt(ctx context.Context, settings Settings, sub *Subscription, answer *ChargeAnswer) error {
	r, err := readConsistently[*Receipt](ctx, s, getReceipt, key.Map{
		"accountID": sub.AccountID, "date": calendarDay(answer.Day), "sku": sub.SKU, "subscriptionID": sub.ID,
	})
	if KindOf(err) == NotFound || err == nil && r.expired(s.now()) {
		return s.addChargedReceipt(ctx, settings, sub, answer)
	}
	if err != nil {
		return err
	}
	answer.Reason, answer.Charges, answer.Amount, answer.Due = ReasonPaid, true, r.ProcessedAmount, answer.Day
	if charged := dayIn(r.ProcessedDate, settings.Zone()); !charged.Equal(answer.Day) {
		answer.Reason, answer.Charges, answer.Charged = ReasonOtherDay, false, charged
	}
	return nil
}

// whyReceipts is the number of an account's latest receipts in which WhyCharged looks for a
// payment that was not charged on its due day.
const whyReceipts = MaxLimit

// addChargedReceipt adds the receipt of a payment that was charged on the day and due on
// another one. It searches the whyReceipts receipts with the latest due days.
func (s *Store) addChargedReceipt(ctx context.Context, settings Settings, sub *Subscription, answer *ChargeAnswer) error {
	receipts, err := s.As(&User{Role: Viewer}).ReceiptsOfAccount(ctx, sub.AccountID, Page{Limit: whyReceipts})
	for i := range receipts.Rows {
		if r := &receipts.Rows[i]; r.SubscriptionID == sub.ID && r.SKU == sub.SKU && dayIn(r.ProcessedDate, settings.Zone()).Equal(answer.Day) {
			answer.Reason, answer.Charges, answer.Amount, answer.Due = ReasonPaid, true, r.ProcessedAmount, r.DueDate
		}
	}
	return err
}

// recorded returns the answer for a day in the past or today. planned is the forecast for
// the day.
func (s *Subscription) recorded(planned ChargeAnswer, result *JobResult, today time.Time) ChargeAnswer {
	switch {
	case result != nil:
		return ChargeAnswer{
			Day: planned.Day, Reason: ChargeReason(result.Outcome), Charges: result.Outcome == OutcomePaid, Amount: result.Amount, Result: result,
		}
	case planned.Day.Equal(today):
		return planned
	case planned.Day.AddDate(0, 0, resultDays).Before(today):
		return ChargeAnswer{Day: planned.Day, Reason: ReasonTooOld}
	}
	return ChargeAnswer{Day: planned.Day, Reason: ReasonNoRecord}
}

// forecast says what the payment run of a day will do. It applies Step to each due day from
// today until that day, and assumes that the payments before that day succeed. If the day
// is in the past, only the field Day of the result is valid.
func (s *Subscription) forecast(settings Settings, today, day time.Time) ChargeAnswer {
	next := *s
	for {
		due := next.NextAttemptDate
		noon := later(today, due).Add(12 * time.Hour)
		step := next.Step(settings, PaymentsJob, due, noon)
		answer := ChargeAnswer{Day: day, Due: next.NextPaymentDate}
		switch {
		case step == "":
			answer.Reason = ReasonNotActive
			return answer
		case due.After(day):
			answer.Reason, answer.Due = ReasonNotDue, due
			return answer
		case due.Equal(day) || due.Before(today) && day.Equal(today):
			answer.Reason, answer.Charges = reasonOf(step, &next, due.Before(today))
			if answer.Charges {
				answer.Amount = next.ChargeAmount()
			}
			return answer
		case step == StepEnd:
			answer.Reason = ReasonNotActive
			return answer
		}
		next.PendingAttempt = PaymentAttempt{}
		next.advancePast(settings, noon, later(today, due))
	}
}

// reasonOf returns the reason for a step, and whether the step charges a payment.
func reasonOf(step Step, s *Subscription, behind bool) (reason ChargeReason, charges bool) {
	switch {
	case step == StepEnd:
		return ReasonEnds, false
	case step == StepSkip:
		return ReasonLate, false
	case step == StepRepeat || step == StepLookUp:
		return ReasonRepeat, step == StepRepeat
	case behind:
		return ReasonBehind, true
	case s.Attempt > 0:
		return ReasonRetry, true
	}
	return ReasonDue, true
}
