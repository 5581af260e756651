package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/table"
)

// SubscriptionStatus is the status of a subscription.
type SubscriptionStatus string

// Statuses of a subscription.
const (
	SubscriptionActive    SubscriptionStatus = "ACTIVE"
	SubscriptionPastDue   SubscriptionStatus = "PAST_DUE" // a payment was declined and is retried
	SubscriptionPaused    SubscriptionStatus = "PAUSED"
	SubscriptionCancelled SubscriptionStatus = "CANCELLED" // cancelled permanently
)

// SubscriptionStatuses lists every SubscriptionStatus.
var SubscriptionStatuses = []SubscriptionStatus{SubscriptionActive, SubscriptionPastDue, SubscriptionPaused, SubscriptionCancelled}

// Subscription is a monthly payment of a billing account. The account has the ID of
// the customer.
type Subscription struct {
	ID               string
	AccountID        string
	SKU              string
	PlanName         string `json:",omitempty"` // name of the plan when the subscription was created
	Email            string `json:",omitempty"` // gets the emails about the subscription, such as reminders
	Status           SubscriptionStatus
	PaymentDay       int // day of the month, 1 to 31
	PaymentAmount    Amount
	NextPaymentDate  time.Time // calendar day at midnight UTC, like NextAttemptDate and NextReminderDate
	NextAttemptDate  time.Time // equals NextPaymentDate until a payment is declined
	Attempt          int       // number of declined attempts for NextPaymentDate
	LastPaymentDate  time.Time `json:",omitzero"`
	NextReminderDate time.Time `json:",omitzero"`
	LastReminderDate time.Time `json:",omitzero"`
	PaymentDetails   PaymentDetails
	PendingAttempt   PaymentAttempt `json:"Asked,omitzero"` // an attempt whose outcome is unknown; otherwise zero
	Ending           bool           `json:",omitempty"`     // on NextPaymentDate, the subscription is cancelled instead of charged
	Created          time.Time      `json:",omitzero"`
	Cancelled        time.Time      `json:",omitzero"` // the day of the cancellation
	Version          int
}

// PaymentDetails is the payment method of a subscription. Only the last four
// digits of a card are stored.
type PaymentDetails struct {
	Card     string `json:",omitempty"` // at most four digits
	Address  string `json:",omitempty"`
	Customer string `json:",omitempty"` // customer ID at the payment service
	Method   string `json:",omitempty"` // ID of the payment method at the payment service
}

// PaymentAttempt is an attempt to charge a payment. It is stored before the payment
// service is called, so that a repetition uses the same idempotency key. See
// https://docs.stripe.com/api/idempotent_requests
type PaymentAttempt struct {
	Key     string    `json:",omitempty"` // idempotency key
	Amount  Amount    // amount at the time of the attempt
	At      time.Time `json:",omitzero"`
	Service Service   `json:",omitempty"` // the service that knows the outcome; "" in attempts of earlier versions
	Resumes bool      `json:",omitempty"` // the subscription is paused, and the payment resumes it
}

func (*Subscription) EntityType() string { return "subscription" }

// Plan returns the name of the plan, or the SKU if the plan has no name.
func (s *Subscription) Plan() string { return cmp.Or(s.PlanName, s.SKU) }

// Live reports whether the subscription is active or past due.
func (s *Subscription) Live() bool {
	return s.Status == SubscriptionActive || s.Status == SubscriptionPastDue
}

// Charged reports whether the next payment will be charged: the subscription is live,
// and does not end before this payment.
func (s *Subscription) Charged() bool { return s.Live() && !s.Ending }

// HasOpenPayment reports whether a payment was declined and is still open: it is retried,
// or the subscription was paused because of it.
func (s *Subscription) HasOpenPayment() bool {
	return s.Status == SubscriptionPastDue || s.Status == SubscriptionPaused && s.Attempt > 0
}

// StateProblem says how the status, the attempts and the dates contradict each other, as
// the end of a sentence about the subscription. It returns "" if they match.
func (s *Subscription) StateProblem() string {
	switch {
	case !slices.Contains(SubscriptionStatuses, s.Status):
		return fmt.Sprintf("has the status %s, which does not exist, so it is never charged", Quoted(s.Status))
	case s.Live() && s.NextPaymentDate.IsZero():
		return "is never charged, because NextPaymentDate is missing"
	case s.Live() && s.NextAttemptDate.IsZero():
		return "is never charged, because NextAttemptDate is missing"
	case s.Live() && s.NextAttemptDate.Before(s.NextPaymentDate):
		return fmt.Sprintf("is charged next on %s, before its payment is due on %s", calendarDay(s.NextAttemptDate), calendarDay(s.NextPaymentDate))
	case s.Status == SubscriptionActive && s.Attempt > 0:
		return fmt.Sprintf("is active, but has %s for its next payment", NumberOf(s.Attempt, "declined attempt", "declined attempts"))
	case s.Status == SubscriptionPastDue && s.Attempt == 0:
		return "is past due, but has no declined attempt"
	}
	return ""
}

// NextPayment returns the day of the next payment, or the zero time if the
// subscription is not charged.
func (s *Subscription) NextPayment() time.Time { return s.ifCharged(s.NextPaymentDate) }

// NextReminder returns the day of the next reminder, or the zero time if no reminders
// are sent.
func (s *Subscription) NextReminder() time.Time { return s.ifCharged(s.NextReminderDate) }

func (s *Subscription) ifCharged(day time.Time) time.Time {
	if s.Charged() {
		return day
	}
	return time.Time{}
}

// KeyValue returns the value of a placeholder in a key. A paused or cancelled
// subscription has a key in the index of due payments only if the outcome of an attempt
// is unknown. A paused, cancelled or ending subscription has no key in the index of due
// reminders.
func (s *Subscription) KeyValue(name string) string {
	switch name {
	case "subscriptionID", "shardOf":
		return s.ID
	case "accountID":
		return s.AccountID
	case "sku":
		return s.SKU
	case "status":
		return string(s.Status)
	case "paymentDate":
		return calendarDay(s.NextPaymentDate)
	case "attemptDate":
		if s.Live() || s.PendingAttempt.Key != "" {
			return calendarDay(s.NextAttemptDate)
		}
	case "reminderDate":
		if s.Charged() {
			return calendarDay(s.NextReminderDate)
		}
	}
	return ""
}

func (s *Subscription) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "ACC#", &s.AccountID)
	a.Text("Email", &s.Email)
	a.Text("SKU", &s.SKU)
	a.Text("PlanName", &s.PlanName)
	a.Text("Status", (*string)(&s.Status))
	a.Number("PaymentDay", &s.PaymentDay)
	amountAttribute(a, "PaymentAmount", &s.PaymentAmount)
	a.Date("NextPaymentDate", &s.NextPaymentDate)
	a.Date("NextAttemptDate", &s.NextAttemptDate)
	a.Number("Attempt", &s.Attempt)
	a.Time("LastPaymentDate", &s.LastPaymentDate)
	a.Date("NextReminderDate", &s.NextReminderDate)
	a.Time("LastReminderDate", &s.LastReminderDate)
	a.Nested("PaymentDetails", s.PaymentDetails.attributes)
	a.Nested("Asked", s.PendingAttempt.attributes)
	a.Flag("Ending", &s.Ending)
	a.Time("Created", &s.Created)
	a.Date("Cancelled", &s.Cancelled)
	a.Version(&s.Version)
	if a.Decoding() {
		if s.PaymentDay < 1 || s.PaymentDay > 31 {
			a.Damaged("PaymentDay", "a day from 1 to 31")
		}
		s.ID, s.SKU, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "SUB#"), "#SKU#") // never fails: ID and SKU contain no #
	}
}

func (d *PaymentDetails) attributes(a *table.Attributes) {
	card := CardDigits(d.Card)
	a.Text("default-card", &card)
	if a.Decoding() {
		d.Card = CardDigits(card)
	}
	maskedText(a, "default-address", &d.Address)
	a.Text("processor-customer", &d.Customer)
	a.Text("processor-method", &d.Method)
}

func (k *PaymentAttempt) attributes(a *table.Attributes) {
	a.Text("Key", &k.Key)
	a.Time("At", &k.At)
	a.Text("Service", (*string)(&k.Service))
	a.Flag("Resumes", &k.Resumes)
	if a.Decoding() || k.Key != "" || a.Listing() {
		amountAttribute(a, "Amount", &k.Amount)
	}
}

// CardDigits returns the last four digits of a card number, or all digits if there
// are fewer.
func CardDigits(number string) string { return lastDigits(number, 4) }

// maxProcessorKey is the maximum length of an idempotency key at Stripe:
// https://docs.stripe.com/api/idempotent_requests
const maxProcessorKey = 255

// AttemptKey returns the idempotency key of the next attempt: the subscription, the due day
// and the number of the attempt, or a hash of these if they are too long. All servers
// therefore use the same key.
func (s *Subscription) AttemptKey() string {
	k := fmt.Sprintf("%s#%s#%s#%s#%d", s.AccountID, s.ID, s.SKU, calendarDay(s.NextPaymentDate), s.Attempt+1)
	if len(k) > maxProcessorKey {
		sum := sha256.Sum256([]byte(k))
		return hex.EncodeToString(sum[:])
	}
	return k
}
