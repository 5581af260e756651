package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"stockroom/store/table"
)

// SubscriptionStatus says whether a subscription is paid for.
type SubscriptionStatus string

// The states of a subscription.
const (
	SubscriptionActive    SubscriptionStatus = "ACTIVE"
	SubscriptionPastDue   SubscriptionStatus = "PAST_DUE" // a payment was declined and is tried again
	SubscriptionPaused    SubscriptionStatus = "PAUSED"
	SubscriptionCancelled SubscriptionStatus = "CANCELLED" // for good
)

// SubscriptionStatuses are all of them.
var SubscriptionStatuses = []SubscriptionStatus{SubscriptionActive, SubscriptionPastDue, SubscriptionPaused, SubscriptionCancelled}

// Subscription is what an account pays for every month, on one day of it. An
// account's ID is its customer's.
type Subscription struct {
	ID               string
	AccountID        string
	SKU              string
	Email            string `json:",omitempty"` // to which reminders go
	Status           SubscriptionStatus
	PaymentDay       int // of the month, 1 to 31
	PaymentAmount    Amount
	NextPaymentDate  time.Time // due days and the days of attempts and reminders are at midnight UTC
	NextAttemptDate  time.Time // NextPaymentDate, until a payment is declined
	Attempt          int       // declined attempts for NextPaymentDate
	LastPaymentDate  time.Time `json:",omitzero"`
	NextReminderDate time.Time `json:",omitzero"`
	LastReminderDate time.Time `json:",omitzero"`
	PaymentDetails   PaymentDetails
	Asked            Asked     `json:",omitzero"` // the attempt whose outcome is not known
	Created          time.Time `json:",omitzero"`
	Version          int
}

// PaymentDetails are how a subscription is paid. Of a card its last four
// digits are kept, never more.
type PaymentDetails struct {
	Card     string `json:",omitempty"` // at most four digits
	Address  string `json:",omitempty"`
	Customer string `json:",omitempty"` // at the payment processor
	Method   string `json:",omitempty"` // of payment, at the payment processor
}

// Asked is an attempt to take a payment, noted before the processor is asked:
// whatever breaks then, the same attempt is asked for with the same key.
type Asked struct {
	Key    string    `json:",omitempty"` // by which the processor knows the attempt again
	Amount Amount    // what is asked for, whatever the subscription costs meanwhile
	At     time.Time `json:",omitzero"`
}

// EntityType implements Entity.
func (*Subscription) EntityType() string { return "subscription" }

// Live says whether payments are taken.
func (s *Subscription) Live() bool {
	return s.Status == SubscriptionActive || s.Status == SubscriptionPastDue
}

// KeyValue implements Entity. What is not paid for stands in no index of days,
// except while the outcome of an attempt has to be found out.
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
		if s.Live() || s.Asked.Key != "" {
			return calendarDay(s.NextAttemptDate)
		}
	case "reminderDate":
		if s.Live() {
			return calendarDay(s.NextReminderDate)
		}
	}
	return ""
}

func (s *Subscription) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "ACC#", &s.AccountID)
	a.Text("Email", &s.Email)
	a.Text("SKU", &s.SKU)
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
	a.Nested("Asked", s.Asked.attributes)
	a.Time("Created", &s.Created)
	a.Version(&s.Version)
	if a.Decoding() {
		s.ID, s.SKU, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "SUB#"), "#SKU#") // neither contains a #
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

func (k *Asked) attributes(a *table.Attributes) {
	a.Text("Key", &k.Key)
	a.Time("At", &k.At)
	if a.Decoding() || k.Key != "" || a.Listing() {
		amountAttribute(a, "Amount", &k.Amount)
	}
}

// CardDigits are the last four digits of a card's number, however it is
// written; all there are where it has fewer.
func CardDigits(number string) string { return lastDigits(number, 4) }

// maxProcessorKey is how long a key may be that payment processors know an
// attempt by.
const maxProcessorKey = 255

// AttemptKey is how a payment processor knows the next attempt to take a
// payment again: it follows from the subscription, the due day and how often
// it was declined, so that one attempt has one key whoever makes it.
func (s *Subscription) AttemptKey() string {
	k := fmt.Sprintf("%s/%s/%s/%d", s.AccountID, s.ID, calendarDay(s.NextPaymentDate), s.Attempt+1)
	if len(k) > maxProcessorKey {
		sum := sha256.Sum256([]byte(k))
		return hex.EncodeToString(sum[:])
	}
	return k
}
