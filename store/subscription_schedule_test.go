package store_test

import (
	"testing"
	"time"

	"stockroom/store"
)

func calendarDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// TestNextPayment_IsMonthly checks that payments are monthly for every payment day
// over ten years, from each day of a leap year and of the following winter.
func TestNextPayment_IsMonthly(t *testing.T) {
	first := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)
	for start := first; start.Year() < 2025 || start.Month() < time.March; start = start.AddDate(0, 0, 1) {
		for day := 1; day <= 31; day++ {
			due := store.FirstPayment(start, day)
			if due.Before(start) || due.Sub(start) > 31*24*time.Hour {
				t.Fatalf("first payment on day %d from %s: got %s, want within 31 days", day, calendarDay(start), calendarDay(due))
			}
			for range 120 {
				last := time.Date(due.Year(), due.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
				if due.Day() != min(day, last) {
					t.Fatalf("payment day %d: got due day %s, want day %d", day, calendarDay(due), min(day, last))
				}
				next := store.NextPayment(due, day)
				if months := 12*(next.Year()-due.Year()) + int(next.Month()-due.Month()); months != 1 {
					t.Fatalf("payment day %d after %s: got %s, want the next month", day, calendarDay(due), calendarDay(next))
				}
				if store.FirstPayment(due.AddDate(0, 0, 1), day) != next {
					t.Fatalf("payment day %d, first payment after %s: got %s, want %s", day, calendarDay(due), calendarDay(store.FirstPayment(due.AddDate(0, 0, 1), day)), calendarDay(next))
				}
				if next.Sub(due) <= store.MaxReminderDays*24*time.Hour {
					t.Fatalf("payment day %d: got payments on %s and %s, want more than %d days between them", day, calendarDay(due), calendarDay(next), store.MaxReminderDays)
				}
				due = next
			}
		}
	}
}

func TestNextAttempt(t *testing.T) {
	due := at("2026-02-27T00:00:00Z")
	for _, tt := range []struct {
		name     string
		today    string
		declined int
		want     string // "" if the subscription is paused
	}{
		{"on the due day", "2026-02-27", 1, "2026-02-28"},
		{"a day later", "2026-02-28", 2, "2026-03-02"},
		{"three days later", "2026-03-02", 3, "2026-03-06"},
		{"seven days later", "2026-03-06", 4, ""},
		{"late, one attempt per day", "2026-03-01", 1, "2026-03-02"},
		{"after the last retry day", "2026-05-01", 1, "2026-05-02"},
		{"by a user between retries", "2026-03-03", 5, "2026-03-06"},
		{"by a user after the last retry", "2026-03-07", 5, ""},
	} {
		day, retry := store.DefaultSettings().NextAttempt(due, at(tt.today+"T00:00:00Z"), tt.declined)
		if retry != (tt.want != "") || calendarDay(day) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, calendarDay(day), tt.want)
		}
	}
}

func TestNextAttempt_OfRetryDays(t *testing.T) {
	settings := store.DefaultSettings()
	settings.RetryDays = "2, 5"
	due := at("2026-02-01T00:00:00Z")
	for declined, want := range []string{1: "2026-02-03", 2: "2026-02-06", 3: ""} {
		if declined == 0 {
			continue
		}
		today := due.AddDate(0, 0, []int{0, 0, 2, 5}[declined])
		day, retry := settings.NextAttempt(due, today, declined)
		if retry != (want != "") || calendarDay(day) != want {
			t.Errorf("after %d attempts: got %q, want %q", declined, calendarDay(day), want)
		}
	}
}

func TestNewTotals_UseTimeZone(t *testing.T) {
	late := at("2026-03-31T23:30:00Z")
	for zone, want := range map[string]string{"UTC": "2026-03-31", "Europe/Stockholm": "2026-04-01", "America/Los_Angeles": "2026-03-31", "Pacific/Kiritimati": "2026-04-01"} {
		settings := store.DefaultSettings()
		settings.TimeZone = zone
		day := func(tally store.Tally) string {
			return calendarDay(store.NewTotals(settings, []store.Tally{tally})[0].Day)
		}
		if got := day(store.Tally{At: late}); got != want {
			t.Errorf("day in %s: got %s, want %s", zone, got, want)
		}
		s := &store.Subscription{ID: "1", Status: store.SubscriptionActive, NextPaymentDate: at("2026-03-29T00:00:00Z")} // the day on which daylight saving time begins
		if got := day(store.SubscriptionTallies(settings, []store.Entity{s})[0]); got != "2026-03-29" {
			t.Errorf("total of a payment due on 2026-03-29 in %s: got %s, want 2026-03-29", zone, got)
		}
	}
}
