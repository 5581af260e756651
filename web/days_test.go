package web

import (
	"testing"
	"time"

	"stockroom/store/storetest"
)

func TestParseDays(t *testing.T) {
	now := time.Date(2026, time.November, 21, 23, 30, 0, 0, time.UTC) // a Saturday
	for text, want := range map[string]string{
		"2026-11-21": "2026-11-21 2026-11-21", "2028-02-29": "2028-02-29 2028-02-29", "21.11.2026": "2026-11-21 2026-11-21", "01.2.2026": "2026-02-01 2026-02-01", "21 Nov 2026": "2026-11-21 2026-11-21",
		"2028-02": "2028-02-01 2028-02-29", "2025": "2025-01-01 2025-12-31", "November 2025": "2025-11-01 2025-11-30", "nov 2025": "2025-11-01 2025-11-30",
		"today": "2026-11-21 2026-11-21", "Yesterday": "2026-11-20 2026-11-20", "tomorrow": "2026-11-22 2026-11-22",
		"this week": "2026-11-16 2026-11-22", "last  week": "2026-11-09 2026-11-15", "next week": "2026-11-23 2026-11-29", "Next month": "2026-12-01 2026-12-31", "next year": "2027-01-01 2027-12-31",
		"this month": "2026-11-01 2026-11-30", "last month": "2026-10-01 2026-10-31", "this year": "2026-01-01 2026-12-31", "last year": "2025-01-01 2025-12-31",
		"last 7 days": "2026-11-15 2026-11-21", "Last 1 days": "2026-11-21 2026-11-21", "30 days ago": "2026-10-22 2026-10-22", "1 day ago": "2026-11-20 2026-11-20", "0 days ago": "2026-11-21 2026-11-21",
		"nov": "2026-11-01 2026-11-30", "dec": "2025-12-01 2025-12-31", "february": "2026-02-01 2026-02-28",
	} {
		first, last, ok := ParseDays(text, now)
		if got := first.Format("2006-01-02") + " " + last.Format("2006-01-02"); !ok || got != want {
			t.Errorf("%q: got %s (%v), want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "2026-13-01", "2026-02-30", "21/11/2026", "no", "last 0 days", "last -1 days", "last 3661 days", "last 07 days", "last days", "x days ago", "99999999999999999999 days ago", "0000-01-01", "99999", "2026-11-21T00:00:00Z", "\x00"} {
		if first, last, ok := ParseDays(text, now); ok {
			t.Errorf("%q: got %v to %v, want it rejected", text, first, last)
		}
	}
}

func FuzzParseDays(f *testing.F) {
	f.Add("last month")
	f.Add("2026-11-21")
	f.Fuzz(func(t *testing.T, text string) {
		if first, last, ok := ParseDays(text, storetest.Now); ok && last.Before(first) {
			t.Errorf("%q: got %v to %v, want an end that is not before the start", text, first, last)
		}
	})
}
