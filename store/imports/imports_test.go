package imports

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func open(t *testing.T, s *store.Store, folder string) *Runner {
	t.Helper()
	r := New(Config{Store: s, Folder: folder, Log: slog.New(slog.DiscardHandler)})
	storetest.Cleanup(t, func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func receive(t *testing.T, r *Runner, id, name, content string) *Upload {
	t.Helper()
	x, err := r.Receive(admin, id)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Discard()
	if err := x.Add(name, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	u, err := x.Finish(t.Context(), r.Store.As(admin))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// dryRun starts a dry run of an upload, waits for its end and returns the result.
func dryRun(t *testing.T, r *Runner, id string) *Run {
	t.Helper()
	if err := r.StartDryRun(admin, id, Options{}); err != nil {
		t.Fatal(err)
	}
	storetest.WaitFor(t, "end of the dry run", func() bool { return r.Running() == nil })
	u, err := r.Upload(id)
	if err != nil {
		t.Fatal(err)
	}
	return u.DryRun
}

// TestStartImport_NotAfterEnd starts a finished import again, as from a page that was loaded
// before its end. An edit after the import must stay.
func TestStartImport_NotAfterEnd(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n1,Kim\n")
	dryRun(t, r, u.ID)
	if err := r.StartImport(admin, u.ID, nil); err != nil {
		t.Fatal(err)
	}
	storetest.WaitFor(t, "end of the import", func() bool { return r.Running() == nil })
	if err := r.StartImport(&store.User{Name: "lee", Role: store.Admin}, u.ID, nil); store.KindOf(err) != store.Conflict {
		t.Errorf("import again: got %v, want Conflict", err)
	}
	storetest.WaitFor(t, "end of the import", func() bool { return r.Running() == nil })
	record, err := r.Store.As(admin).Import(t.Context(), u.ID)
	if err != nil || record.By != "kim" || record.Sum.Added != 1 {
		t.Errorf("got the record %+v, error %v, want that of the first import", record, err)
	}
	dryRun(t, r, u.ID)
	if err := r.StartImport(admin, u.ID, nil); err != nil {
		t.Errorf("after another dry run: got %v, want no error", err)
	}
}

// TestImport_StopsWithoutPermission locks the user of a running import.
func TestImport_StopsWithoutPermission(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	r.userInterval = time.Millisecond
	user := &store.User{Name: "kim", Role: store.Admin, Version: 1}
	lee := &store.User{Name: "lee", Role: store.Admin, Version: 1} // kim can't be locked as the last admin
	if loaded, err := r.Store.Load(t.Context(), []store.Entity{user, lee}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	const rows = 30_000
	var file strings.Builder
	file.WriteString("CustomerID,Name\n")
	for n := range rows {
		fmt.Fprintf(&file, "c%d,Kim\n", n)
	}
	u := receive(t, r, r.Store.NewToken(), "customers.csv", file.String())
	if got := dryRun(t, r, u.ID); got.State != store.ImportDone {
		t.Fatalf("dry run: got %+v, want it done", got)
	}
	if err := r.StartImport(user, u.ID, nil); err != nil {
		t.Fatal(err)
	}
	storetest.WaitFor(t, "the first rows", func() bool { p := r.Running(); return p == nil || p.Rows > 0 })
	if err := r.Store.LockUser(t.Context(), "kim", "lee"); err != nil {
		t.Fatal(err)
	}
	storetest.WaitFor(t, "end of the import", func() bool { return r.Running() == nil })
	found, err := r.Upload(u.ID)
	if err != nil || found.Import.State != store.ImportStopped || found.Import.Sum.Read >= rows || !strings.Contains(strings.Join(found.Import.Problems, " "), "locked") {
		t.Errorf("got %+v, error %v, want a stopped import, because the user is locked", found.Import, err)
	}
}

// TestNew_MarksRunsOfKilledProcess checks that New marks an import as interrupted if the
// process that ran it was killed.
func TestNew_MarksRunsOfKilledProcess(t *testing.T) {
	clock := storetest.NewClock()
	s, folder := storetest.Open(t, clock), t.TempDir()
	id := s.NewToken()
	killed := open(t, s, folder)
	u := receive(t, killed, id, "customers.csv", "CustomerID,Name\n1,Kim\n")
	running := store.ImportRun{ID: id, By: "kim", State: store.ImportRunning, Began: clock.Now(), Updated: clock.Now(), Files: []store.ImportFile{{Name: "customers.csv"}}, Version: 1}
	if loaded, err := s.Load(t.Context(), []store.Entity{&running}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	u.DryRun, u.Import = &Run{State: store.ImportDone}, &Run{State: store.ImportRunning, By: "kim"}
	if err := killed.save(u); err != nil {
		t.Fatal(err)
	}
	next := open(t, s, folder)
	found, _, err := next.Status(id)
	if err != nil || found.Import.State != store.ImportInterrupted || !found.CanImport() {
		t.Errorf("got %+v, %v, want an interrupted import", found, err)
	}
	if err := next.Close(); err != nil { // Close waits until the interruption is recorded
		t.Fatal(err)
	}
	record, err := s.As(&store.User{Name: "kim", Role: store.Admin}).Import(t.Context(), id)
	if err != nil || record.State != store.ImportInterrupted {
		t.Errorf("got the record %+v, %v; want the state interrupted", record, err)
	}
}

// TestClean_RemovesOldestUploads checks that Clean removes the oldest uploads if there are
// more than the server keeps.
func TestClean_RemovesOldestUploads(t *testing.T) {
	clock := storetest.NewClock()
	r := open(t, storetest.Open(t, clock), t.TempDir())
	for range maxKept + 2 {
		u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n,Kim\n")
		u.Import = &Run{State: store.ImportDone, Rejected: []RejectedFile{{Name: "customers.csv.rejected.csv", Rows: 1}}}
		if err := r.removeFiles(u); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	r.Clean()
	if all, err := r.all(); err != nil || len(all) != maxKept {
		t.Errorf("got %d uploads, %v, want %d", len(all), err, maxKept)
	}
	clock.Advance(RejectedLife + time.Hour)
	r.Clean()
	if all, err := r.all(); err != nil || len(all) != 0 {
		t.Errorf("after a month: got %d uploads, %v, want none", len(all), err)
	}
}

func TestRejected_IsLimited(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	row := "," + strings.Repeat("x", 200<<10) + "\n"
	u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n"+strings.Repeat(row, 100))
	got := dryRun(t, r, u.ID)
	if len(got.Rejected) != 1 {
		t.Fatalf("got %+v, want one file with rejected rows", got)
	}
	if f := got.Rejected[0]; f.Rows == 0 || f.Rows > 82 || f.Rows+f.Full != 100 {
		t.Errorf("got %d rows and %d that did not fit, want 100 in all and at most 16 MB", f.Rows, f.Full)
	}
}
