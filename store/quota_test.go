package store_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/table"
)

func TestQuarter_Conversions(t *testing.T) {
	for moment, want := range map[string]string{
		"2026-01-01T00:00:00Z": "2026-Q1", "2026-03-31T23:59:59Z": "2026-Q1", "2026-04-01T00:00:00Z": "2026-Q2", "2026-12-31T23:59:59Z": "2026-Q4",
	} {
		q := store.QuarterOf(at(moment))
		if got := q.String(); got != want {
			t.Errorf("quarter of %s: got %s, want %s", moment, got, want)
		}
		if back, err := store.ParseQuarter(want); err != nil || back != q {
			t.Errorf("ParseQuarter(%q): got %v, %v, want %v", want, back, err, q)
		}
		days := q.Days()
		if m := at(moment).Truncate(24 * time.Hour); m.Before(days.From) || m.After(days.To) {
			t.Errorf("days of the quarter of %s: got %v, want a range that contains it", moment, days)
		}
	}
	first := store.Quarter{2026, 1}
	if last, later := first.Plus(-1), first.Plus(7); last != (store.Quarter{2025, 4}) || later != (store.Quarter{2027, 4}) {
		t.Errorf("quarters before and after %v: got %v and %v, want 2025-Q4 and 2027-Q4", first, last, later)
	}
	for _, text := range []string{"", "2026", "2026-Q0", "2026-Q5", "2026-Q", "26-Q1", "2026-q1", "2026-Q1 ", "2026-Q11", "-026-Q1", "0000-Q1"} {
		if q, err := store.ParseQuarter(text); store.KindOf(err) != store.Invalid {
			t.Errorf("ParseQuarter(%q): got %v, %v; want an error", text, q, err)
		}
	}
}

func TestQuota_SortsByOrderTotal(t *testing.T) {
	for text, want := range map[string]string{
		"0": "000000000000000", "12.5": "000000000001250", "9999999999.99": "000999999999999", "-3": "000000000000000",
		"9999999999999.99": "999999999999999", "10000000000000": "A1000000000000000", "99999999999999.99": "A9999999999999999", "100000000000000": "B10000000000000000",
	} {
		item, err := store.Encode(&store.Quota{EmployeeID: "7", Period: store.Quarter{2026, 4}, OrderTotal: sum(text)}, 1)
		if got := table.TextOf(item, "GSI1-SK"); err != nil || got != want+"#e#7" {
			t.Errorf("%s: got sort key %s, %v; want %s#e#7", text, got, err, want)
		}
	}
}
