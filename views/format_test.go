package views_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

func TestAppendMoney_FormatsByCurrency(t *testing.T) {
	for _, c := range []struct{ amount, currency, want string }{
		{"0", "EUR", "€0.00"},
		{"4.5", "EUR", "€4.50"},
		{"999.99", "EUR", "€999.99"},
		{"1000", "USD", "$1,000.00"},
		{"1234567.89", "GBP", "£1,234,567.89"},
		{"-12", "EUR", "−€12.00"},
		{"-1234.5", "EUR", "−€1,234.50"},
		{"0.0125", "EUR", "€0.0125"},
		{"0.125", "EUR", "€0.125"},
		{"1234", "JPY", "¥1,234"},
		{"1234.5", "JPY", "¥1,234.5"},
		{"1", "KWD", "KWD\u00a01.000"},
		{"12.3", "CHF", "CHF\u00a012.30"},
		{"12.3", "", "12.30"},
		{"9999999999.9999", "EUR", "€9,999,999,999.9999"},
	} {
		amount, err := store.ParseAmount(c.amount)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(views.AppendMoney(nil, amount, c.currency)); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.amount, c.currency, got, c.want)
		}
		if got := string(views.AppendMoney([]byte("x1234"), amount, c.currency)); got != "x1234"+c.want {
			t.Errorf("%s %s appended to x1234: got %q, want %q", c.amount, c.currency, got, "x1234"+c.want)
		}
	}
}

func TestAppendCount_GroupsThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567", -1000: "−1,000"} {
		if got := string(views.AppendCount(nil, n)); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestAppendTime_UsesTimeZone(t *testing.T) {
	late := time.Date(2026, 12, 31, 23, 30, 5, 0, time.UTC)
	for _, c := range []struct {
		zone      *time.Location
		day, time string
	}{
		{nil, "31 Dec 2026", "31 Dec 2026, 23:30"},
		{time.UTC, "31 Dec 2026", "31 Dec 2026, 23:30"},
		{zone(t, "Europe/Stockholm"), "1 Jan 2027", "1 Jan 2027, 00:30"},
		{zone(t, "Asia/Kolkata"), "1 Jan 2027", "1 Jan 2027, 05:00"},
		{zone(t, "America/New_York"), "31 Dec 2026", "31 Dec 2026, 18:30"},
	} {
		if got := string(views.AppendDay(nil, late, c.zone)); got != c.day {
			t.Errorf("%v: got %q, want %q", c.zone, got, c.day)
		}
		if got := string(views.AppendTime(nil, late, c.zone)); got != c.time {
			t.Errorf("%v: got %q, want %q", c.zone, got, c.time)
		}
	}
	if got := string(views.AppendDay(nil, time.Time{}, nil)) + string(views.AppendTime(nil, time.Time{}, nil)); got != "––" {
		t.Errorf("zero time: got %q, want ––", got)
	}
}

func TestRelativeDay_CountsCalendarDays(t *testing.T) {
	stockholm := zone(t, "Europe/Stockholm")
	at := func(text string) time.Time {
		moment, err := time.ParseInLocation("2006-01-02 15:04", text, stockholm)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, c := range []struct{ then, now, want string }{
		{"2026-11-21 23:59", "2026-11-21 00:00", "today"},
		{"2026-11-22 00:00", "2026-11-21 23:59", "tomorrow"},
		{"2026-11-20 23:59", "2026-11-21 00:00", "yesterday"},
		{"2026-11-24 08:00", "2026-11-21 20:00", "in 3 days"},
		{"2026-11-01 08:00", "2026-11-21 20:00", "20 days ago"},
		{"2026-03-30 00:30", "2026-03-28 23:30", "in 2 days"},  // the day in between has 23 hours
		{"2026-10-24 23:30", "2026-10-26 00:30", "2 days ago"}, // the day in between has 25 hours
		{"2028-03-01 12:00", "2028-02-28 12:00", "in 2 days"},  // 29 February is in between
		{"2027-01-01 00:00", "2026-12-31 23:00", "tomorrow"},
	} {
		if got := views.RelativeDay(at(c.then), at(c.now), stockholm); got != c.want {
			t.Errorf("%s at %s: got %q, want %q", c.then, c.now, got, c.want)
		}
	}
}
