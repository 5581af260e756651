package store

import (
	"testing"
	"time"
)

// TestStep_LooksUpBeforeKeyIsForgotten checks the next step shortly before and
// shortly after the lifetime of an attempt key. The limit is less than 24 hours,
// because requests take time and the clocks of servers differ.
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
