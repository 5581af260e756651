package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// RunContext says for whom a payment is charged or a reminder is sent: for a run of a job,
// or for a user.
type RunContext struct {
	Job   JobName
	Date  time.Time // the day of the run; zero if a user retries a payment or resends a reminder
	Shard int
	By    string // user name; "" for the program
	Token string // form token of the user; otherwise ""

	Payment *GroupedPayment // not nil if the payment can be recorded together with others; see PaymentGroups
}

// runChange is a change by a run, or by a user who retries a payment or resends a
// reminder.
type runChange struct {
	*change
	run     RunContext
	earlier *JobResult // the result that this run has already stored for the subscription, or nil
	unpaid  bool       // the change fails if the payment has a receipt
}

func (s *Store) beginRunChange(ctx context.Context, run RunContext, earlier *JobResult) (*runChange, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.token = cmp.Or(run.By, Program), run.Token
	return &runChange{change: c, run: run, earlier: earlier}, nil
}

// putResult adds a write of the result of a subscription in a day's run, and updates the
// counts of the run. The result replaces the earlier result, also in the counts. The write
// fails if the earlier result has changed, so that each result counts only once. putResult
// does nothing if a user retries a payment or resends a reminder.
func (c *runChange) putResult(s *Subscription, outcome JobOutcome, amount Amount, why string) {
	if c.run.Date.IsZero() {
		return
	}
	result := c.run.result(s)
	result.Outcome, result.Amount, result.Why = outcome, amount, why
	c.putJobResult(result)
}

// putJobResult adds a write of a result with its outcome; see putResult.
func (c *runChange) putJobResult(result *JobResult) {
	result.When, result.Expires = c.store.now(), c.store.resultEnd()
	if c.earlier == nil {
		c.Create(result)
		c.addJobCounts(c.run.Job, c.run.Date, c.run.Shard, result.Counts())
		return
	}
	c.Put(result, table.Condition{
		Expression: "#outcome = :outcome",
		Names:      map[string]string{"#outcome": "Outcome"},
		Values:     Item{":outcome": table.StringValue(string(c.earlier.Outcome))},
	})
	c.addJobCounts(c.run.Job, c.run.Date, c.run.Shard, result.Counts().Minus(c.earlier.Counts()))
}

// result returns the JobResult of a subscription in the run, without an outcome.
func (run RunContext) result(s *Subscription) *JobResult {
	return &JobResult{Job: run.Job, Date: run.Date, Shard: run.Shard, AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, PlanName: s.PlanName}
}

// resultOf makes a consistent read of the result of a subscription in a run. It
// returns nil if there is none.
func (s *Store) resultOf(ctx context.Context, run RunContext, sub *Subscription) (*JobResult, error) {
	if run.Date.IsZero() {
		return nil, nil
	}
	return s.storedResult(ctx, run.result(sub))
}

// storedResult makes a consistent read of the result that is stored under the key of the
// given result. It returns nil if there is none.
func (s *Store) storedResult(ctx context.Context, result *JobResult) (*JobResult, error) {
	keys, err := Encode(result, 1)
	if err != nil {
		return nil, err
	}
	item, err := s.table.GetKey(ctx, table.KeyOf(keys))
	if err != nil || item == nil {
		return nil, err
	}
	return table.DecodeAs[*JobResult](schema, table.RowOf(item), nil)
}

// resultDays is the number of days that job results are kept.
const resultDays = 90

func (s *Store) resultEnd() time.Time { return s.now().AddDate(0, 0, resultDays) }

// RecordAttempt records an attempt before the payment service is called, and returns
// the subscription with the attempt. It returns Conflict if the subscription has
// changed or the payment already has a receipt. It does not store the form token,
// because the event of the outcome stores it.
//
// A payment that is recorded between the read of the receipt and the update changes
// the subscription, so that the update fails. If a response of the table was lost,
// the subscription may have the attempt despite a Conflict.
func (s *Store) RecordAttempt(ctx context.Context, before *Subscription, service Service, run RunContext) (*Subscription, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if paid, err := s.HasReceipt(ctx, before); err != nil {
		return nil, err
	} else if paid {
		return nil, errHasReceipt
	}
	attempted := *before
	attempted.PendingAttempt = PaymentAttempt{Key: before.AttemptKey(), Amount: before.ChargeAmount(), At: s.now().UTC().Truncate(time.Second), Service: service, Resumes: !before.Live()}
	attempted.Version++
	if run.Date.IsZero() { // if the outcome stays unknown, the next run must look it up
		attempted.NextAttemptDate = later(before.NextAttemptDate, dayIn(s.now(), settings.Zone()))
	}
	return &attempted, s.table.Update(ctx, before, &attempted, before.Version, settings.Shards)
}

// HasReceipt reports whether the next payment has a receipt, with a consistent read.
func (s *Store) HasReceipt(ctx context.Context, sub *Subscription) (bool, error) {
	_, err := s.table.Get(ctx, getReceipt, key.Map{
		"accountID": sub.AccountID, "date": calendarDay(sub.NextPaymentDate), "sku": sub.SKU, "subscriptionID": sub.ID,
	}, true)
	if KindOf(err) == NotFound {
		return false, nil
	}
	return err == nil, err
}

var errHasReceipt = fail(Conflict, "This payment already has a receipt.")

// receiptKey returns a receipt that contains only the key of the receipt of the next payment.
func (s *Subscription) receiptKey() *Receipt {
	return &Receipt{AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, DueDate: s.NextPaymentDate}
}

func (s *Subscription) receipt(settings Settings, reference string, now time.Time) *Receipt {
	return &Receipt{
		AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, PlanName: s.PlanName, DueDate: s.NextPaymentDate, Email: s.Email,
		ProcessedDate: now, ProcessedAmount: s.PendingAttempt.Amount, Reference: reference, Expires: settings.receiptEnd(now), Version: 1,
	}
}

// RecordPayment records that an attempt was successful. One transaction writes the
// receipt, the next dates, the sums and the event; see setEvent. Changes of the
// subscription since the attempt are kept. If a user retried the payment of a paused
// subscription, the subscription becomes active. paid is false if the payment was
// already recorded, or if the due date has another receipt; see recordSecondPayment.
func (s *Store) RecordPayment(ctx context.Context, attempted *Subscription, reference string, run RunContext) (paid bool, err error) {
	paid, err = s.recordPayment(ctx, attempted, reference, run)
	if !errors.Is(err, errHasReceipt) {
		return paid, err
	}
	return false, s.recordSecondPayment(ctx, attempted, reference, run)
}

// recordPayment records a payment on the condition that its due date has no receipt.
// Otherwise, it returns errHasReceipt.
func (s *Store) recordPayment(ctx context.Context, attempted *Subscription, reference string, run RunContext) (paid bool, err error) {
	return s.settle(ctx, attempted, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		current.PendingAttempt = attempted.PendingAttempt
		receipt := current.receipt(settings, reference, c.store.now().UTC().Truncate(time.Second))
		current.resumeAfter(attempted.PendingAttempt)
		current.advancePast(settings, receipt.ProcessedDate, dayIn(c.store.now(), settings.Zone()))
		c.putResult(current, OutcomePaid, receipt.ProcessedAmount, "")
		c.addTotal(receipt.tally())
		c.moveTotals(&before, current)
		c.gatherTotals(&before, current, receipt)
		c.setEvent(receipt, &before, current)
		c.Create(receipt)
		c.unpaid = true
	})
}

// recordSecondPayment records that an attempt was successful although its due date has a
// receipt, which an import can add during the attempt. The customer may have paid twice, so
// the event contains the amount and the reference. The run counts the payment as paid. The
// totals of payments do not change, because they are the sums of the receipts. The next
// dates move as in SkipPaid. If a user retried the payment of a paused subscription, the
// subscription becomes active.
func (s *Store) recordSecondPayment(ctx context.Context, attempted *Subscription, reference string, run RunContext) error {
	_, err := s.settle(ctx, attempted, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		now := c.store.now().UTC().Truncate(time.Second)
		today := dayIn(now, settings.Zone())
		current.resumeAfter(attempted.PendingAttempt)
		current.advanceTo(settings, now, today, today)
		charged := attempted.PendingAttempt.Amount
		c.putResult(current, OutcomePaid, charged, "The payment already had a receipt. The customer may have paid twice.")
		c.moveTotals(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentTaken,
			Why: MaskCardNumbers(fmt.Sprintf("%s; this payment already had a receipt, reference of the charge: %s",
				chargeText(charged, current.ID, before.NextPaymentDate), reference)),
			Before: "next payment " + longDay(before.NextPaymentDate), After: "next payment " + longDay(current.NextPaymentDate),
			Values: eventValues(chargeState.values(&before, current, current.part())...),
		})
	})
	return err
}

// resumeAfter makes a paused subscription active if a user retried its payment. attempt is
// the successful attempt.
func (s *Subscription) resumeAfter(attempt PaymentAttempt) {
	if attempt.Resumes && s.Status == SubscriptionPaused {
		s.Status = SubscriptionActive
	}
}

// setEvent records the event of a payment. However, if a run charged the payment, and only
// the dates of the subscription change, setEvent stores these dates in the receipt instead.
// This saves write units.
func (c *runChange) setEvent(receipt *Receipt, before, after *Subscription) {
	receipt.PreviousPaymentDate = before.LastPaymentDate
	onTime := before.Status == after.Status && before.Attempt == 0 && before.NextAttemptDate.Equal(before.NextPaymentDate)
	if onTime && !c.run.Date.IsZero() {
		receipt.NextPaymentDate = after.NextPaymentDate
		return
	}
	c.recordEvent(receipt.eventOf(before, after))
}

// advanceTo moves the dates to the next payment that is due on or after the argument first.
// Payments before this day are never charged. A reminder that was already sent for the next
// payment is not sent again. A reminder whose day has passed moves to today.
func (s *Subscription) advanceTo(settings Settings, paid, first, today time.Time) {
	s.LastPaymentDate = paid
	s.NextPaymentDate = later(NextPayment(s.NextPaymentDate, s.PaymentDay), FirstPayment(first, s.PaymentDay))
	s.NextAttemptDate, s.Attempt, s.PendingAttempt = s.NextPaymentDate, 0, PaymentAttempt{}
	s.NextReminderDate = later(later(s.NextReminderDate, settings.reminderOf(s.NextPaymentDate)), today)
	if s.Status == SubscriptionPastDue {
		s.Status = SubscriptionActive
	}
}

// advancePast moves the dates to the first payment after today.
func (s *Subscription) advancePast(settings Settings, paid, today time.Time) {
	s.advanceTo(settings, paid, today.AddDate(0, 0, 1), today)
}

// SkipLate skips a late payment: it charges nothing and moves the dates to the first
// payment after today. skipped is false if the payment is already settled, or if a user has
// changed the status or the end of the subscription; see settle.
func (s *Store) SkipLate(ctx context.Context, late *Subscription, run RunContext) (skipped bool, err error) {
	return s.settle(ctx, late, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		current.advancePast(settings, current.LastPaymentDate, dayIn(c.store.now(), settings.Zone()))
		c.putResult(current, OutcomeSkipped, Amount{}, "")
		c.moveTotals(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentSkipped,
			Why:    fmt.Sprintf("subscription %s, due %s: more than %d days late", current.ID, longDay(before.NextPaymentDate), DaysUntilLate),
			Before: "next payment " + longDay(before.NextPaymentDate), After: "next payment " + longDay(current.NextPaymentDate),
			Values: stateValues(&before, current),
		})
	})
}

// End cancels a subscription at the end of its period. ended is false if the next payment
// or the status has changed, or if the subscription no longer ends; see settle.
func (s *Store) End(ctx context.Context, ending *Subscription, run RunContext) (ended bool, err error) {
	return s.settle(ctx, ending, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		current.cancel(dayIn(c.store.now(), settings.Zone()))
		c.putResult(current, OutcomeSkipped, Amount{}, "The subscription was cancelled at the end of its period.")
		c.moveTotals(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventSubscriptionCancelled,
			Why: "subscription " + current.ID + ": end of its period", Before: string(before.Status), After: string(current.Status),
			Values: stateValues(&before, current),
		})
	})
}

// RecordDecline records that an attempt was declined. It schedules the next retry, or
// pauses the subscription after the last retry, and returns OutcomeDeclined or
// OutcomePaused. If the decline causes a dunning email, the same transaction queues the
// email. If the payment has a receipt, for example after an import, RecordDecline skips the
// payment instead and returns OutcomeSkipped.
func (s *Store) RecordDecline(ctx context.Context, attempted *Subscription, why string, run RunContext) (JobOutcome, error) {
	outcome, err := s.recordDecline(ctx, attempted, why, run)
	if !errors.Is(err, errHasReceipt) {
		return outcome, err
	}
	_, err = s.SkipPaid(ctx, attempted, run)
	return OutcomeSkipped, err
}

// recordDecline records a decline on the condition that the payment has no receipt.
// Otherwise, it returns errHasReceipt.
func (s *Store) recordDecline(ctx context.Context, attempted *Subscription, why string, run RunContext) (outcome JobOutcome, err error) {
	_, err = s.settle(ctx, attempted, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		today := dayIn(c.store.now(), settings.Zone())
		if run.Date.After(today) {
			today = run.Date
		}
		current.Attempt++
		current.PendingAttempt = PaymentAttempt{}
		next, retry := settings.NextAttempt(current.NextPaymentDate, today, current.Attempt)
		what, after := EventPaymentDeclined, "next attempt "+longDay(next)
		outcome = OutcomeDeclined // settle may call this function several times
		switch {
		case !current.Live(): // a user has paused or cancelled the subscription during the charge
			after = strings.ToLower(string(current.Status))
		case retry:
			current.Status, current.NextAttemptDate = SubscriptionPastDue, next
		default:
			current.Status = SubscriptionPaused
			outcome, what, after = OutcomePaused, EventPaymentPaused, "paused"
		}
		c.CheckAbsent(before.receiptKey())
		c.unpaid = true
		c.moveTotals(&before, current)
		if kind := before.dunningEmail(settings, current); kind != "" {
			c.queueDunningEmail(kind, settings, current, attempted.PendingAttempt.Amount)
		}
		c.putResult(current, outcome, attempted.PendingAttempt.Amount, why)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: what, After: after, Values: stateValues(&before, current),
			Why: MaskCardNumbers(fmt.Sprintf("%s, attempt %d: %s",
				chargeText(attempted.PendingAttempt.Amount, current.ID, current.NextPaymentDate), current.Attempt, why)),
		})
	})
	return outcome, err
}

// DropAttempt removes an attempt that never reached the payment service. Use it if
// the subscription was paused or cancelled during the attempt.
func (s *Store) DropAttempt(ctx context.Context, attempted *Subscription, run RunContext) error {
	_, err := s.settle(ctx, attempted, run, func(c *runChange, _ Settings, current *Subscription) {
		current.PendingAttempt = PaymentAttempt{}
		c.putResult(current, OutcomeDropped, attempted.PendingAttempt.Amount, "The attempt did not reach the payment service.")
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentDropped,
			Why: "subscription " + current.ID + ": the attempt did not reach the payment service",
		})
	})
	return err
}

// settle applies the outcome of an attempt to the current subscription. It retries on
// Conflict. The first try assumes that the run has not stored a result for the
// subscription. Later tries read the result. settled is false if the outcome of the attempt
// is already recorded. Without a pending attempt, settled is also false if a user has
// changed the status or the end of the subscription since it was read. If the change fails
// because of a receipt (see runChange.unpaid), settle returns errHasReceipt.
func (s *Store) settle(ctx context.Context, attempted *Subscription, run RunContext, outcome func(*runChange, Settings, *Subscription)) (settled bool, err error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return false, err
	}
	current := attempted
	var earlier *JobResult
	for try := 1; ; try++ {
		next := *current
		next.Version++
		c, err := s.beginRunChange(ctx, run, earlier)
		if err != nil {
			return false, err
		}
		outcome(c, settings, &next)
		c.Replace(&next, current.Version)
		if err = c.commitInGroup(ctx, settings); KindOf(err) != Conflict || try == maxSettleTries {
			return err == nil, err
		}
		if current, err = s.subscription(ctx, attempted.AccountID, attempted.ID, attempted.SKU); err != nil {
			return false, err
		}
		if !current.NextPaymentDate.Equal(attempted.NextPaymentDate) || current.PendingAttempt.Key != attempted.PendingAttempt.Key {
			return false, nil
		}
		if attempted.PendingAttempt.Key == "" && (current.Status != attempted.Status || current.Ending != attempted.Ending) {
			return false, nil
		}
		if c.unpaid {
			if has, err := s.HasReceipt(ctx, attempted); err != nil {
				return false, err
			} else if has {
				return false, errHasReceipt
			}
		}
		if earlier, err = s.resultOf(ctx, run, attempted); err != nil {
			return false, err
		}
	}
}

const maxSettleTries = 8

// SkipPaid skips a payment that already has a receipt, for example after an import.
// It moves the dates to the first payment that is due today or later.
func (s *Store) SkipPaid(ctx context.Context, sub *Subscription, run RunContext) (skipped bool, err error) {
	if paid, err := s.HasReceipt(ctx, sub); err != nil || !paid {
		return false, err
	}
	return s.settle(ctx, sub, run, func(c *runChange, settings Settings, current *Subscription) {
		before := *current
		today := dayIn(c.store.now(), settings.Zone())
		current.advanceTo(settings, current.LastPaymentDate, today, today)
		c.putResult(current, OutcomeSkipped, Amount{}, "The payment already has a receipt.")
		c.moveTotals(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentSkipped,
			Why:    fmt.Sprintf("subscription %s already has a receipt for %s", current.ID, longDay(before.NextPaymentDate)),
			Before: "next payment " + longDay(before.NextPaymentDate), After: "next payment " + longDay(current.NextPaymentDate),
			Values: stateValues(&before, current),
		})
	})
}

// RecordFailure records why a run could not process a subscription. outcome is
// OutcomeFailed or OutcomeUnknown. RecordFailure replaces only results with these two
// outcomes. It does nothing if a user retries a payment.
func (s *Store) RecordFailure(ctx context.Context, sub *Subscription, outcome JobOutcome, why string, run RunContext) error {
	if run.Date.IsZero() {
		return nil
	}
	for try := 1; ; try++ {
		earlier, err := s.resultOf(ctx, run, sub)
		if err != nil || earlier != nil && earlier.Outcome != OutcomeFailed && earlier.Outcome != OutcomeUnknown {
			return err
		}
		c, err := s.beginRunChange(ctx, run, earlier)
		if err != nil {
			return err
		}
		c.putResult(sub, outcome, sub.ChargeAmount(), why)
		if err := c.Commit(ctx); KindOf(err) != Conflict || try == maxSettleTries {
			return err
		}
	}
}

// QueueReminder queues the reminder of a payment, and schedules the next one. If a
// user sends the reminder, the schedule does not change. It returns Invalid if the
// subscription has no email address, and Conflict if the subscription has changed.
func (s *Store) QueueReminder(ctx context.Context, before *Subscription, run RunContext) error {
	if before.Email == "" {
		return fail(Invalid, "This subscription has no email address. Add one to send reminders.")
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	err = s.queueReminder(ctx, settings, before, run, nil)
	if KindOf(err) != Conflict {
		return err
	}
	earlier, errResult := s.resultOf(ctx, run, before)
	switch {
	case errResult != nil:
		return errResult
	case earlier == nil:
		return err
	}
	return s.queueReminder(ctx, settings, before, run, earlier)
}

func (s *Store) queueReminder(ctx context.Context, settings Settings, before *Subscription, run RunContext, earlier *JobResult) error {
	c, err := s.beginRunChange(ctx, run, earlier)
	if err != nil {
		return err
	}
	after := *before
	after.Version++
	after.LastReminderDate = s.now().UTC().Truncate(time.Second)
	due := before.NextPaymentDate
	if !run.Date.IsZero() {
		due = before.AnnouncedPayment()
		next := settings.reminderOf(NextPayment(due, before.PaymentDay))
		after.NextReminderDate = later(next, dayIn(s.now(), settings.Zone()))
	}
	c.Replace(&after, before.Version)
	c.putResult(&after, OutcomeReminded, before.PaymentAmount, "")
	c.recordEvent(Event{
		Partition: accountPartition(before.AccountID), What: EventReminderCreated,
		Why: chargeText(before.PaymentAmount, before.ID, due),
	})
	c.queueEmail(Email{
		Kind: EmailReminder, To: before.Email, CustomerID: before.AccountID, Record: accountPartition(before.AccountID),
		Payment: before.emailPayment(settings.Currency, before.PaymentAmount, due),
	})
	return c.Commit(ctx)
}
