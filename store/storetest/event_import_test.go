package storetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestLoad_RejectsEventsOfAccess loads events that only the program may record. They must
// be rejected, also in a dry run, and the other rows loaded. Some have the IDs of events
// that count failed sign-ins. The next failed sign-in must still be recorded.
func TestLoad_RejectsEventsOfAccess(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		hour := clock.Now().UTC().Truncate(time.Hour)
		failures := "failedSignIns#" + hour.Format("2006-01-02")
		var all []store.Entity
		for slot := range 65 {
			var id ulid.ULID
			if err := id.SetTime(ulid.Timestamp(hour)); err != nil {
				t.Fatal(err)
			}
			id[len(id)-1] = byte(slot)
			all = append(all, &store.Event{ID: id.String(), Partition: failures, When: hour, By: "vic", What: store.EventNote})
		}
		for i, code := range []store.EventCode{store.EventDownloaded, store.EventSignedIn, store.EventSignInFailed, store.EventImported} {
			all = append(all, &store.Event{ID: "01M80ZZZZZ000000000000000" + string(rune('A'+i)), Partition: "user#vic", When: hour, By: "vic", What: code})
		}
		customer := &store.Customer{ID: "c1", Name: "Kim", Version: 1}
		note := &store.Event{ID: "01M80ZZZZZ000000000000000X", Partition: "c#c1", When: hour, By: "vic", What: store.EventNote}
		all = append(all, customer, note)
		boss := s.As(admin)
		for _, dryRun := range []bool{true, false} {
			prepared, err := boss.Prepare(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			result, err := boss.Load(t.Context(), all, store.LoadOptions{DryRun: dryRun, Prepared: prepared})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Rejected) != len(all)-2 || result.Added["event"] != 1 || result.Added["customer"] != 1 {
				t.Errorf("dry run %v: got %d rejected and %v added, want %d rejected, 1 customer and 1 event", dryRun, len(result.Rejected), result.Added, len(all)-2)
			}
			for _, r := range result.Rejected {
				if !strings.Contains(r.Reason, "can't be imported") {
					t.Errorf("row %d: got the reason %q, want that such events can't be imported", r.Index, r.Reason)
				}
			}
		}
		if _, err := s.SignInFailed(t.Context(), store.SignInAttempt{Name: "boss", Network: "192.0.2.7"}, 0); err != nil {
			t.Errorf("failed sign-in: got error %v, want the failure recorded", err)
		}
		events, err := boss.Events(t.Context(), store.EventFilter{About: failures}, store.Page{Limit: 100})
		if err != nil || len(events.Rows) != 1 {
			t.Errorf("got %d events of failed sign-ins, error %v, want 1", len(events.Rows), err)
		}
	})
}
