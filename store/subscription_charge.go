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

// Doing is who takes a payment or sends a reminder, and in which day's run.
type Doing struct {
	Job   JobName
	Date  time.Time // the day whose work it is; zero outside a run, as where a person asks for one payment
	Shard int
	By    string // "" is the program
	Once  string // the token of the form that asked for it
}

// begin begins a change of a run.
func (s *Store) begin(ctx context.Context, d Doing) (*change, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.token = cmp.Or(d.By, Program), d.Once
	return c, nil
}

// result notes what came of a subscription in a day's run. What was noted of
// it before in the same run is out of date and gives way, so the note has no
// condition: beside a change it moves only where the change does. A failure,
// which stands alone, gets one.
func (c *change) result(d Doing, s *Subscription, outcome JobOutcome, amount Amount, why string) {
	c.resultIf(d, s, outcome, amount, why, table.Condition{})
}

func (c *change) resultIf(d Doing, s *Subscription, outcome JobOutcome, amount Amount, why string, condition table.Condition) {
	if d.Date.IsZero() {
		return
	}
	c.Put(&JobResult{
		Job: d.Job, Date: d.Date, Shard: d.Shard, AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU,
		Outcome: outcome, Amount: amount, Why: why, When: c.store.now(), Expires: c.store.now().AddDate(0, 0, resultDays),
	}, condition)
}

// resultDays is how long results of runs are kept.
const resultDays = 90

// RecordAttempt notes that the processor is about to be asked for the
// payment of a subscription as it was seen, and returns the subscription with
// the attempt. It fails with Conflict where somebody changed it meanwhile, and
// where a receipt says that this payment was taken.
//
// It tells no event: what becomes of the attempt does.
func (s *Store) RecordAttempt(ctx context.Context, seen *Subscription, d Doing) (*Subscription, error) {
	c, err := s.begin(ctx, d)
	if err != nil {
		return nil, err
	}
	c.token = "" // the token is told with the outcome
	asked := *seen
	asked.Asked = Asked{Key: seen.AttemptKey(), Amount: seen.Asking(), At: s.now().UTC().Truncate(time.Second)}
	asked.Version++
	c.Replace(&asked, seen.Version)
	c.CheckAbsent(asked.receipt(Settings{}, "", time.Time{}))
	return &asked, c.Commit(ctx)
}

// receipt is the receipt of the subscription's next payment.
func (s *Subscription) receipt(settings Settings, reference string, now time.Time) *Receipt {
	return &Receipt{
		AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, DueDate: s.NextPaymentDate, Email: s.Email,
		ProcessedDate: now, ProcessedAmount: s.Asked.Amount, Reference: reference, Expires: settings.receiptEnd(now), Version: 1,
	}
}

// RecordPayment notes that the attempt was paid: receipt, dates, totals and
// event in one transaction. What changed of the subscription meanwhile stays;
// paid is false where this payment was noted before.
func (s *Store) RecordPayment(ctx context.Context, asked *Subscription, reference string, d Doing) (paid bool, err error) {
	return s.settle(ctx, asked, d, func(c *change, settings Settings, now *Subscription) {
		was := *now
		due := now.NextPaymentDate
		now.Asked = asked.Asked
		receipt := now.receipt(settings, reference, c.store.now().UTC().Truncate(time.Second))
		c.Create(receipt)
		now.moveOn(settings, receipt.ProcessedDate)
		c.result(d, now, OutcomePaid, receipt.ProcessedAmount, "")
		c.addTotal(Tally{Kind: TotalPayments, At: receipt.ProcessedDate, ID: now.ID, Count: 1, Amount: receipt.ProcessedAmount})
		c.expect(&was, now)
		c.recordEvent(Event{
			Partition: accountPartition(now.AccountID), What: "payment taken",
			Why:    fmt.Sprintf("%s of subscription %s, due %s", receipt.ProcessedAmount, now.ID, calendarDay(due)),
			Before: "next payment " + calendarDay(due), After: "next payment " + calendarDay(now.NextPaymentDate),
		})
	})
}

// moveOn goes on to the payment of the next month. A reminder for it that went
// out already is not sent again.
func (s *Subscription) moveOn(settings Settings, paid time.Time) {
	s.LastPaymentDate = paid
	s.NextPaymentDate = NextPayment(s.NextPaymentDate, s.PaymentDay)
	s.NextAttemptDate, s.Attempt, s.Asked = s.NextPaymentDate, 0, Asked{}
	if reminder := settings.reminderOf(s.NextPaymentDate); reminder.After(s.NextReminderDate) {
		s.NextReminderDate = reminder
	}
	if s.Status == SubscriptionPastDue {
		s.Status = SubscriptionActive
	}
}

// RecordDecline notes that the attempt was declined: it is tried again some
// days later, or the subscription is paused.
func (s *Store) RecordDecline(ctx context.Context, asked *Subscription, why string, d Doing) (paused bool, err error) {
	_, err = s.settle(ctx, asked, d, func(c *change, settings Settings, now *Subscription) {
		was := *now
		today := dayIn(c.store.now(), settings.Zone())
		if d.Date.After(today) {
			today = d.Date
		}
		now.Attempt++
		now.Asked = Asked{}
		next, again := nextAttempt(now.NextPaymentDate, today, now.Attempt)
		outcome, what, after := OutcomeDeclined, "payment declined", "next attempt "+calendarDay(next)
		switch {
		case !now.Live(): // paused or cancelled while the processor was asked
			after = strings.ToLower(string(now.Status))
		case again:
			now.Status, now.NextAttemptDate = SubscriptionPastDue, next
		default:
			now.Status, paused = SubscriptionPaused, true
			outcome, what, after = OutcomePaused, "payment declined, subscription paused", "paused"
		}
		c.expect(&was, now)
		c.result(d, now, outcome, asked.Asked.Amount, why)
		c.recordEvent(Event{
			Partition: accountPartition(now.AccountID), What: what, After: after,
			Why: MaskCardNumbers(fmt.Sprintf("%s of subscription %s, due %s, attempt %d: %s", asked.Asked.Amount, now.ID, calendarDay(now.NextPaymentDate), now.Attempt, why)),
		})
	})
	return paused, err
}

// DropAttempt takes back an attempt that never reached the processor, of a
// subscription that nobody pays for any more.
func (s *Store) DropAttempt(ctx context.Context, asked *Subscription, d Doing) error {
	_, err := s.settle(ctx, asked, d, func(c *change, _ Settings, now *Subscription) {
		now.Asked = Asked{}
		c.result(d, now, OutcomeDropped, asked.Asked.Amount, "the processor was never asked")
		c.recordEvent(Event{Partition: accountPartition(now.AccountID), What: "payment dropped", Why: "of subscription " + now.ID + ": the processor was never asked"})
	})
	return err
}

// settle makes the change that an outcome asks for, of the subscription as it
// is by then, as long as it still waits for the outcome of that payment.
func (s *Store) settle(ctx context.Context, asked *Subscription, d Doing, outcome func(*change, Settings, *Subscription)) (settled bool, err error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return false, err
	}
	now := asked
	for try := 1; ; try++ {
		next := *now
		next.Version++
		c, err := s.begin(ctx, d)
		if err != nil {
			return false, err
		}
		outcome(c, settings, &next)
		c.Replace(&next, now.Version)
		if err = c.Commit(ctx); KindOf(err) != Conflict || try == settleTries {
			return err == nil, err
		}
		if now, err = s.subscription(ctx, asked.AccountID, asked.ID, asked.SKU); err != nil {
			return false, err
		}
		if !now.NextPaymentDate.Equal(asked.NextPaymentDate) || now.Asked.Key != asked.Asked.Key {
			return false, nil // somebody else has settled it
		}
	}
}

// settleTries bounds how often somebody may change a subscription while the
// outcome of its payment is being noted.
const settleTries = 8

// SkipPaid goes on to the next month where a receipt says that a payment was
// taken of which the subscription knows nothing, as imported data may have it.
func (s *Store) SkipPaid(ctx context.Context, seen *Subscription, d Doing) (skipped bool, err error) {
	_, err = s.table.Get(ctx, getReceipt, key.Map{
		"accountID": seen.AccountID, "date": calendarDay(seen.NextPaymentDate), "sku": seen.SKU, "subscriptionID": seen.ID,
	}, true)
	if KindOf(err) == NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return s.settle(ctx, seen, d, func(c *change, settings Settings, now *Subscription) {
		was := *now
		now.moveOn(settings, now.LastPaymentDate)
		c.expect(&was, now)
		c.recordEvent(Event{
			Partition: accountPartition(now.AccountID), What: "payment passed over",
			Why: fmt.Sprintf("subscription %s has a receipt for %s already", now.ID, calendarDay(was.NextPaymentDate)),
		})
	})
}

// RecordFailure notes what kept a run from finishing a subscription. Where
// another runner has finished it meanwhile, that stays noted.
func (s *Store) RecordFailure(ctx context.Context, seen *Subscription, outcome JobOutcome, why string, d Doing) error {
	c, err := s.begin(ctx, d)
	if err != nil {
		return err
	}
	c.token = ""
	c.resultIf(d, seen, outcome, seen.Asking(), why, table.Condition{
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

// RecordReminder notes that the reminder of a payment went out, and moves on
// to the next one. It fails with Conflict where the subscription is not as it
// was seen.
func (s *Store) RecordReminder(ctx context.Context, seen *Subscription, d Doing) error {
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	c, err := s.begin(ctx, d)
	if err != nil {
		return err
	}
	next := *seen
	next.Version++
	due := seen.Announced()
	next.LastReminderDate = s.now().UTC().Truncate(time.Second)
	if d.Date.IsZero() {
		due = seen.NextPaymentDate // a person had it sent again: the days stay as they are
	} else {
		next.NextReminderDate = settings.reminderOf(NextPayment(due, seen.PaymentDay))
	}
	c.Replace(&next, seen.Version)
	c.result(d, &next, OutcomeReminded, seen.PaymentAmount, "")
	c.recordEvent(Event{
		Partition: accountPartition(seen.AccountID), What: "reminder sent",
		Why: fmt.Sprintf("of %s for subscription %s, due %s", seen.PaymentAmount, seen.ID, calendarDay(due)),
	})
	return c.Commit(ctx)
}
