package handlers

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestWhyCharged_ShowsDeclinedRetry asks why a customer was charged on a day without a
// payment run, on which a retry was declined. The page must show the declined payment.
func TestWhyCharged_ShowsDeclinedRetry(t *testing.T) {
	b := open(t, &store.Event{
		ID: "01KA0000000000000000000000", Partition: "ACC#c01", When: storetest.Now.AddDate(0, 0, -5), By: "mia", What: store.EventPaymentDeclined,
		Why: "9 for subscription sub01, due 15 Nov 2026, attempt 1: card expired",
	})
	day := storetest.Now.AddDate(0, 0, -5).Format("2006-01-02")
	page := content(b.as(t, "support").get("/accounts/c01/subscriptions/sub01/PLAN/why?day=" + day).body)
	if !strings.Contains(page, "The payment was declined.") || strings.Contains(page, "No payment was due") {
		t.Errorf("got %s, want that the payment was declined", page)
	}
}
