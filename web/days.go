package web

import (
	"strconv"
	"strings"
	"time"
)

// firstYear is the earliest accepted year.
const firstYear = 1900

// maxDays is the largest number of days in periods such as "30 days ago" and "last 7 days".
const maxDays = 3660

// ParseDays parses a date or a period as people type it, such as 2026-11-21, 21.11.2026,
// 2026-11, 2026, today, yesterday, this week, last month, next week, nov, november 2025, last 7
// days, 30 days ago. It returns the first and last day, at midnight UTC. The result ok is false
// if the text is invalid. The last 7 days include today. A month without a year is the
// latest one that has begun. Weeks start on Monday.
func ParseDays(text string, now time.Time) (first, last time.Time, ok bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	for _, form := range []struct {
		layout              string
		years, months, days int // length of the period
	}{
		{"2006-01-02", 0, 0, 1},
		{"2 Jan 2006", 0, 0, 1},
		{"2.1.2006", 0, 0, 1},
		{"2006-01", 0, 1, 0},
		{"Jan 2006", 0, 1, 0},
		{"January 2006", 0, 1, 0},
		{"2006", 1, 0, 0},
	} {
		if day, err := time.Parse(form.layout, text); err == nil && day.Year() >= firstYear {
			return day, day.AddDate(form.years, form.months, form.days-1), true
		}
	}
	return parseWords(text, today)
}

// isRelativePeriod reports whether the first word of text is "this", "last" or "next", as in
// "this week", "next month" or "last 7 days".
func isRelativePeriod(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	return first == "this" || first == "last" || first == "next"
}

func parseWords(text string, today time.Time) (first, last time.Time, ok bool) {
	week := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	month := today.AddDate(0, 0, 1-today.Day())
	year := time.Date(today.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	through := func(first time.Time, years, months, days int) (time.Time, time.Time, bool) {
		return first, first.AddDate(years, months, days).AddDate(0, 0, -1), true
	}
	switch text {
	case "today":
		return today, today, true
	case "yesterday":
		return through(today.AddDate(0, 0, -1), 0, 0, 1)
	case "tomorrow":
		return through(today.AddDate(0, 0, 1), 0, 0, 1)
	case "this week":
		return through(week, 0, 0, 7)
	case "last week":
		return through(week.AddDate(0, 0, -7), 0, 0, 7)
	case "next week":
		return through(week.AddDate(0, 0, 7), 0, 0, 7)
	case "this month":
		return through(month, 0, 1, 0)
	case "last month":
		return through(month.AddDate(0, -1, 0), 0, 1, 0)
	case "next month":
		return through(month.AddDate(0, 1, 0), 0, 1, 0)
	case "this year":
		return through(year, 1, 0, 0)
	case "last year":
		return through(year.AddDate(-1, 0, 0), 1, 0, 0)
	case "next year":
		return through(year.AddDate(1, 0, 0), 1, 0, 0)
	}
	if n, ok := parseNumber(text, "last ", " days"); ok && n > 0 {
		return today.AddDate(0, 0, 1-n), today, true
	}
	if n, ok := parseNumber(strings.Replace(text, "day ago", "days ago", 1), "", " days ago"); ok {
		return through(today.AddDate(0, 0, -n), 0, 0, 1)
	}
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if len(text) < 3 || (text != name && text != name[:3]) {
			continue
		}
		first := time.Date(today.Year(), m, 1, 0, 0, 0, 0, time.UTC)
		if first.After(today) {
			first = first.AddDate(-1, 0, 0)
		}
		return through(first, 0, 1, 0)
	}
	return first, last, false
}

// parseNumber returns the number between a prefix and a suffix, up to maxDays.
func parseNumber(text, prefix, suffix string) (n int, ok bool) {
	text, found := strings.CutPrefix(text, prefix)
	digits, ended := strings.CutSuffix(text, suffix)
	n, err := strconv.Atoi(digits)
	return n, found && ended && err == nil && n >= 0 && n <= maxDays && digits == strconv.Itoa(n)
}
