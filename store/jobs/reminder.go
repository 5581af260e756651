package jobs

import (
	"context"
	"errors"

	"stockroom/store"
)

var errNoAddress = &store.Error{Kind: store.Invalid, Message: "This subscription has no email address. Add one to send reminders."}

// remind sends the reminder that is due for a subscription. It first reads the
// subscription from the table, because the index may be outdated and a sent email
// cannot be recalled. If the process is killed after sending, the next run sends the
// email again, with the same message ID.
func (w *shardRun) remind(ctx context.Context, due *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	settings, err := w.Store.Settings(ctx)
	if err != nil {
		return "", err
	}
	sent := false
	for range maxAttempts {
		s, err := w.read(ctx, due)
		if err != nil {
			return "", err
		}
		if s.Step(settings, store.RemindersJob, d.Date, w.Store.Now()) != store.StepRemind {
			return "", nil
		}
		if !sent {
			if err := w.send(ctx, s, d, ""); err != nil {
				return "", err
			}
			sent = true
		}
		err = w.Store.RecordReminder(ctx, s, d)
		if err == nil {
			return store.OutcomeReminded, nil
		}
		if store.KindOf(err) != store.Conflict {
			return "", err
		}
	}
	return "", errContended
}

func (r *Runner) send(ctx context.Context, s *store.Subscription, d store.RunContext, resendToken string) error {
	if s.Email == "" {
		return errNoAddress
	}
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	due := s.AnnouncedPayment()
	if d.Date.IsZero() {
		due = s.NextPaymentDate
	}
	email, err := reminderEmail(ctx, s, due, settings.Currency, resendToken)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.RequestTimeout)
	defer cancel()
	return r.Mail.Send(ctx, email)
}

// Resend sends the reminder of the next payment again, for a form that a user
// submitted. It returns Forbidden, Invalid, NotFound or Conflict. Conflict also means
// that no payment is due, or that the mail server rejected the email.
func (r *Runner) Resend(ctx context.Context, by *store.User, f store.SubscriptionForm) error {
	s, err := r.Store.As(by).CanRetry(ctx, f)
	switch {
	case err != nil || s == nil:
		return err
	case !s.Live():
		return &store.Error{Kind: store.Conflict, Message: "This subscription has no payment due."}
	}
	d := store.RunContext{Job: store.RemindersJob, By: by.Name, Token: f.Token}
	if err := r.send(ctx, s, d, f.Token); err != nil {
		var known *store.Error
		if errors.As(err, &known) {
			return err
		}
		return &store.Error{Kind: store.Conflict, Message: "The mail server did not accept the reminder. Nothing was changed. Try again in a moment.", Err: err}
	}
	return r.Store.RecordReminder(ctx, s, d)
}
