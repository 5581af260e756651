package store

import (
	"fmt"
	"time"
)

// Quarter is a calendar quarter. The zero Quarter means no quarter.
type Quarter struct{ Year, Number int } // Number is 1 to 4

// QuarterOf returns the quarter that contains t, in the time zone of t.
func QuarterOf(t time.Time) Quarter {
	return Quarter{t.Year(), (int(t.Month())-1)/3 + 1}
}

// ParseQuarter parses a quarter in the format of keys, such as 2026-Q4. It returns
// Invalid for other text.
func ParseQuarter(text string) (Quarter, error) {
	var q Quarter
	if _, err := fmt.Sscanf(text, "%4d-Q%1d", &q.Year, &q.Number); err != nil || q.Number > 4 || q.String() != text {
		return Quarter{}, InvalidField("period", "“%s” is not a quarter. Enter one like 2026-Q4.", text)
	}
	return q, nil
}

// String returns the quarter in the format of keys. It returns "" for the zero
// Quarter.
func (q Quarter) String() string {
	if q.Year < 1 || q.Number < 1 {
		return ""
	}
	return fmt.Sprintf("%04d-Q%d", q.Year, q.Number)
}

// MarshalText returns the quarter in the format of keys.
func (q Quarter) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// Plus returns the quarter that is the given number of quarters later, or earlier if the
// number is negative.
func (q Quarter) Plus(quarters int) Quarter {
	n := q.Year*4 + q.Number - 1 + quarters
	return Quarter{n / 4, n%4 + 1}
}

// Days returns the days of the quarter.
func (q Quarter) Days() DateRange {
	first := time.Date(q.Year, time.Month(q.Number*3-2), 1, 0, 0, 0, 0, time.UTC)
	return DateRange{From: first, To: first.AddDate(0, 3, -1)}
}
