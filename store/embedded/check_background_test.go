package embedded_test

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"stockroom/store/embedded"
)

func waitForCheck(t *testing.T, db *embedded.DB) embedded.CheckStatus {
	t.Helper()
	waitFor(t, "result of a check", func() bool {
		status := db.CheckStatus()
		return status.Last != nil && !status.Running
	})
	return db.CheckStatus()
}

func TestCheckInBackground(t *testing.T) {
	dir := populatedStore(t, 300)
	clock := newTestClock()
	db := openAt(t, dir, clock)
	if status := db.CheckStatus(); status != (embedded.CheckStatus{}) {
		t.Errorf("got status %+v, want none before the first check", status)
	}
	db.CheckInBackground(20*time.Millisecond, time.Hour)
	if next := db.CheckStatus().Next; !next.Equal(clock.now().Add(20 * time.Millisecond)) {
		t.Errorf("got the next check at %v, want it after 20 ms", next)
	}
	status := waitForCheck(t, db)
	if last := status.Last; last.Problems != 0 || last.Err != nil || last.Ended.IsZero() {
		t.Errorf("got %+v, want no problems", *status.Last)
	}
	waitFor(t, "check planned an hour later", func() bool { return db.CheckStatus().Next.Equal(clock.now().Add(time.Hour)) })
}

func TestCheckInBackground_ReportsDamage(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	put(t, db, with(key("a", "b"), "Name", s("a long and unique name")))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(dir), bytes.ReplaceAll(data, []byte("unique"), []byte("wicked")), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	db, err = embedded.Open(dir, newTestClock().now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	db.CheckInBackground(0, time.Hour)
	status := waitForCheck(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if status.Last.Problems == 0 || len(status.Last.First) == 0 || !strings.Contains(status.Last.First[0], "is damaged") {
		t.Errorf("got %+v, want the damage", *status.Last)
	}
	if !strings.Contains(log.String(), "found a problem") || !strings.Contains(log.String(), "restore a backup") {
		t.Errorf("got log %s, want the problem and what to do", log.String())
	}
}

// TestCheck_WritesContinue checks a store several times while another goroutine writes. No
// check may report a problem.
func TestCheck_WritesContinue(t *testing.T) {
	db := openShop(t)
	items := make([]item, 2000)
	for i := range items {
		items[i] = compactItem(i)
	}
	load(t, db, items...)
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		_, err := writeOwnItems(db, 1, stop)
		done <- err
	}()
	for range 5 {
		if found := problems(t, db); found != nil {
			t.Errorf("got problems %v, want none", found)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCheckInBackground_EndsWithStore(t *testing.T) {
	db := openShop(t)
	items := make([]item, 4000)
	for i := range items {
		items[i] = compactItem(i)
	}
	load(t, db, items...)
	db.CheckInBackground(0, time.Hour)
	waitFor(t, "check", func() bool { return db.CheckStatus().Running || db.CheckStatus().Last != nil })
	began := time.Now()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("Close took %v, want it to interrupt the check", took)
	}
}
