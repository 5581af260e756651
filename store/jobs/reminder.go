package jobs

import (
	"context"

	"stockroom/store"
)

// remind queues the reminder that is due for a subscription. It returns "" if the
// reminder is no longer due. It reads the subscription again from the table, because the
// argument due comes from an index, which is updated with a delay.
func (w *shardRun) remind(ctx context.Context, due *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	settings, err := w.Store.Settings(ctx)
	if err != nil {
		return "", err
	}
	for range maxAttempts {
		s, err := w.read(ctx, due)
		if err != nil {
			return "", err
		}
		if s.Step(settings, store.RemindersJob, d.Date, w.Store.Now()) != store.StepRemind {
			return "", nil
		}
		err = w.Store.QueueReminder(ctx, s, d)
		if err == nil {
			return store.OutcomeReminded, nil
		}
		if store.KindOf(err) != store.Conflict {
			return "", err
		}
	}
	return "", errContended
}

// Remind queues the reminder of the next payment, for a form that a user submitted. It does
// nothing if the form was already submitted. It returns Forbidden, Invalid, NotFound or
// Conflict. Conflict can also mean that no further payment will be charged.
func (r *Runner) Remind(ctx context.Context, by *store.User, f store.SubscriptionForm) error {
	s, err := r.Store.As(by).CanRetry(ctx, f)
	switch {
	case err != nil || s == nil:
		return err
	case !s.Charged():
		return &store.Error{Kind: store.Conflict, Message: "No payment of this subscription is planned, so no reminder can be sent."}
	}
	if err := r.Store.QueueReminder(ctx, s, store.RunContext{Job: store.RemindersJob, By: by.Name, Token: f.Token}); err != nil {
		return err
	}
	r.StartDelivery()
	return nil
}
