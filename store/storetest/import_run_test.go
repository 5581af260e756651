package storetest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestImportRun_RecordsResultAndEvent checks the record and the events of an import that
// fails and is then repeated.
func TestImportRun_RecordsResultAndEvent(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	admin := s.As(&store.User{Name: "kim", Role: store.Admin})
	run := store.ImportRun{ID: s.NewToken(), Files: []store.ImportFile{{Name: "orders.csv", Size: 9, Digest: "ab12"}}}
	record := func(state store.ImportState, sum store.ImportCounts, failure error) error {
		clock.Advance(time.Second)
		return admin.RecordImport(t.Context(), run, func(ctx context.Context, r *store.ImportRun) error {
			if running, err := admin.Import(ctx, run.ID); err != nil || running.State != store.ImportRunning || running.By != "kim" {
				t.Errorf("while it runs: got %+v, %v, want a running import by kim", running, err)
			}
			if err := admin.RecordImport(ctx, run, nil); store.KindOf(err) != store.Conflict {
				t.Errorf("a second run: got %v, want Conflict", err)
			}
			r.State, r.Sum = state, sum
			return failure
		})
	}
	broken := errors.New("the disk is full")
	if err := record(store.ImportStopped, store.ImportCounts{Read: 3, Added: 3}, broken); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the work", err)
	}
	if err := record(store.ImportDone, store.ImportCounts{Read: 5, Added: 2, Unchanged: 3}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := admin.Imports(t.Context(), store.Page{Limit: 10})
	if err != nil || len(list.Rows) != 1 || list.Rows[0].State != store.ImportDone || list.Rows[0].Sum.Read != 5 {
		t.Fatalf("got %+v, %v, want the repeated import once", list.Rows, err)
	}
	events, err := admin.Events(t.Context(), store.EventFilter{About: "import#" + run.ID}, store.Page{Limit: 10})
	if err != nil || len(events.Rows) != 2 {
		t.Fatalf("got %+v, %v, want two events", events.Rows, err)
	}
	last := events.Rows[0]
	if last.Sentence() != "Imported orders.csv" || last.By != "kim" || !strings.Contains(last.Why, "ab12") || !strings.Contains(last.After, "5 read, 2 added, 3 unchanged") {
		t.Errorf("got %q by %s, %q, %q, want the import of orders.csv by kim with its hash and its numbers", last.Sentence(), last.By, last.Why, last.After)
	}
}

// TestImportRun_CountsAsInterruptedWithoutHeartbeat checks that an import counts as
// interrupted after two minutes without a heartbeat.
func TestImportRun_CountsAsInterruptedWithoutHeartbeat(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	admin := s.As(&store.User{Name: "kim", Role: store.Admin})
	run := store.ImportRun{ID: s.NewToken(), By: "kim", State: store.ImportRunning, Began: clock.Now(), Updated: clock.Now(), Files: []store.ImportFile{{Name: "a.csv"}}, Version: 1}
	if err := loadAll(t.Context(), s, []store.Entity{&run}); err != nil {
		t.Fatal(err)
	}
	stateOf := func() store.ImportState {
		found, err := admin.Import(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		return found.StateAt(clock.Now())
	}
	if got := stateOf(); got != store.ImportRunning {
		t.Errorf("at first: got %s, want running", got)
	}
	clock.Advance(2 * time.Minute)
	if got := stateOf(); got != store.ImportInterrupted {
		t.Errorf("after two minutes: got %s, want interrupted", got)
	}
	for range 2 {
		if err := s.MarkImportInterrupted(t.Context(), run.ID, "kim"); err != nil {
			t.Fatal(err)
		}
	}
	events, err := admin.Events(t.Context(), store.EventFilter{About: "import#" + run.ID}, store.Page{Limit: 10})
	if err != nil || len(events.Rows) != 1 || events.Rows[0].What != store.EventImportInterrupted {
		t.Errorf("got %+v, %v, want one event of the interruption", events.Rows, err)
	}
	if err := s.MarkImportInterrupted(t.Context(), "none", "kim"); err != nil {
		t.Errorf("unknown import: got %v, want nil", err)
	}
}

// TestImportMapping_ReplacesAndLimits checks that a new mapping replaces an earlier
// one for the same header, and that a mapping that is too large is rejected.
func TestImportMapping_ReplacesAndLimits(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	admin := s.As(&store.User{Name: "kim", Role: store.Admin})
	for _, text := range []string{"files: {}", "files: {a: 1}"} {
		if err := admin.RememberImportMapping(t.Context(), "ab", text); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := admin.ImportMapping(t.Context(), "ab"); err != nil || found.Text != "files: {a: 1}" || found.By != "kim" {
		t.Errorf("got %+v, %v, want the second mapping by kim", found, err)
	}
	if err := admin.RememberImportMapping(t.Context(), "ab", strings.Repeat("x", store.MaxImportMapping+1)); store.KindOf(err) != store.Invalid {
		t.Errorf("too large: got %v, want Invalid", err)
	}
}
