package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/table"
)

// UnknownSubscription is the subscription ID in the key of imported receipts that do
// not name a subscription.
const UnknownSubscription = "unknown"

// Receipt records one payment of a subscription. Its key contains the due day, so that a
// subscription cannot have two receipts for one due day.
type Receipt struct {
	AccountID       string
	SubscriptionID  string
	SKU             string
	PlanName        string    `json:",omitempty"` // copied from the subscription
	DueDate         time.Time // calendar day, at midnight UTC
	Email           string    `json:",omitempty"`
	ProcessedDate   time.Time
	ProcessedAmount Amount
	Reference       string    `json:",omitempty"` // ID of the payment at the payment service
	Expires         time.Time `json:",omitzero"`  // when DynamoDB may delete the receipt; zero for never
	Version         int

	// Values from which Receipt.event builds the event of the payment.
	NextPaymentDate     time.Time `json:",omitzero"` // the next due day, if the payment has no stored event; otherwise zero
	PreviousPaymentDate time.Time `json:",omitzero"` // LastPaymentDate of the subscription before the payment
}

// expired reports whether the receipt has expired. DynamoDB may delete an item some
// days after it has expired:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func (r *Receipt) expired(now time.Time) bool { return !r.Expires.IsZero() && !r.Expires.After(now) }

// tally returns what the payment adds to the totals.
func (r *Receipt) tally() Tally {
	return Tally{Kind: TotalPayments, At: r.ProcessedDate, ID: r.SubscriptionID, Count: 1, Amount: r.ProcessedAmount}
}

// event builds the event of a payment whose event is not stored. A run of the payments job
// charged such a payment, and the payment changed only the dates of the subscription. ok is
// false for other payments.
func (r *Receipt) event() (e Event, ok bool) {
	if r.NextPaymentDate.IsZero() {
		return Event{}, false
	}
	before := Subscription{ID: r.SubscriptionID, SKU: r.SKU, NextPaymentDate: r.DueDate, NextAttemptDate: r.DueDate, LastPaymentDate: r.PreviousPaymentDate}
	after := before
	after.NextPaymentDate, after.NextAttemptDate, after.LastPaymentDate = r.NextPaymentDate, r.NextPaymentDate, r.ProcessedDate
	e = r.eventOf(&before, &after)
	e.When, e.By = r.ProcessedDate, Program
	return e, true
}

// PaymentEvents returns the events of payments for which no event is stored; see
// Receipt.NextPaymentDate. The returned events have no IDs.
func PaymentEvents(receipts []Receipt) []Event {
	var events []Event
	for i := range receipts {
		if e, ok := receipts[i].event(); ok {
			events = append(events, e)
		}
	}
	return events
}

func (r *Receipt) eventOf(before, after *Subscription) Event {
	return Event{
		Partition: accountPartition(r.AccountID), What: EventPaymentTaken,
		Why:    chargeText(r.ProcessedAmount, r.SubscriptionID, r.DueDate),
		Before: "next payment " + longDay(before.NextPaymentDate), After: "next payment " + longDay(after.NextPaymentDate),
		Values: eventValues(chargeState.values(before, after, after.part())...),
	}
}

// chargeText describes a payment of a subscription, for Event.Why. See ChargedAmount.
func chargeText(amount Amount, subscriptionID string, due time.Time) string {
	return fmt.Sprintf("%s for subscription %s, due %s", amount, subscriptionID, longDay(due))
}

// ChargedAmount returns the amount in Why of an event about a payment of a subscription,
// and the text after the amount. ok is false for other events.
func (e *Event) ChargedAmount() (amount Amount, after string, ok bool) {
	text, after, found := strings.Cut(e.Why, " ")
	if !found || !slices.Contains([]EventCode{EventPaymentTaken, EventPaymentDeclined, EventPaymentPaused, EventReminderCreated}, e.What) {
		return Amount{}, "", false
	}
	amount, err := ParseAmount(text)
	return amount, after, err == nil
}

func (*Receipt) EntityType() string { return "receipt" }

func (r *Receipt) KeyValue(name string) string {
	switch name {
	case "accountID":
		return r.AccountID
	case "subscriptionID":
		return r.SubscriptionID
	case "sku":
		return r.SKU
	case "dueDate":
		return calendarDay(r.DueDate)
	}
	return ""
}

func (r *Receipt) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "ACC#", &r.AccountID)
	a.Text("Email", &r.Email)
	a.Text("SKU", &r.SKU)
	a.Text("PlanName", &r.PlanName)
	a.Time("ProcessedDate", &r.ProcessedDate)
	amountAttribute(a, "ProcessedAmount", &r.ProcessedAmount)
	maskedText(a, "Reference", &r.Reference)
	a.Date("NextPaymentDate", &r.NextPaymentDate)
	a.Time("PreviousPaymentDate", &r.PreviousPaymentDate)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.Version(&r.Version)
	if !a.Decoding() {
		return
	}
	due, rest, _ := strings.Cut(a.AfterPrefix(table.AttrSK, "REC#"), "#SKU#")
	r.SKU, r.SubscriptionID, _ = strings.Cut(rest, "#SUB#")
	var err error
	if r.DueDate, err = ParseTime(due); err != nil {
		a.Damaged(table.AttrSK, "the key of a receipt")
	}
}
