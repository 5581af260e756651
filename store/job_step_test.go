package store_test

import (
	"testing"
	"time"

	"stockroom/store"
)

// TestStep_LooksUpBeforeKeyIsForgotten checks that the next step is to repeat an attempt
// before AttemptKeyLifetime, and to look it up afterwards.
func TestStep_LooksUpBeforeKeyIsForgotten(t *testing.T) {
	made := at("2026-11-21T10:00:00Z")
	s := store.Subscription{Status: store.SubscriptionActive, PendingAttempt: store.PaymentAttempt{Key: "k", At: made}}
	for age, want := range map[time.Duration]store.Step{
		22 * time.Hour:                store.StepRepeat,
		23*time.Hour + 30*time.Minute: store.StepLookUp,
		25 * time.Hour:                store.StepLookUp,
	} {
		if got := s.Step(store.DefaultSettings(), store.PaymentsJob, time.Time{}, made.Add(age)); got != want {
			t.Errorf("%v after the attempt: got %s, want %s", age, got, want)
		}
	}
}
