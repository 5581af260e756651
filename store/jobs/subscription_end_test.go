package jobs_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// form returns a form that shows the present state of the subscription.
func form(t testing.TB, s *store.Store, sub *store.Subscription) store.SubscriptionForm {
	t.Helper()
	current := get(t, s, sub)
	return store.SubscriptionForm{AccountID: current.AccountID, ID: current.ID, SKU: current.SKU, Version: current.Version, Token: s.NewToken()}
}

// TestRun_EndsSubscriptions sets two subscriptions to end at their next payment, and undoes
// this for the second one. On the day of the payment, a run must cancel the first one and
// charge the second one. A second run must change nothing.
func TestRun_EndsSubscriptions(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ending, kept := subscription(1), subscription(2)
		load(t, s, ending, kept)
		shop, b := s.As(admin), newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		for _, sub := range []*store.Subscription{ending, kept} {
			if err := shop.EndSubscription(t.Context(), form(t, s, sub), "too expensive"); err != nil {
				t.Fatal(err)
			}
		}
		if after := get(t, s, ending); !after.Live() || !after.Ending || !after.NextPayment().IsZero() || !after.NextReminder().IsZero() {
			t.Errorf("got the subscription %+v, want it active until its next payment", after)
		}
		totals, err := shop.Totals(t.Context(), store.TotalDue, store.DateRange{From: due, To: due})
		if err != nil || len(totals) != 1 || totals[0].Count != 0 || totals[0].Amount.Sign() != 0 {
			t.Errorf("due totals: got %+v, %v, want none", totals, err)
		}
		for _, change := range []func(store.SubscriptionForm) error{
			func(f store.SubscriptionForm) error { return shop.EndSubscription(t.Context(), f, "") },
			func(f store.SubscriptionForm) error { return shop.SkipPayment(t.Context(), f, "") },
			func(f store.SubscriptionForm) error { return shop.PauseSubscription(t.Context(), f) },
			func(f store.SubscriptionForm) error { return shop.ChangeSubscription(t.Context(), f, 5, amount("9")) },
		} {
			if err := change(form(t, s, ending)); store.KindOf(err) != store.Conflict {
				t.Errorf("change of an ending subscription: got %v, want Conflict", err)
			}
		}
		if err := shop.KeepSubscription(t.Context(), form(t, s, kept)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			run(t, r, store.PaymentsJob, due)
		}
		if after := get(t, s, ending); after.Status != store.SubscriptionCancelled || after.Ending || len(receipts(t, s, ending.AccountID)) != 0 {
			t.Errorf("got the subscription %+v, want it cancelled without a receipt", after)
		}
		if after := get(t, s, kept); after.Status != store.SubscriptionActive || len(receipts(t, s, kept.AccountID)) != 1 {
			t.Errorf("kept: got the subscription %+v, want it charged", after)
		}
		if b.payments() != 1 {
			t.Errorf("got %d charges, want 1", b.payments())
		}
		wantCounts(t, s, store.PaymentsJob, due, 2)
	})
}

// TestSkipPayment_MovesToNextMonth skips a payment of an active subscription and of a
// past due one. Both payments must move to the next month, and the run of the day must
// charge neither. A payment with a pending attempt cannot be skipped.
func TestSkipPayment_MovesToNextMonth(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		active, pastDue, pending := subscription(1), subscription(2), subscription(3)
		pastDue.Status, pastDue.Attempt = store.SubscriptionPastDue, 1
		pending.PendingAttempt = store.PaymentAttempt{Key: pending.AttemptKey(), Amount: pending.PaymentAmount, At: s.Now(), Service: store.ServiceStripe}
		load(t, s, active, pastDue, pending)
		shop, b := s.As(admin), newBank(t, 0)
		for _, sub := range []*store.Subscription{active, pastDue} {
			f := form(t, s, sub)
			for range 2 {
				if err := shop.SkipPayment(t.Context(), f, "on holiday"); err != nil {
					t.Fatal(err)
				}
			}
			after := get(t, s, sub)
			if !after.NextPaymentDate.Equal(due.AddDate(0, 1, 0)) || after.Status != store.SubscriptionActive || after.Attempt != 0 {
				t.Errorf("got %+v, want the payment of the next month", after)
			}
		}
		if err := shop.SkipPayment(t.Context(), form(t, s, pending), ""); store.KindOf(err) != store.Conflict {
			t.Errorf("pending attempt: got %v, want Conflict", err)
		}
		run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if b.payments() != 1 { // the charge of the pending attempt
			t.Errorf("got %d charges, want 1", b.payments())
		}
		totals, err := shop.Totals(t.Context(), store.TotalDue, store.DateRange{From: due, To: due.AddDate(0, 1, 0)})
		if err != nil || len(totals) != 2 || totals[0].Count != 0 || totals[1].Count != 3 {
			t.Errorf("due totals: got %+v, %v, want 3 in the next month", totals, err)
		}
	})
}

// TestRetry_ResumesPaused checks that a retry with a new card resumes a paused
// subscription only if the payment succeeds.
func TestRetry_ResumesPaused(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		paused, byUser := subscription(1), subscription(2)
		paused.Status, paused.Attempt = store.SubscriptionPaused, 4
		byUser.Status = store.SubscriptionPaused
		load(t, s, paused, byUser)
		b, box := newBank(t, 0), &mailbox{}
		r, shop := runner(t, s, bankClient{b.URL}, box), s.As(admin)
		run(t, r, store.PaymentsJob, due)
		if b.requests() != 0 {
			t.Errorf("run: got %d requests to the payment service, want none for a paused subscription", b.requests())
		}
		if _, err := r.Retry(t.Context(), admin, form(t, s, byUser)); store.KindOf(err) != store.Conflict {
			t.Errorf("paused by a user: got %v, want Conflict, because no payment is open", err)
		}
		b.decline = func(string) bool { return true }
		if outcome, err := r.Retry(t.Context(), admin, form(t, s, paused)); err != nil || outcome != store.OutcomeDeclined {
			t.Errorf("got the outcome %s, %v, want declined", outcome, err)
		}
		if after := get(t, s, paused); after.Status != store.SubscriptionPaused || after.Attempt != 5 || len(kindsOf(t, s, paused.AccountID)) != 0 {
			t.Errorf("declined: got the subscription %+v, want it paused, without an email", after)
		}
		edited := get(t, s, paused)
		edited.PaymentDetails = store.PaymentDetails{Card: "4111111111119876", Customer: "cus_1", Method: "pm_2"}
		if err := shop.EditPaymentMethod(t.Context(), form(t, s, paused), edited); err != nil {
			t.Fatal(err)
		}
		b.decline = func(string) bool { return false }
		if outcome, err := r.Retry(t.Context(), admin, form(t, s, paused)); err != nil || outcome != store.OutcomePaid {
			t.Errorf("got the outcome %s, %v, want paid", outcome, err)
		}
		after := get(t, s, paused)
		if after.Status != store.SubscriptionActive || !after.NextPaymentDate.Equal(due.AddDate(0, 1, 0)) || after.Attempt != 0 || len(receipts(t, s, paused.AccountID)) != 1 {
			t.Errorf("paid: got the subscription %+v, want it active with the payment of the next month", after)
		}
		if after.PaymentDetails.Card != "9876" || after.PaymentDetails.Method != "pm_2" {
			t.Errorf("got %+v, want the new payment method", after.PaymentDetails)
		}
		found, err := shop.EventsOfAccount(t.Context(), paused.AccountID, store.Page{})
		if err != nil || len(found.Rows) != 3 || found.Rows[1].Before != "card •••• 1234, payment method pm_1" || found.Rows[1].After != "card •••• 9876, payment method pm_2" {
			t.Errorf("got events %+v, %v, want the payment methods with four digits", found.Rows, err)
		}
	})
}

// TestRetry_ResumesPausedWithReceipt imports a receipt while a user retries the payment of a
// paused subscription. The payment succeeds, so the subscription must become active.
func TestRetry_ResumesPausedWithReceipt(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		paused := subscription(1)
		paused.Status, paused.Attempt = store.SubscriptionPaused, 4
		load(t, s, paused)
		before := get(t, s, paused)
		attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, store.RunContext{By: "admin"})
		if err != nil {
			t.Fatal(err)
		}
		receipt := &store.Receipt{AccountID: paused.AccountID, SubscriptionID: paused.ID, SKU: paused.SKU, DueDate: due, Email: paused.Email, ProcessedDate: clock.Now(), ProcessedAmount: paused.PaymentAmount, Version: 1}
		if loaded, err := s.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		if paid, err := s.RecordPayment(t.Context(), attempted, "ref", store.RunContext{By: "admin"}); err != nil || paid {
			t.Fatalf("got paid %t, %v; want false, because the payment already has a receipt", paid, err)
		}
		if after := get(t, s, paused); after.Status != store.SubscriptionActive || after.Attempt != 0 || !after.NextPaymentDate.After(due) {
			t.Errorf("got the subscription %+v, want it active with a later payment", after)
		}
	})
}

// TestRun_ResumesOnlyAfterRetry pauses a subscription while a run is charging its payment.
// The payment succeeds, but the subscription must stay paused.
func TestRun_ResumesOnlyAfterRetry(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		sub := subscription(1)
		load(t, s, sub)
		b := newBank(t, 0)
		b.decline = func(string) bool {
			if err := s.As(admin).PauseSubscription(t.Context(), form(t, s, sub)); err != nil {
				t.Error(err)
			}
			return false
		}
		run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if after := get(t, s, sub); after.Status != store.SubscriptionPaused || len(receipts(t, s, sub.AccountID)) != 1 {
			t.Errorf("got the subscription %+v, want it paused with a receipt", after)
		}
	})
}

// TestEnd_OfKeptSubscription sets a subscription to end, and undoes this after a run has
// read it. The run must not cancel the subscription.
func TestEnd_OfKeptSubscription(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		sub := subscription(1)
		sub.Ending = true
		load(t, s, sub)
		read := get(t, s, sub)
		if err := s.As(admin).KeepSubscription(t.Context(), form(t, s, sub)); err != nil {
			t.Fatal(err)
		}
		if ended, err := s.End(t.Context(), &read, store.RunContext{Job: store.PaymentsJob, Date: due}); err != nil || ended {
			t.Errorf("got %t, %v, want no end", ended, err)
		}
		if after := get(t, s, sub); after.Status != store.SubscriptionActive {
			t.Errorf("got the status %s, want active", after.Status)
		}
	})
}

// TestRetry_OfPausedWithUnknownOutcome retries the payment of a paused subscription, while
// the payment service charges it but does not answer. The run of the day must find out that
// the customer paid.
func TestRetry_OfPausedWithUnknownOutcome(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		paused := subscription(1)
		paused.Status, paused.Attempt = store.SubscriptionPaused, 4
		paused.NextPaymentDate, paused.NextAttemptDate = due.AddDate(0, 0, -10), due.AddDate(0, 0, -3)
		load(t, s, paused)
		b := newBank(t, 0)
		lost := runner(t, s, bankClient{"http://127.0.0.1:1"}, &mailbox{})
		if _, err := lost.Retry(t.Context(), admin, form(t, s, paused)); store.KindOf(err) != store.Conflict {
			t.Fatalf("got %v, want Conflict, because the outcome is unknown", err)
		}
		attempted := get(t, s, paused)
		b.charges[attempted.PendingAttempt.Key] = 1
		run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due)
		if after := get(t, s, paused); after.Status != store.SubscriptionActive || len(receipts(t, s, paused.AccountID)) != 1 {
			t.Errorf("got the subscription %+v, want it active with a receipt", after)
		}
	})
}
