package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// unreadable returns a subscription that is due today, but whose payment day is 0.
// Stockroom never writes such an item.
func unreadable() store.Entity {
	day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	return &store.Subscription{
		ID: "odd", AccountID: "c00", SKU: "PLAN", Email: "Customer0@example.com", Status: store.SubscriptionActive, PaymentAmount: store.MinorUnits(900),
		NextPaymentDate: day, NextAttemptDate: day, NextReminderDate: day, Version: 1,
	}
}

// TestList_ShowsReadableRows requests lists with a row that cannot be decoded. Pages
// must name this row and show the other rows. Files must fail.
func TestList_ShowsReadableRows(t *testing.T) {
	b := open(t, unreadable())
	admin := b.as(t, "admin")
	const reason = "The item ACC#c00 / SUB#odd#SKU#PLAN cannot be read: its PaymentDay is not a day from 1 to 31."
	for path, row := range map[string]string{
		"/subscriptions?status=ACTIVE":          "sub04",
		"/jobs/payments/2026-11-21/dry-run":     "sub00",
		"/accounts/c00":                         "sub00",
		"/accounts/c00/subscriptions":           "sub00",
		"/accounts/c00/subscriptions?limit=100": "sub00",
	} {
		got := admin.get(path)
		if got.status != http.StatusOK || !strings.Contains(got.body, row) || !strings.Contains(got.body, reason) {
			t.Errorf("%s: got status %d, the row %t, the reason %t; want 200 and both", path, got.status, strings.Contains(got.body, row), strings.Contains(got.body, reason))
		}
	}
	for _, path := range []string{"/subscriptions.csv?status=ACTIVE", "/accounts/c00/subscriptions.csv"} {
		if got := admin.get(path); got.status == http.StatusOK && strings.Contains(got.body, "sub00") {
			t.Errorf("%s: got %d, want an error instead of a file without the row", path, got.status)
		}
	}
}
