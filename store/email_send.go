package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmailsDue returns up to limit queued emails whose next attempt is due, the longest
// waiting first. The index is updated with a delay, so the result can include emails that
// were just sent.
func (s *Store) EmailsDue(ctx context.Context, limit int) ([]Email, error) {
	return s.emailsUntilNow(ctx, EmailQueued, limit)
}

// EmailsAbandoned returns up to limit emails whose runner has not stored an outcome in
// time.
func (s *Store) EmailsAbandoned(ctx context.Context, limit int) ([]Email, error) {
	return s.emailsUntilNow(ctx, EmailSending, limit)
}

func (s *Store) emailsUntilNow(ctx context.Context, status EmailStatus, limit int) ([]Email, error) {
	q := table.Query{Pattern: getEmailsByStatus, Values: key.Map{"status": string(status), "from": key.MinDate, "to": key.Time(s.now())}}
	found, err := list(ctx, s, q, Page{Limit: limit, Partial: true}, decodeAs[Email])
	return found.Rows, err
}

// BeginEmail records that a runner is about to send an email. owner must be different
// for each attempt. until is the time by which the runner must store an outcome.
// BeginEmail returns Conflict if the email has changed since it was read, so that only
// one runner sends it.
func (s *Store) BeginEmail(ctx context.Context, e *Email, owner string, until time.Time) (*Email, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	begun := *e
	begun.Status, begun.At, begun.Owner = EmailSending, until, owner
	begun.Attempts++
	begun.Version++
	c.Replace(&begun, e.Version)
	return &begun, c.Commit(ctx)
}

// RecordEmailSent records that the mail server accepted an email.
func (s *Store) RecordEmailSent(ctx context.Context, e *Email, response string) error {
	return s.settleEmail(ctx, e, func(c *change, current *Email) {
		current.Status, current.At, current.Response = EmailSent, c.store.now(), shortResponse(response)
		c.recordEmailEvent(current, EventEmailSent, "")
	})
}

// RecordEmailRejected records that an email was not accepted. It queues the email again,
// unless the rejection is permanent or the next attempt would be after EmailLife. The pause
// before the next attempt grows with each attempt.
func (s *Store) RecordEmailRejected(ctx context.Context, e *Email, response string, permanent bool) error {
	return s.settleEmail(ctx, e, func(c *change, current *Email) {
		now := c.store.now()
		current.Response = shortResponse(response)
		next := now.Add(emailPause(current.Attempts))
		if !permanent && next.Before(current.Created.Add(EmailLife)) {
			current.Status, current.At, current.Owner = EmailQueued, next, ""
			return
		}
		current.Status, current.At = EmailFailed, now
		c.recordEmailEvent(current, EventEmailFailed, current.Response)
	})
}

// RecordEmailUnconfirmed records that the outcome of an attempt is unknown: the mail
// server may have accepted the email. The program does not send it again by itself.
func (s *Store) RecordEmailUnconfirmed(ctx context.Context, e *Email, response string) error {
	return s.settleEmail(ctx, e, func(c *change, current *Email) {
		current.Status, current.At, current.Response = EmailUnconfirmed, c.store.now(), shortResponse(response)
		c.recordEmailEvent(current, EventEmailUnconfirmed, "")
	})
}

// EmailOutdated returns why an email must no longer be sent, or "" if it can be sent.
func (s *Store) EmailOutdated(ctx context.Context, e *Email) (why string, err error) {
	if late, err := s.isLateNotice(ctx, e); late || err != nil {
		return fmt.Sprintf("Not sent on %s. This email can't be sent on a later day.", longDay(e.Notice.Day)), err
	}
	if s.now().Sub(e.Created) > EmailLife {
		return fmt.Sprintf("Not sent within %d days.", EmailLife/(24*time.Hour)), nil
	}
	switch {
	case e.User != "":
		return s.userEmailOutdated(ctx, e)
	case e.Kind == EmailInvoiceReminder:
		return s.reminderOutdated(ctx, e)
	case e.Kind == EmailRentalNotice:
		return s.rentalNoticeOutdated(ctx, e)
	}
	return "", nil
}

// rentalNoticeOutdated returns why a notice to a renter must no longer be sent, or "". The
// renter may have been changed or deleted after the email was queued.
func (s *Store) rentalNoticeOutdated(ctx context.Context, e *Email) (why string, err error) {
	renter, err := s.As(&User{Name: Program, Role: Admin}).Renter(ctx, e.CustomerID)
	switch {
	case KindOf(err) == NotFound:
		return "Not sent, because the renter no longer exists.", nil
	case err != nil:
		return "", err
	case renter.NoNotices:
		return "Not sent, because the renter does not want rental notices.", nil
	case renter.Email != e.To:
		return "Not sent, because the email address of the renter has changed.", nil
	}
	return "", nil
}

// userEmailOutdated returns why an email to a user must no longer be sent, or "". The user
// may have changed their settings after the email was queued.
func (s *Store) userEmailOutdated(ctx context.Context, e *Email) (why string, err error) {
	user, err := s.userForChange(ctx, e.User)
	switch {
	case KindOf(err) == NotFound:
		return "Not sent, because the user no longer exists.", nil
	case err != nil:
		return "", err
	case user.Disabled:
		return "Not sent, because the user is locked.", nil
	case user.Email != e.To:
		return "Not sent, because the email address of the user has changed.", nil
	case e.Kind == EmailManagerNotice && !user.getsNotices():
		return "Not sent, because the user no longer gets daily notices.", nil
	case e.PasswordLink != "":
		return s.passwordLinkOutdated(ctx, e.PasswordLink)
	case e.View == "":
		return "", nil
	}
	view, err := s.emailedView(ctx, user, e.View)
	switch {
	case KindOf(err) == NotFound:
		return "Not sent, because the saved view was deleted.", nil
	case err == nil && !view.Email.includes(e.Notice.Day):
		return "Not sent, because the user no longer gets this list on this day.", nil
	}
	return "", err
}

// isLateNotice reports whether the email is a notice of a past day.
func (s *Store) isLateNotice(ctx context.Context, e *Email) (bool, error) {
	if e.Notice.Day.IsZero() {
		return false, nil
	}
	today, err := s.Today(ctx)
	return today.After(e.Notice.Day), err
}

// RecordEmailOutdated records why an email will not be sent; see EmailOutdated.
func (s *Store) RecordEmailOutdated(ctx context.Context, e *Email, why string) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	outdated := *e
	outdated.Status, outdated.At, outdated.Response = EmailFailed, s.now(), why
	outdated.Version++
	c.Replace(&outdated, e.Version)
	c.recordEmailEvent(&outdated, EventEmailFailed, outdated.Response)
	return c.Commit(ctx)
}

// settleEmail stores the outcome of an attempt to send an email. It does nothing if the
// attempt already has a final outcome, or if a user has queued the email again.
func (s *Store) settleEmail(ctx context.Context, attempted *Email, outcome func(*change, *Email)) error {
	current := attempted
	for try := 1; ; try++ {
		next := *current
		next.Version++
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		outcome(c, &next)
		c.Replace(&next, current.Version)
		if err = c.Commit(ctx); KindOf(err) != Conflict || try == maxSettleTries {
			return err
		}
		if current, err = s.email(ctx, attempted.ID); err != nil {
			return err
		}
		if current.Owner != attempted.Owner || current.Attempts != attempted.Attempts || current.Status == EmailSent || current.Status == EmailFailed {
			return nil
		}
	}
}

func (c *change) recordEmailEvent(e *Email, what EventCode, why string) {
	if e.Record == "" {
		return
	}
	text := "to " + e.To
	if why != "" {
		text += ": " + why
	}
	c.recordEvent(e.event(what, text))
}

// event returns an event about an email in the history of its record.
func (e *Email) event(what EventCode, why string) Event {
	return Event{Partition: e.Record, What: what, Subject: e.Label(), Why: MaskCardNumbers(why), Values: emailValue(e.ID)}
}

// valueEmail is the EventValue.Name of the ID of an email.
const valueEmail = "email"

func emailValue(id string) string {
	if id == "" {
		return ""
	}
	return eventValues(EventValue{Name: valueEmail, After: id})
}

// EmailID returns the ID of the email that an event is about. It returns "" if the event
// is about no email, or if TTL may have deleted the email.
func (e *Event) EmailID(now time.Time) string {
	if !strings.HasPrefix(string(e.What), "email.") || now.Sub(e.When) > emailDays*24*time.Hour {
		return ""
	}
	id, _ := value(e.values(), "", valueEmail)
	return id.After
}

func (k EmailKind) label() string {
	if label, ok := emailLabels[k]; ok {
		return label
	}
	return string(k)
}

var emailLabels = map[EmailKind]string{
	EmailReminder:    "payment reminder",
	EmailDeclined:    "payment declined",
	EmailLastAttempt: "last payment attempt",
	EmailPaused:      "subscription paused",
	EmailCardLink:    "link for a new card",

	EmailRentalNotice:  "rental notice",
	EmailManagerNotice: "daily notice",
	EmailSavedView:     "saved view",
	EmailPasswordLink:  "link for a new password",

	EmailInvoice:      "invoice",
	EmailCreditNote:   "credit note",
	EmailConfirmation: "order confirmation",
	EmailStatement:    "statement",

	EmailInvoiceReminder: "reminder of invoice",
}

// Label returns the name of the kind, with the number of the document, such as "payment
// reminder" or "invoice INV-1".
func (e *Email) Label() string { return strings.TrimSpace(e.Kind.label() + " " + e.Values.Number) }

// The pause before another attempt grows from firstEmailPause to longestEmailPause.
const (
	firstEmailPause   = time.Minute
	longestEmailPause = 6 * time.Hour
)

func emailPause(attempts int) time.Duration {
	pause := firstEmailPause
	for n := 1; n < attempts && pause < longestEmailPause; n++ {
		pause *= 3
	}
	return min(pause, longestEmailPause)
}

// shortResponse returns a response as one short line of valid UTF-8.
func shortResponse(response string) string {
	return shorten(strings.Join(strings.Fields(strings.ToValidUTF8(response, "�")), " "), maxEmailResponse)
}
