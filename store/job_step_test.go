package store

import (
	"testing"
	"time"
)

// TestStep_LooksUpBeforeKeyIsForgotten takes the next step of an attempt shortly
// before and after the processor may have forgotten its key. The clocks of two
// servers may differ, and a request takes time.
func TestStep_LooksUpBeforeKeyIsForgotten(t *testing.T) {
	made := at("2026-11-21T10:00:00Z")
	s := Subscription{Status: SubscriptionActive, PendingAttempt: PaymentAttempt{Key: "k", At: made}}
	for age, want := range map[time.Duration]Step{
		22 * time.Hour:                StepRepeat,
		23*time.Hour + 30*time.Minute: StepLookUp,
		25 * time.Hour:                StepLookUp,
	} {
		if got := s.Step(DefaultSettings(), PaymentsJob, time.Time{}, made.Add(age)); got != want {
			t.Errorf("%v after the attempt: got %s, want %s", age, got, want)
		}
	}
}
