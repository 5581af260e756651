package storetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestFormToken_AppliesOnce checks that a form is applied once. Submitting it again
// with other values must return Conflict.
func TestFormToken_AppliesOnce(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		admin := s.As(&store.User{Name: "admin", Role: store.Admin})
		token := s.NewToken()
		note := func(text, token string) error { return admin.NoteOnCustomer(t.Context(), "c07", text, token) }
		for range 2 {
			if err := note("rang", token+".1"); err != nil {
				t.Fatal(err)
			}
		}
		err := note("rang twice", token+".2")
		if store.KindOf(err) != store.Conflict || !strings.Contains(err.Error(), "already submitted") {
			t.Errorf("same form with another note: got %v, want Conflict", err)
		}
		events, err := admin.EventsOfCustomer(t.Context(), "c07", store.Page{})
		if err != nil || len(events.Rows) != 1 || events.Rows[0].Why != "rang" {
			t.Errorf("got notes %+v, %v, want one note", events.Rows, err)
		}
	})
}

// TestFormToken_RejectsOtherTimes checks that forms reject tokens whose time is more than
// a day ago, or more than five minutes in the future.
func TestFormToken_RejectsOtherTimes(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		admin := s.As(&store.User{Name: "admin", Role: store.Admin})
		note := func(at time.Time) error {
			var id ulid.ULID
			if err := id.SetTime(ulid.Timestamp(at)); err != nil {
				t.Fatal(err)
			}
			return admin.NoteOnCustomer(t.Context(), "c07", "rang", id.String())
		}
		now := clock.Now()
		for _, at := range []time.Time{time.UnixMilli(0), now.Add(-25 * time.Hour), now.Add(6 * time.Minute), time.UnixMilli(int64(ulid.MaxTime()))} {
			if err := note(at); store.KindOf(err) != store.Invalid {
				t.Errorf("token of %s: got %v, want Invalid", at, err)
			}
		}
		for _, at := range []time.Time{now.Add(-23 * time.Hour), now.Add(time.Minute)} {
			if err := note(at); err != nil {
				t.Errorf("token of %s: got %v, want no error", at, err)
			}
		}
	})
}
