package views_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestWhyChargedPage_Tense checks that the page uses the past tense for a charged payment,
// and the future tense for an expected payment.
func TestWhyChargedPage_Tense(t *testing.T) {
	for reason, want := range map[store.ChargeReason]string{store.ReasonPaid: " was charged", store.ReasonDue: " will be charged"} {
		answer := &store.ChargeAnswer{Day: time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC), Reason: reason, Charges: true, Amount: store.MinorUnits(500)}
		page := markup(t, views.WhyChargedPage(views.WhyCharged{Page: signedIn(), Answer: answer}))
		if !strings.Contains(page, want) {
			t.Errorf("%s: got a page without %q: %s", reason, want, page)
		}
	}
}

// TestWhyChargedPage_Known checks that the page says only what is recorded. The payment
// service may have charged nobody, or charged a payment on another day than its due day.
func TestWhyChargedPage_Known(t *testing.T) {
	day := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	late := &store.ChargeAnswer{Day: day, Reason: store.ReasonPaid, Charges: true, Due: day.AddDate(0, 0, -1)}
	if page := markup(t, views.WhyChargedPage(views.WhyCharged{Page: signedIn(), Answer: late})); !strings.Contains(page, "The payment due on 1 Mar 2026 was recorded as paid.") {
		t.Errorf("got a page without the due day: %s", page)
	}
	for reason, want := range map[store.ChargeReason]string{
		store.ReasonPaid:     "The payment was recorded as paid.",
		store.ReasonOtherDay: "was charged on 5 Mar 2026",
	} {
		answer := &store.ChargeAnswer{Day: day, Reason: reason, Charges: reason == store.ReasonPaid, Amount: store.MinorUnits(500), Charged: day.AddDate(0, 0, 3)}
		page := markup(t, views.WhyChargedPage(views.WhyCharged{Page: signedIn(), Answer: answer}))
		if !strings.Contains(page, want) || strings.Contains(page, "the customer paid") {
			t.Errorf("%s: got a page without %q: %s", reason, want, page)
		}
	}
}

// TestWhyChargedPage_Currency checks that the changes of the day show an amount with its
// currency.
func TestWhyChargedPage_Currency(t *testing.T) {
	declined := store.Event{What: store.EventPaymentDeclined, Why: "9.5 for subscription sub1, due 2 Mar 2026, attempt 1: card expired", By: "mia"}
	page := markup(t, views.WhyChargedPage(views.WhyCharged{Page: signedIn(), Answer: &store.ChargeAnswer{Events: []store.Event{declined}}}))
	if !strings.Contains(page, "€9.50 for subscription sub1, due 2 Mar 2026, attempt 1: card expired") {
		t.Errorf("got a page without the currency: %s", page)
	}
}
