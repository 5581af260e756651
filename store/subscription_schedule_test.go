package store

import (
	"testing"
	"time"
)

// TestPaymentsFallOnceAMonth goes through ten years of every payment day from
// every day of a leap year and of the winter behind it.
func TestPaymentsFallOnceAMonth(t *testing.T) {
	first := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)
	for start := first; start.Year() < 2025 || start.Month() < time.March; start = start.AddDate(0, 0, 1) {
		for day := 1; day <= 31; day++ {
			due := FirstPayment(start, day)
			if due.Before(start) || due.Sub(start) > 31*24*time.Hour {
				t.Fatalf("the first payment on day %d from %s is on %s", day, calendarDay(start), calendarDay(due))
			}
			for range 120 {
				last := time.Date(due.Year(), due.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
				if due.Day() != min(day, last) {
					t.Fatalf("day %d falls on %s", day, calendarDay(due))
				}
				next := NextPayment(due, day)
				if months := 12*(next.Year()-due.Year()) + int(next.Month()-due.Month()); months != 1 {
					t.Fatalf("day %d goes from %s to %s", day, calendarDay(due), calendarDay(next))
				}
				if FirstPayment(due.AddDate(0, 0, 1), day) != next {
					t.Fatalf("day %d: the first payment after %s is not %s", day, calendarDay(due), calendarDay(next))
				}
				if next.Sub(due) <= maxReminderDays*24*time.Hour {
					t.Fatalf("day %d: the reminder of %s may go out before %s is paid", day, calendarDay(next), calendarDay(due))
				}
				due = next
			}
		}
	}
}

func TestAttempts(t *testing.T) {
	due := at("2026-02-27T00:00:00Z")
	for _, tt := range []struct {
		name     string
		today    string
		declined int
		want     string // "" is a pause
	}{
		{"on the due day", "2026-02-27", 1, "2026-02-28"},
		{"a day later", "2026-02-28", 2, "2026-03-02"},
		{"three days later", "2026-03-02", 3, "2026-03-06"},
		{"seven days later", "2026-03-06", 4, ""},
		{"late: not twice on one day", "2026-03-01", 1, "2026-03-02"},
		{"so late that no day is left", "2026-05-01", 1, "2026-05-02"},
		{"by hand in between", "2026-03-03", 5, "2026-03-06"},
		{"by hand at the end", "2026-03-07", 5, ""},
	} {
		day, again := nextAttempt(due, at(tt.today+"T00:00:00Z"), tt.declined)
		if again != (tt.want != "") || calendarDay(day) != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, calendarDay(day), tt.want)
		}
	}
}

// TestDaysAreThoseOfTheBusiness looks at an hour that is two days apart in the
// world.
func TestDaysAreThoseOfTheBusiness(t *testing.T) {
	late := at("2026-03-31T23:30:00Z")
	for zone, want := range map[string]string{"UTC": "2026-03-31", "Europe/Stockholm": "2026-04-01", "America/Los_Angeles": "2026-03-31", "Pacific/Kiritimati": "2026-04-01"} {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := calendarDay(dayIn(late, place)); got != want {
			t.Errorf("in %s it is %s, want %s", zone, got, want)
		}
		s := &Subscription{ID: "1", Status: SubscriptionActive, NextPaymentDate: at("2026-03-29T00:00:00Z")} // the clocks change
		tally, _ := s.dueTally(place)
		sums := totalSums{zone: place, shards: 1}
		sums.add(tally)
		if got := calendarDay(sums.totals[0].Day); got != "2026-03-29" {
			t.Errorf("in %s a payment due on 29 March counts on %s", zone, got)
		}
	}
}
