package views_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestWhyChargedPage_Tense checks that a payment that only its receipt tells is in the past,
// and that an expected payment is not.
func TestWhyChargedPage_Tense(t *testing.T) {
	for reason, want := range map[store.ChargeReason]string{store.ReasonPaid: " was charged", store.ReasonDue: " will be charged"} {
		answer := &store.ChargeAnswer{Day: time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC), Reason: reason, Charges: true, Amount: store.MinorUnits(500)}
		page := markup(t, views.WhyChargedPage(views.WhyCharged{Page: signedIn(), Answer: answer}))
		if !strings.Contains(page, want) {
			t.Errorf("%s: got a page without %q: %s", reason, want, page)
		}
	}
}
