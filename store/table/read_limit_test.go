package table_test

import (
	"context"
	"testing"
	"time"

	"stockroom/store/table"
)

func TestReadLimit_SpacesReads(t *testing.T) {
	now := time.Unix(0, 0)
	l := table.NewReadLimit(100)
	l.Now = func() time.Time { return now }
	var paused time.Duration
	l.Pause = func(_ context.Context, d time.Duration) error {
		paused, now = d, now.Add(d)
		return nil
	}
	for i, read := range []struct {
		units float64
		idle  time.Duration // time without reads before this read
		want  time.Duration
	}{
		{units: 50, want: 500 * time.Millisecond},
		{units: 0.5, want: 5 * time.Millisecond},
		{units: 100, idle: 300 * time.Millisecond, want: time.Second},
		{units: 128, want: 1280 * time.Millisecond},
	} {
		now = now.Add(read.idle)
		if err := l.Wait(t.Context(), read.units); err != nil || paused != read.want {
			t.Errorf("read %d: got a pause of %s, %v; want %s", i, paused, err, read.want)
		}
	}
	if err := table.NewReadLimit(0).Wait(t.Context(), 1e9); err != nil {
		t.Errorf("no limit: got %v, want no error", err)
	}
}
