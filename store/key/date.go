package key

import "time"

// The forms in which keys and attributes hold time. Instant sorts as text
// because it is always UTC and always as long.
const (
	Instant = "2006-01-02T15:04:05Z"
	Day     = "2006-01-02"
	Month   = "2006-01"
)

// Open ends of a range: below and above every date.
const (
	FirstEver = "0"
	LastEver  = "~"
)

// Time is an instant as keys hold it; the zero time has none.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(Instant)
}

// Days is a range of calendar days, both included, in the time zone of the
// business. A zero From or To leaves that end open.
type Days struct {
	From, To time.Time
	Zone     *time.Location
}

// Bounds are the first and the last instant of the range, as keys hold them.
// Whoever asks appends ~ to the last, so that tails such as #id are inside.
func (d Days) Bounds() (from, to string) {
	from, to = FirstEver, LastEver
	if !d.From.IsZero() {
		from = Time(d.midnight(d.From, 0))
	}
	if !d.To.IsZero() {
		to = Time(d.midnight(d.To, 1).Add(-time.Second))
	}
	return from, to
}

// Months lists the UTC months that the range touches, newest first. A range
// that is open at an end has no first or no last month: it lists none, and
// neither does one that ends before it begins.
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

// midnight is when the day of t, plus so many days, begins in the zone. A day
// need not have a midnight: time.Date moves into the daylight-saving gap.
func (d Days) midnight(t time.Time, plus int) time.Time {
	zone := d.Zone
	if zone == nil {
		zone = time.UTC
	}
	return time.Date(t.Year(), t.Month(), t.Day()+plus, 0, 0, 0, 0, zone)
}

func monthOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
