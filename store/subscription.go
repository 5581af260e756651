package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
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

func (s *Subscription) write(a *attributes) {
	a.text("Email", s.Email)
	a.text("SKU", s.SKU)
	a.text("Status", string(s.Status))
	a.number("PaymentDay", s.PaymentDay)
	a.amount("PaymentAmount", s.PaymentAmount)
	a.text("NextPaymentDate", calendarDay(s.NextPaymentDate))
	a.text("NextAttemptDate", calendarDay(s.NextAttemptDate))
	a.number("Attempt", s.Attempt)
	a.time("LastPaymentDate", s.LastPaymentDate)
	a.text("NextReminderDate", calendarDay(s.NextReminderDate))
	a.time("LastReminderDate", s.LastReminderDate)
	a.nested("PaymentDetails", s.PaymentDetails.write)
	a.nested("Asked", s.Asked.write)
	a.time("Created", s.Created)
	a.number(attrVersion, s.Version)
}

func (d PaymentDetails) write(a *attributes) {
	a.text("default-card", CardDigits(d.Card))
	a.text("default-address", LastFour(d.Address))
	a.text("processor-customer", d.Customer)
	a.text("processor-method", d.Method)
}

func (k Asked) write(a *attributes) {
	a.text("Key", k.Key)
	a.time("At", k.At)
	if k.Key != "" || a.noted != nil {
		a.amount("Amount", k.Amount)
	}
}

func decodeSubscription(item Item) (Entity, error) {
	f := fields{item: item}
	id, sku, _ := strings.Cut(f.after(attrSK, "SUB#"), "#SKU#") // neither may hold a #
	details, asked := f.nested("PaymentDetails"), f.nested("Asked")
	s := &Subscription{
		ID:               id,
		AccountID:        f.after(attrPK, "ACC#"),
		SKU:              sku,
		Email:            f.text("Email"),
		Status:           SubscriptionStatus(f.text("Status")),
		PaymentDay:       f.number("PaymentDay"),
		PaymentAmount:    f.amount("PaymentAmount"),
		NextPaymentDate:  f.day("NextPaymentDate"),
		NextAttemptDate:  f.day("NextAttemptDate"),
		Attempt:          f.number("Attempt"),
		LastPaymentDate:  f.time("LastPaymentDate"),
		NextReminderDate: f.day("NextReminderDate"),
		LastReminderDate: f.time("LastReminderDate"),
		PaymentDetails: PaymentDetails{
			Card: CardDigits(details.text("default-card")), Address: LastFour(details.text("default-address")),
			Customer: details.text("processor-customer"), Method: details.text("processor-method"),
		},
		Asked:   Asked{Key: asked.text("Key"), Amount: asked.amount("Amount"), At: asked.time("At")},
		Created: f.time("Created"),
		Version: f.number(attrVersion),
	}
	if f.err == nil {
		f.err = asked.err
	}
	return s, f.err
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
