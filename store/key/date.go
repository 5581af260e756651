package key

import "time"

// Formats of times in keys and attributes, for time.Format. The texts have a fixed length,
// so that they sort by time. Instants are in UTC. A day can also be a day in the time zone
// of the business.
const (
	Instant = "2006-01-02T15:04:05Z"
	Day     = "2006-01-02"
	Month   = "2006-01"
)

// The bounds of a range without a first or last day. They sort before and after every
// date.
const (
	MinDate = "0"
	MaxDate = "~"
)

// Time formats a time for keys. It formats the zero time as "".
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(Instant)
}

// Days is a range of calendar days in the business's time zone. From and To are
// included. A zero From or To leaves that end open; a nil Zone is UTC.
type Days struct {
	From, To time.Time
	Zone     *time.Location
}

// Bounds returns the first and the last instant of the range, formatted for keys. To
// include keys with suffixes such as #id, append ~ to the last instant.
func (d Days) Bounds() (from, to string) {
	from, to = MinDate, MaxDate
	if !d.From.IsZero() {
		from = Time(d.midnight(d.From, 0))
	}
	if !d.To.IsZero() {
		to = Time(d.midnight(d.To, 1).Add(-time.Second))
	}
	return from, to
}

// Months returns the UTC months of the range, newest first. It returns none if the range is
// open at either end or ends before it starts.
func (d Days) Months() []string {
	if d.From.IsZero() || d.To.IsZero() {
		return nil
	}
	first := d.midnight(d.From, 0).UTC()
	last := d.midnight(d.To, 1).Add(-time.Second).UTC()
	if last.Before(first) {
		return nil
	}
	var months []string
	for m := monthOf(last); !m.Before(monthOf(first)); m = m.AddDate(0, -1, 0) {
		months = append(months, m.Format(Month))
	}
	return months
}

// midnight returns the start of a day: the day of t plus a number of days.
func (d Days) midnight(t time.Time, plus int) time.Time {
	zone := d.Zone
	if zone == nil {
		zone = time.UTC
	}
	return StartOfDay(t.Year(), t.Month(), t.Day()+plus, zone)
}

// StartOfDay returns the first instant of a day in a time zone. When the clocks change at
// midnight, the day can have no midnight, or two. As in time.Date, the day can be outside its
// month.
func StartOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone)
	earlier := start.Add(-time.Hour)
	switch {
	case start.Day() != noon.Day(): // no midnight, and time.Date chose a time before the change
		_, start = start.ZoneBounds()
	case earlier.Day() == noon.Day(): // the second midnight, or a time after the change
		start = earlier
	}
	return start
}

func monthOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
