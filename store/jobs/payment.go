package jobs

import (
	"context"
	"errors"
	"fmt"

	"stockroom/store"
)

// pay charges or skips the payment of a subscription, looks up the outcome of an earlier
// attempt, or ends the subscription; see takeStep. The outcome is "" if nothing is due.
func (r *Runner) pay(ctx context.Context, s *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	due := s.NextPaymentDate
	for range maxAttempts {
		if !s.NextPaymentDate.Equal(due) {
			return "", nil
		}
		outcome, changed, err := r.takeStep(ctx, s, d)
		if err != nil || changed == nil {
			return outcome, err
		}
		s = changed
	}
	return "", errContended
}

// takeStep takes the next step of a payment: it makes, repeats or looks up an attempt,
// skips the payment, or ends the subscription. If the subscription in the table differs
// from the given one, takeStep charges nothing, and returns the stored one in the result
// changed.
func (r *Runner) takeStep(ctx context.Context, s *store.Subscription, d store.RunContext) (outcome store.JobOutcome, changed *store.Subscription, err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return "", nil, err
	}
	step, err := r.nextStep(ctx, s, settings, d)
	if err != nil {
		return "", nil, err
	}
	if step == store.StepRepeat || step == store.StepLookUp {
		if err := r.checkAttempt(s.PendingAttempt); err != nil {
			return store.OutcomeUnknown, nil, err
		}
	}
	switch step {
	case store.StepSkip:
		outcome, err := r.skip(ctx, s, d)
		return outcome, nil, err
	case store.StepEnd:
		outcome, err := r.end(ctx, s, d)
		return outcome, nil, err
	case store.StepTake:
		return r.attempt(ctx, s, d)
	case store.StepRepeat: // charge below again, with the key of the recorded attempt
	case store.StepLookUp:
		outcome, missing, err := r.lookUp(ctx, s, d)
		if err != nil || !missing {
			return outcome, nil, err
		}
		without := s.WithoutAttempt()
		if without.Step(settings, store.PaymentsJob, d.Date, r.Store.Now()) == store.StepSkip {
			outcome, err := r.skip(ctx, s, d)
			return outcome, nil, err
		}
		return r.attempt(ctx, without, d) // with the current price, which may have changed
	default:
		return "", nil, nil
	}
	outcome, err = r.charge(ctx, s, d)
	return outcome, nil, err
}

// nextStep returns the next step of a payment. An attempt whose payment already has a
// receipt, for example after an import, must not be repeated: nextStep returns StepLookUp.
func (r *Runner) nextStep(ctx context.Context, s *store.Subscription, settings store.Settings, d store.RunContext) (store.Step, error) {
	step := s.Step(settings, store.PaymentsJob, d.Date, r.Store.Now())
	if step != store.StepRepeat {
		return step, nil
	}
	paid, err := r.Store.HasReceipt(ctx, s)
	if paid {
		step = store.StepLookUp
	}
	return step, err
}

// attempt records an attempt to charge a payment, and charges it. If the subscription in
// the table differs from the given one, attempt charges nothing, and returns the stored one
// in the result changed. If the processor cannot charge the amount, attempt records nothing
// and returns Invalid.
func (r *Runner) attempt(ctx context.Context, s *store.Subscription, d store.RunContext) (outcome store.JobOutcome, changed *store.Subscription, err error) {
	settings, err := r.Store.Settings(ctx)
	if err == nil {
		err = r.Processor.CheckAmount(s.ChargeAmount(), settings.Currency)
	}
	if err != nil {
		return "", nil, err
	}
	attempted, err := r.Store.RecordAttempt(ctx, s, r.Processor.Service(), d)
	if store.KindOf(err) == store.Conflict {
		changed, err = r.resolveConflict(ctx, s, d)
		return "", changed, err
	}
	if err != nil {
		return "", nil, err
	}
	outcome, err = r.charge(ctx, attempted, d)
	return outcome, nil, err
}

// checkAttempt returns Conflict if the attempt was made with a different payment service
// from the present one. Only that service knows the outcome. An attempt without a recorded
// service is accepted.
func (r *Runner) checkAttempt(a store.PaymentAttempt) error {
	made, used := serviceLabels[a.Service], serviceLabels[r.Processor.Service()]
	if a.Service == "" || a.Service == r.Processor.Service() {
		return nil
	}
	return &store.Error{Kind: store.Conflict, Message: fmt.Sprintf(
		"The attempt was made with Payments set to '%s', but this server uses '%s'. To find out whether the customer was charged, set Payments to '%[1]s' in the settings and run the payments on a server that uses '%[1]s'.", made, used)}
}

// serviceLabels contains the names of payment services, as the settings show them.
var serviceLabels = map[store.Service]string{store.ServiceStripe: "Stripe", store.ServiceRecord: "Record only"}

func (r *Runner) skip(ctx context.Context, s *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	skipped, err := r.Store.SkipLate(ctx, s, d)
	if err != nil || !skipped {
		return "", err
	}
	return store.OutcomeSkipped, nil
}

// end cancels a subscription that was set to end at its next payment.
func (r *Runner) end(ctx context.Context, s *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	ended, err := r.Store.End(ctx, s, d)
	if err != nil || !ended {
		return "", err
	}
	return store.OutcomeSkipped, nil
}

// resolveConflict returns the stored subscription after RecordAttempt returned Conflict. If
// the subscription has not changed, the conflict means that the payment already has a
// receipt. resolveConflict then first moves the subscription to its next payment.
func (r *Runner) resolveConflict(ctx context.Context, s *store.Subscription, d store.RunContext) (*store.Subscription, error) {
	current, err := r.read(ctx, s)
	if err != nil || current.Version != s.Version {
		return current, err
	}
	if _, err := r.Store.SkipPaid(ctx, current, d); err != nil {
		return nil, err
	}
	return r.read(ctx, s)
}

// read reads a subscription as the program, which may read everything.
func (r *Runner) read(ctx context.Context, s *store.Subscription) (current *store.Subscription, err error) {
	err = retry(ctx, func() (err error) {
		current, err = r.program().Subscription(ctx, s.AccountID, s.ID, s.SKU)
		return err
	})
	return current, err
}

func (r *Runner) program() store.Access {
	return r.Store.As(&store.User{Name: store.Program, Role: store.Admin})
}

func (r *Runner) charge(ctx context.Context, s *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return "", err
	}
	requestCtx, cancel := context.WithTimeout(ctx, r.RequestTimeout)
	defer cancel()
	o, err := r.Processor.Charge(requestCtx, chargeOf(settings.Currency, s))
	if err != nil {
		return store.OutcomeUnknown, err
	}
	return r.record(ctx, s, o, d)
}

// lookUp asks the processor for the outcome of an attempt, and records it. If the
// result missing is true, the attempt never reached the processor, so another one can be
// made. If the subscription is no longer live, lookUp removes the attempt instead, because
// nothing more may be charged. Until AttemptKeyLifetime has passed, the outcome of an
// attempt that the processor cannot find counts as unknown.
func (r *Runner) lookUp(ctx context.Context, s *store.Subscription, d store.RunContext) (outcome store.JobOutcome, missing bool, err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return "", false, err
	}
	requestCtx, cancel := context.WithTimeout(ctx, r.RequestTimeout)
	defer cancel()
	o, found, err := r.Processor.Find(requestCtx, chargeOf(settings.Currency, s))
	switch {
	case err != nil:
		return store.OutcomeUnknown, false, err
	case found:
		outcome, err = r.record(ctx, s, o, d)
		return outcome, false, err
	case r.Store.Now().Sub(s.PendingAttempt.At) < store.AttemptKeyLifetime:
		return store.OutcomeUnknown, false, errors.New("the payment service does not know the attempt yet")
	case s.Live():
		return "", true, nil
	}
	if err := r.Store.DropAttempt(ctx, s, d); err != nil {
		return store.OutcomeUnknown, false, err
	}
	return store.OutcomeDropped, false, nil
}

// record records the outcome that the processor returned, even while the run stops. If this
// fails, the next run asks the processor again, with the same key.
func (r *Runner) record(ctx context.Context, s *store.Subscription, o Outcome, d store.RunContext) (store.JobOutcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if o.Declined {
		outcome, err := r.Store.RecordDecline(ctx, s, o.Reason, d)
		if err != nil {
			return store.OutcomeUnknown, err
		}
		return outcome, nil
	}
	if _, err := r.Store.RecordPayment(ctx, s, o.Reference, d); err != nil {
		return store.OutcomeUnknown, err
	}
	return store.OutcomePaid, nil
}

// Retry retries a declined payment immediately, for a form that a user submitted. It does
// nothing if the form was already submitted. If the subscription is paused and the payment
// succeeds, the subscription becomes active. Retry returns Forbidden, Invalid, NotFound or
// Conflict. Conflict can also mean that no payment is open, or that the outcome of an
// attempt is unknown.
func (r *Runner) Retry(ctx context.Context, by *store.User, f store.SubscriptionForm) (store.JobOutcome, error) {
	s, err := r.Store.As(by).CanRetry(ctx, f)
	if err == nil && s != nil {
		err = r.CheckPayments(ctx)
	}
	if err == nil && s != nil {
		err = r.checkAttempt(s.PendingAttempt)
	}
	switch {
	case err != nil || s == nil:
		return "", err
	case !s.HasOpenPayment() && s.PendingAttempt.Key == "":
		return "", &store.Error{Kind: store.Conflict, Message: "This subscription has no open payment."}
	}
	outcome, err := r.pay(ctx, s, store.RunContext{Job: store.PaymentsJob, By: by.Name, Token: f.Token})
	if outcome == store.OutcomeUnknown {
		return outcome, &store.Error{Kind: store.Conflict, Message: "The outcome of this payment is not known yet. The next payment run finds out whether the customer was charged.", Err: err}
	}
	return outcome, err
}
