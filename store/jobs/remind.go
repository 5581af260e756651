package jobs

import (
	"context"
	"errors"

	"stockroom/store"
)

// errNoAddress says why somebody gets no reminder.
var errNoAddress = &store.Error{Kind: store.Invalid, Message: "The subscription has no e-mail address."}

// remind sends the reminder that is due for a subscription. The index may be
// behind, and a letter cannot be taken back: so the subscription is read anew
// before. A runner that is killed behind the letter sends it once more, under
// the same ID.
func (w *shardWork) remind(ctx context.Context, seen *store.Subscription, d store.Doing) (store.JobOutcome, error) {
	sent := false
	for range tries {
		s, err := w.read(ctx, seen)
		if err != nil {
			return "", err
		}
		if s.Step(store.RemindersJob, d.Date, w.Store.Now()) != store.StepRemind {
			return "", nil
		}
		if !sent {
			if err := w.send(ctx, s, d, ""); err != nil {
				return "", err
			}
			sent = true
		}
		if err := w.Store.RecordReminder(ctx, s, d); store.KindOf(err) != store.Conflict {
			return store.OutcomeReminded, err
		}
	}
	return "", errors.New("others keep changing the subscription")
}

func (r *Runner) send(ctx context.Context, s *store.Subscription, d store.Doing, again string) error {
	if s.Email == "" {
		return errNoAddress
	}
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	due := s.Announced()
	if d.Date.IsZero() {
		due = s.NextPaymentDate
	}
	letter, err := reminderOf(ctx, s, due, settings.Currency, again)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	return r.Mail.Send(ctx, letter)
}

// Resend sends the reminder of the next payment once more, as a person asks for
// it by a form.
func (r *Runner) Resend(ctx context.Context, by store.Access, f store.SubscriptionForm) error {
	s, err := by.MayRetry(ctx, f)
	switch {
	case err != nil || s == nil:
		return err
	case !s.Live():
		return &store.Error{Kind: store.Conflict, Message: "No payment of this subscription is due."}
	}
	d := store.Doing{Job: store.RemindersJob, By: by.Name(), Once: f.Once}
	if err := r.send(ctx, s, d, f.Once); err != nil {
		var known *store.Error
		if errors.As(err, &known) {
			return err
		}
		return &store.Error{Kind: store.Conflict, Message: "The mail server did not take the reminder. Nothing was changed; try again in a moment.", Err: err}
	}
	return r.Store.RecordReminder(ctx, s, d)
}
