package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// declining is a payment service that declines all charges.
type declining struct{ jobs.Record }

func (declining) Charge(context.Context, jobs.Charge) (jobs.Outcome, error) {
	return jobs.Outcome{Declined: true, Reason: "card expired"}, nil
}

// TestRetryPayment_Repeated retries a declined payment, and submits the same form again. The
// second message must not say that the payment was charged.
func TestRetryPayment_Repeated(t *testing.T) {
	day := storetest.Day(2026, time.November, 20)
	b := open(t, &store.Subscription{
		ID: "subdue", AccountID: "c01", SKU: "PLAN", Status: store.SubscriptionPastDue, Attempt: 1, PaymentDay: 20, PaymentAmount: store.MinorUnits(9_00),
		Email: "customer1@example.com", NextPaymentDate: day, NextAttemptDate: day.AddDate(0, 0, 5), NextReminderDate: day, Version: 1,
	})
	b.site.jobs = jobs.New(jobs.Config{Store: b.store, Processor: declining{}, Log: slog.New(slog.DiscardHandler)})
	defer b.site.jobs.Close()
	support := b.as(t, "support")
	const path = "/accounts/c01/subscriptions/subdue/PLAN/retry"
	form := hiddenFields(support.get(path).body)
	for _, want := range []string{"Payment declined again.", "No payment was charged this time."} {
		if got := support.post(path, form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
		if page := content(support.get("/accounts/c01").body); !strings.Contains(page, want) || strings.Contains(page, "Payment charged") {
			t.Errorf("got %s, want %q", page, want)
		}
	}
}
