package store_test

import (
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
)

// TestIDs_AscendAfterClockJump sets the clock back, as a time server may do. After a jump
// of 4 minutes, IDs must still ascend. After a jump of an hour, IDs must follow the
// clock, because the server would reject forms with later IDs.
func TestIDs_AscendAfterClockJump(t *testing.T) {
	at := time.Date(2026, time.November, 24, 12, 0, 0, 0, time.UTC)
	ids := store.NewIDs(func() time.Time { return at })
	last := ""
	for _, jump := range []time.Duration{0, 0, -4 * time.Minute, time.Minute, -time.Millisecond, 2 * time.Hour, 0} {
		at = at.Add(jump)
		id, err := ids.New()
		if err != nil || id <= last {
			t.Errorf("after a jump of %s: got %s, error %v; want more than %s", jump, id, err, last)
		}
		last = id
	}
	at = at.Add(-time.Hour)
	if id, err := ids.New(); err != nil || !ulid.MustParse(id).Timestamp().Equal(at) {
		t.Errorf("after a jump of an hour: got %s, error %v; want an ID of %s", id, err, at)
	}
}
