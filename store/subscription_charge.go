package store

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
	"stockroom/store/table"
)

// RunContext is the job run or the user that charges a payment or sends a
// reminder.
type RunContext struct {
	Job   JobName
	Date  time.Time // the day of the run; zero if a user charges one payment
	Shard int
	By    string // "" is the program
	Once  string // the token of the user's form
}

func (s *Store) beginRunChange(ctx context.Context, run RunContext) (*change, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.token = cmp.Or(run.By, Program), run.Once
	return c, nil
}

// putResult writes the result of a subscription in a day's run. It replaces an
// earlier result of the same run without a condition, because the other writes
// of the transaction have one.
func (c *change) putResult(run RunContext, s *Subscription, outcome JobOutcome, amount Amount, why string) {
	c.putResultIf(run, s, outcome, amount, why, table.Condition{})
}

func (c *change) putResultIf(run RunContext, s *Subscription, outcome JobOutcome, amount Amount, why string, condition table.Condition) {
	if run.Date.IsZero() {
		return
	}
	c.Put(&JobResult{
		Job: run.Job, Date: run.Date, Shard: run.Shard, AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU,
		Outcome: outcome, Amount: amount, Why: why, When: c.store.now(), Expires: c.store.now().AddDate(0, 0, resultDays),
	}, condition)
}

// resultDays is how long job results are kept.
const resultDays = 90

// RecordAttempt records that a payment is about to be charged, before the
// payment processor is called, and returns the subscription with the attempt.
// It returns Conflict if the subscription has changed or the payment already
// has a receipt. The event is recorded with the outcome.
func (s *Store) RecordAttempt(ctx context.Context, before *Subscription, run RunContext) (*Subscription, error) {
	c, err := s.beginRunChange(ctx, run)
	if err != nil {
		return nil, err
	}
	c.token = "" // recorded with the outcome
	attempted := *before
	attempted.PendingAttempt = PaymentAttempt{Key: before.AttemptKey(), Amount: before.ChargeAmount(), At: s.now().UTC().Truncate(time.Second)}
	attempted.Version++
	c.Replace(&attempted, before.Version)
	c.CheckAbsent(attempted.receipt(Settings{}, "", time.Time{}))
	return &attempted, c.Commit(ctx)
}

// receipt returns the receipt of the pending attempt.
func (s *Subscription) receipt(settings Settings, reference string, now time.Time) *Receipt {
	return &Receipt{
		AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, DueDate: s.NextPaymentDate, Email: s.Email,
		ProcessedDate: now, ProcessedAmount: s.PendingAttempt.Amount, Reference: reference, Expires: settings.receiptEnd(now), Version: 1,
	}
}

// RecordPayment records that an attempt was paid: receipt, dates, totals and
// event, in one transaction. It keeps other changes of the subscription since
// the attempt. paid is false if the payment is already recorded.
func (s *Store) RecordPayment(ctx context.Context, attempted *Subscription, reference string, run RunContext) (paid bool, err error) {
	return s.settle(ctx, attempted, run, func(c *change, settings Settings, current *Subscription) {
		before := *current
		due := current.NextPaymentDate
		current.PendingAttempt = attempted.PendingAttempt
		receipt := current.receipt(settings, reference, c.store.now().UTC().Truncate(time.Second))
		c.Create(receipt)
		current.advance(settings, receipt.ProcessedDate)
		c.putResult(run, current, OutcomePaid, receipt.ProcessedAmount, "")
		c.addTotal(Tally{Kind: TotalPayments, At: receipt.ProcessedDate, ID: current.ID, Count: 1, Amount: receipt.ProcessedAmount})
		c.moveDue(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentTaken,
			Why:    fmt.Sprintf("%s for subscription %s, due %s", receipt.ProcessedAmount, current.ID, longDay(due)),
			Before: "next payment " + longDay(due), After: "next payment " + longDay(current.NextPaymentDate),
		})
	})
}

// advance moves to the next month's payment. It does not repeat a reminder that
// was already sent.
func (s *Subscription) advance(settings Settings, paid time.Time) {
	s.LastPaymentDate = paid
	s.NextPaymentDate = NextPayment(s.NextPaymentDate, s.PaymentDay)
	s.NextAttemptDate, s.Attempt, s.PendingAttempt = s.NextPaymentDate, 0, PaymentAttempt{}
	if reminder := settings.reminderOf(s.NextPaymentDate); reminder.After(s.NextReminderDate) {
		s.NextReminderDate = reminder
	}
	if s.Status == SubscriptionPastDue {
		s.Status = SubscriptionActive
	}
}

// RecordDecline records that an attempt was declined. It schedules a retry, or
// pauses the subscription after the last one.
func (s *Store) RecordDecline(ctx context.Context, attempted *Subscription, why string, run RunContext) (paused bool, err error) {
	_, err = s.settle(ctx, attempted, run, func(c *change, settings Settings, current *Subscription) {
		before := *current
		today := dayIn(c.store.now(), settings.Zone())
		if run.Date.After(today) {
			today = run.Date
		}
		current.Attempt++
		current.PendingAttempt = PaymentAttempt{}
		next, retry := nextAttempt(current.NextPaymentDate, today, current.Attempt)
		outcome, what, after := OutcomeDeclined, EventPaymentDeclined, "next attempt "+longDay(next)
		switch {
		case !current.Live(): // paused or cancelled during the attempt
			after = strings.ToLower(string(current.Status))
		case retry:
			current.Status, current.NextAttemptDate = SubscriptionPastDue, next
		default:
			current.Status, paused = SubscriptionPaused, true
			outcome, what, after = OutcomePaused, EventPaymentPaused, "paused"
		}
		c.moveDue(&before, current)
		c.putResult(run, current, outcome, attempted.PendingAttempt.Amount, why)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: what, After: after,
			Why: MaskCardNumbers(fmt.Sprintf("%s for subscription %s, due %s, attempt %d: %s",
				attempted.PendingAttempt.Amount, current.ID, longDay(current.NextPaymentDate), current.Attempt, why)),
		})
	})
	return paused, err
}

// DropAttempt removes an attempt that never reached the payment processor, of a
// subscription that was paused or cancelled since.
func (s *Store) DropAttempt(ctx context.Context, attempted *Subscription, run RunContext) error {
	_, err := s.settle(ctx, attempted, run, func(c *change, _ Settings, current *Subscription) {
		current.PendingAttempt = PaymentAttempt{}
		c.putResult(run, current, OutcomeDropped, attempted.PendingAttempt.Amount, "The attempt did not reach the payment processor.")
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentDropped,
			Why: "subscription " + current.ID + ": the attempt did not reach the payment processor",
		})
	})
	return err
}

// settle applies an outcome to the current version of the subscription, and
// retries on Conflict. settled is false if the attempt has another outcome
// already.
func (s *Store) settle(ctx context.Context, attempted *Subscription, run RunContext, outcome func(*change, Settings, *Subscription)) (settled bool, err error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return false, err
	}
	current := attempted
	for try := 1; ; try++ {
		next := *current
		next.Version++
		c, err := s.beginRunChange(ctx, run)
		if err != nil {
			return false, err
		}
		outcome(c, settings, &next)
		c.Replace(&next, current.Version)
		if err = c.Commit(ctx); KindOf(err) != Conflict || try == maxSettleTries {
			return err == nil, err
		}
		if current, err = s.subscription(ctx, attempted.AccountID, attempted.ID, attempted.SKU); err != nil {
			return false, err
		}
		if !current.NextPaymentDate.Equal(attempted.NextPaymentDate) || current.PendingAttempt.Key != attempted.PendingAttempt.Key {
			return false, nil
		}
	}
}

const maxSettleTries = 8

// SkipPaid moves to the next month if the payment has a receipt that the
// subscription does not reflect, as imported data may have.
func (s *Store) SkipPaid(ctx context.Context, sub *Subscription, run RunContext) (skipped bool, err error) {
	_, err = s.table.Get(ctx, getReceipt, key.Map{
		"accountID": sub.AccountID, "date": calendarDay(sub.NextPaymentDate), "sku": sub.SKU, "subscriptionID": sub.ID,
	}, true)
	if KindOf(err) == NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return s.settle(ctx, sub, run, func(c *change, settings Settings, current *Subscription) {
		before := *current
		current.advance(settings, current.LastPaymentDate)
		c.moveDue(&before, current)
		c.recordEvent(Event{
			Partition: accountPartition(current.AccountID), What: EventPaymentSkipped,
			Why: fmt.Sprintf("subscription %s already has a receipt for %s", current.ID, longDay(before.NextPaymentDate)),
		})
	})
}

// RecordFailure records why a run could not finish a subscription. It does not
// replace a result other than a failure, which another runner may have written.
func (s *Store) RecordFailure(ctx context.Context, sub *Subscription, outcome JobOutcome, why string, run RunContext) error {
	c, err := s.beginRunChange(ctx, run)
	if err != nil {
		return err
	}
	c.token = ""
	c.putResultIf(run, sub, outcome, sub.ChargeAmount(), why, table.Condition{
		Expression: "attribute_not_exists(#key) OR #outcome IN (:failed, :unknown)",
		Names:      map[string]string{"#key": table.AttrPK, "#outcome": "Outcome"},
		Values: Item{
			":failed":  &types.AttributeValueMemberS{Value: string(OutcomeFailed)},
			":unknown": &types.AttributeValueMemberS{Value: string(OutcomeUnknown)},
		},
	})
	if c.Len() == 0 {
		return nil
	}
	if err := c.Commit(ctx); KindOf(err) != Conflict {
		return err
	}
	return nil
}

// RecordReminder records that a reminder was sent, and schedules the next one.
// A reminder sent by a user does not change the schedule. It returns Conflict
// if the subscription has changed.
func (s *Store) RecordReminder(ctx context.Context, before *Subscription, run RunContext) error {
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	c, err := s.beginRunChange(ctx, run)
	if err != nil {
		return err
	}
	after := *before
	after.Version++
	after.LastReminderDate = s.now().UTC().Truncate(time.Second)
	due := before.NextPaymentDate
	if !run.Date.IsZero() {
		due = before.AnnouncedPayment()
		after.NextReminderDate = settings.reminderOf(NextPayment(due, before.PaymentDay))
	}
	c.Replace(&after, before.Version)
	c.putResult(run, &after, OutcomeReminded, before.PaymentAmount, "")
	c.recordEvent(Event{
		Partition: accountPartition(before.AccountID), What: EventReminderSent,
		Why: fmt.Sprintf("%s for subscription %s, due %s", before.PaymentAmount, before.ID, longDay(due)),
	})
	return c.Commit(ctx)
}
