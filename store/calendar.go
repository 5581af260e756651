package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// Today returns the current day of the business, in its time zone, as midnight UTC.
func (s *Store) Today(ctx context.Context) (time.Time, error) {
	settings, err := s.Settings(ctx)
	return dayIn(s.now(), settings.Zone()), err
}

// dayIn returns the calendar day of a time in a zone, as midnight UTC.
func dayIn(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func daysBetween(first, last time.Time) int { return int(last.Sub(first) / (24 * time.Hour)) }

// calendarDay formats a day as the table stores it. It formats the zero time as "".
func calendarDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(key.Day)
}

// longDay formats a day for sentences, such as 21 Nov 2026.
func longDay(day time.Time) string { return day.Format("2 Jan 2006") }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
