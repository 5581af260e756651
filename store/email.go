package store

import (
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmailStatus is the status of an email in the outbox.
type EmailStatus string

// Statuses of an email.
const (
	EmailQueued      EmailStatus = "QUEUED"      // waits for its first or next attempt
	EmailSending     EmailStatus = "SENDING"     // a runner is sending it to the mail server
	EmailSent        EmailStatus = "SENT"        // the mail server accepted it
	EmailFailed      EmailStatus = "FAILED"      // rejected, no longer wanted, or not accepted within EmailLife
	EmailUnconfirmed EmailStatus = "UNCONFIRMED" // the mail server may have accepted it, but its answer is unknown
)

// EmailStatuses lists every EmailStatus.
var EmailStatuses = []EmailStatus{EmailQueued, EmailSending, EmailSent, EmailFailed, EmailUnconfirmed}

// EmailKind says what an email is about. It determines the template.
type EmailKind string

// Kinds of emails.
const (
	EmailReminder    EmailKind = "reminder"     // a subscription payment will be charged
	EmailDeclined    EmailKind = "declined"     // the first attempt to charge a payment was declined
	EmailLastAttempt EmailKind = "last-attempt" // a payment was declined, and the next attempt is the last one
	EmailPaused      EmailKind = "paused"       // the last attempt was declined, and the subscription is paused
	EmailCardLink    EmailKind = "card-link"    // a link with which the customer enters a new card

	EmailRentalNotice  EmailKind = "rental-notice"  // kayaks that a renter must return
	EmailManagerNotice EmailKind = "manager-notice" // low stock, late transfers, and due and late deliveries and kayaks in a manager's warehouses and stores
	EmailSavedView     EmailKind = "saved-view"     // the first rows of the list of a saved view
	EmailPasswordLink  EmailKind = "password-link"  // a link with which a user chooses a new password

	EmailInvoice      EmailKind = "invoice"
	EmailCreditNote   EmailKind = "credit-note"
	EmailConfirmation EmailKind = "order-confirmation"
	EmailStatement    EmailKind = "statement"

	EmailInvoiceReminder EmailKind = "invoice-reminder" // a balance of an invoice is due
)

// Email is an email in the outbox. The transaction of the change that causes an email also
// creates the email. A runner (a background task of a server) sends it later. The item does
// not contain the subject and text, because they are rendered from the kind and the values.
// TTL deletes the item after emailDays.
type Email struct {
	ID         string // a ULID; the Message-ID contains it
	Kind       EmailKind
	To         string
	CustomerID string `json:",omitempty"` // ID of the customer or renter who gets the email; "" for emails to users
	User       string `json:",omitempty"` // the user that the email is addressed to; "" for emails to customers
	Record     string `json:"About"`      // partition key of the record that the email is about, to which its events belong
	Document   string `json:",omitempty"` // ID of the attached invoice, credit note or order, or of the customer of the attached statement
	CardLink   string `json:",omitempty"` // ID of the CardLink in the email
	View       string `json:",omitempty"` // ID of the saved view whose rows are read when the email is sent

	PasswordLink string `json:",omitempty"` // ID of the PasswordLink whose secret part is created when the email is sent

	Status   EmailStatus
	Created  time.Time
	At       time.Time // queued: time of the next attempt; sending: time at which the attempt counts as abandoned; otherwise: time of the outcome
	Attempts int
	Owner    string `json:"-"`          // identifies the runner and the attempt
	Response string `json:",omitempty"` // last response of the mail server, or why there is no response
	Payment  EmailPayment
	Values   EmailDocument
	Notice   EmailNotice
	Expires  time.Time `json:"-"` // TTL
	Version  int
}

// EmailPayment contains the values of an email about a subscription payment, as they were
// when the email was created.
type EmailPayment struct {
	SubscriptionID string    `json:",omitempty"`
	PlanName       string    `json:",omitempty"`
	Card           string    `json:",omitempty"` // at most four digits
	Amount         Amount    `json:",omitzero"`
	Currency       string    `json:",omitempty"`
	Due            time.Time `json:",omitzero"` // Due and NextAttempt are calendar days, at midnight UTC
	NextAttempt    time.Time `json:",omitzero"` // next attempt after a declined payment; zero if there is none
	LinkEnd        time.Time `json:",omitzero"` // last day of a card link
}

// EmailLife is how long the program tries to send an email. RFC 5321 recommends at least
// 4 to 5 days: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.4.1
const EmailLife = 5 * 24 * time.Hour

// emailDays is the number of days that emails are kept.
const emailDays = 183

// maxEmailResponse is the maximum length of a stored response of a mail server, in bytes.
const maxEmailResponse = 500

func (*Email) EntityType() string { return "email" }

func (e *Email) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return e.ID
	case "customerID":
		return e.CustomerID
	case "status":
		return string(e.Status)
	case "at":
		return key.Time(e.At)
	}
	return ""
}

func (e *Email) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "email#", &e.ID)
	a.Text("Kind", (*string)(&e.Kind))
	a.Text("To", &e.To)
	a.Text("CustomerID", &e.CustomerID)
	a.Text("User", &e.User)
	a.Text("Record", &e.Record)
	a.Text("Document", &e.Document)
	a.Text("CardLink", &e.CardLink)
	a.Text("View", &e.View)
	a.Text("PasswordLink", &e.PasswordLink)
	a.Text("Status", (*string)(&e.Status))
	a.Time("Created", &e.Created)
	a.Time("At", &e.At)
	a.Count("Attempts", &e.Attempts)
	a.Text("Owner", &e.Owner)
	maskedText(a, "Response", &e.Response)
	a.Nested("Payment", e.Payment.attributes)
	a.Nested("Values", e.Values.attributes)
	a.Nested("Notice", e.Notice.attributes)
	a.Seconds(table.AttrTTL, &e.Expires)
	a.Version(&e.Version)
}

func (p *EmailPayment) attributes(a *table.Attributes) {
	a.Text("SubscriptionID", &p.SubscriptionID)
	a.Text("PlanName", &p.PlanName)
	card := CardDigits(p.Card)
	a.Text("Card", &card)
	if a.Decoding() {
		p.Card = CardDigits(card)
	}
	optionalAmount(a, "Amount", &p.Amount)
	a.Text("Currency", &p.Currency)
	a.Date("Due", &p.Due)
	a.Date("NextAttempt", &p.NextAttempt)
	a.Date("LinkEnd", &p.LinkEnd)
}

func (s *Subscription) emailPayment(currency string, amount Amount, due time.Time) EmailPayment {
	return EmailPayment{SubscriptionID: s.ID, PlanName: s.Plan(), Card: s.PaymentDetails.Card, Amount: amount, Currency: currency, Due: due}
}

// MessageID returns the part of the Message-ID before the @. It never changes, so that mail
// servers can recognize an email that is sent twice.
func (e *Email) MessageID() string { return string(e.Kind) + "." + strings.ToLower(e.ID) }

func (c *change) identify(e *Email) {
	if e.ID != "" {
		return
	}
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
	}
	e.ID = id
}

// queueEmail adds an email to the change. The caller sets Kind, To, Record and the
// values. Without an address, queueEmail adds nothing.
func (c *change) queueEmail(e Email) {
	if e.To == "" {
		return
	}
	c.identify(&e)
	now := c.store.now().UTC().Truncate(time.Second)
	e.Status, e.Created, e.At, e.Expires, e.Version = EmailQueued, now, now, now.AddDate(0, 0, emailDays), 1
	c.Create(&e)
}
