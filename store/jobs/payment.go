package jobs

import (
	"context"
	"errors"

	"stockroom/store"
)

// pay takes the payment of a subscription as it was seen, or finds out what
// became of an attempt. "" means that there was nothing to do.
func (r *Runner) pay(ctx context.Context, s *store.Subscription, d store.Doing) (store.JobOutcome, error) {
	due := s.NextPaymentDate
	for range tries {
		if !s.NextPaymentDate.Equal(due) {
			return "", nil
		}
		var err error
		switch s.Step(store.PaymentsJob, d.Date, r.Store.Now()) {
		case store.StepTake:
			asked, failed := r.Store.RecordAttempt(ctx, s, d)
			if failed == nil {
				return r.ask(ctx, asked, d)
			}
			if store.KindOf(failed) != store.Conflict {
				return "", failed
			}
			s, err = r.behind(ctx, s, d)
		case store.StepRepeat:
			return r.ask(ctx, s, d)
		case store.StepLookUp:
			outcome, again, failed := r.lookUp(ctx, s, d)
			if failed != nil || !again {
				return outcome, failed
			}
			if s, err = r.Store.RecordAttempt(ctx, s, d); err == nil {
				return r.ask(ctx, s, d)
			}
		default:
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", errors.New("others keep changing the subscription")
}

// behind reads a subscription anew that is not as it was seen. One that is
// has a receipt for its payment: it goes on to the next month.
func (r *Runner) behind(ctx context.Context, seen *store.Subscription, d store.Doing) (*store.Subscription, error) {
	now, err := r.read(ctx, seen)
	if err != nil || now.Version != seen.Version {
		return now, err
	}
	if _, err := r.Store.SkipPaid(ctx, now, d); err != nil {
		return nil, err
	}
	return r.read(ctx, seen)
}

// read reads a subscription as it is now. It is asked of the program, which may
// read everything.
func (r *Runner) read(ctx context.Context, s *store.Subscription) (now *store.Subscription, err error) {
	err = patiently(ctx, func() (err error) {
		now, err = r.program().Subscription(ctx, s.AccountID, s.ID, s.SKU)
		return err
	})
	return now, err
}

func (r *Runner) program() store.Access {
	return r.Store.As(&store.User{Name: store.Program, Role: store.Admin})
}

// ask asks the processor for an attempt that is noted, and notes the outcome.
func (r *Runner) ask(ctx context.Context, s *store.Subscription, d store.Doing) (store.JobOutcome, error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return "", err
	}
	asking, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	o, err := r.Processor.Charge(asking, chargeOf(settings.Currency, s))
	if err != nil {
		return store.OutcomeUnknown, err
	}
	return r.settle(ctx, s, o, d)
}

// lookUp finds out what became of an attempt. Again means that it never
// reached the processor and may be made now.
func (r *Runner) lookUp(ctx context.Context, s *store.Subscription, d store.Doing) (outcome store.JobOutcome, again bool, err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return "", false, err
	}
	asking, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	o, found, err := r.Processor.Find(asking, chargeOf(settings.Currency, s))
	switch {
	case err != nil:
		return store.OutcomeUnknown, false, err
	case found:
		outcome, err = r.settle(ctx, s, o, d)
		return outcome, false, err
	case r.Store.Now().Sub(s.Asked.At) < store.KeyLife:
		return store.OutcomeUnknown, false, errors.New("the processor does not know of the attempt yet")
	case s.Live():
		return "", true, nil
	}
	return store.OutcomeDropped, false, r.Store.DropAttempt(ctx, s, d)
}

func (r *Runner) settle(ctx context.Context, s *store.Subscription, o Outcome, d store.Doing) (store.JobOutcome, error) {
	// The processor has answered: that is noted even where the run is to stop.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if o.Declined {
		paused, err := r.Store.RecordDecline(ctx, s, o.Why, d)
		if paused {
			return store.OutcomePaused, err
		}
		return store.OutcomeDeclined, err
	}
	_, err := r.Store.RecordPayment(ctx, s, o.Reference, d)
	return store.OutcomePaid, err
}

// Retry tries a declined payment again now, as a person asks for it by a form.
func (r *Runner) Retry(ctx context.Context, by store.Access, f store.SubscriptionForm) (store.JobOutcome, error) {
	s, err := by.MayRetry(ctx, f)
	switch {
	case err != nil || s == nil:
		return "", err
	case s.Status != store.SubscriptionPastDue && s.Asked.Key == "":
		return "", &store.Error{Kind: store.Conflict, Message: "No payment of this subscription is open."}
	}
	outcome, err := r.pay(ctx, s, store.Doing{Job: store.PaymentsJob, By: by.Name(), Once: f.Once})
	if outcome == store.OutcomeUnknown {
		return outcome, &store.Error{Kind: store.Conflict, Message: "The payment processor did not answer. Whether the payment was taken is found out by the next run.", Err: err}
	}
	return outcome, err
}
