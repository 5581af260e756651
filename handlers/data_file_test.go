package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// fakeDataFile is a data file with a fixed state. It counts the calls of Compact.
type fakeDataFile struct {
	state     DataFileState
	compacted int
}

func (f *fakeDataFile) State() DataFileState { return f.state }

func (f *fakeDataFile) Compact() error {
	f.compacted++
	return nil
}

func TestDataFile_ShowsChecks(t *testing.T) {
	b := open(t)
	b.dataFile.state = DataFileState{Bytes: 12_300_000}
	admin := b.as(t, "admin")
	checked := time.Date(2026, 11, 21, 3, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		change func(*DataFileState)
		today  string // text on Today
		page   string // text on the page Check
	}{
		{"not checked", func(*DataFileState) {}, "Not checked since the server started.", "12 MB"},
		{"running", func(s *DataFileState) { s.Checking, s.Percent = true, 40 }, "The first check since the server started is running.", "40% done"},
		{"intact", func(s *DataFileState) { *s = DataFileState{Bytes: 1, Checked: checked} }, ": no problems", ": no problems"},
		{"damaged", func(s *DataFileState) { s.Problems, s.First = 2, []string{"page 7 of the file is <damaged>"} }, "The data file is damaged (2 problems).", "page 7 of the file is &lt;damaged&gt;"},
		{"failed", func(s *DataFileState) { *s = DataFileState{Checked: checked, CheckError: "The disk is slow."} }, "The data file could not be checked.", "The check failed: The disk is slow."},
	} {
		tt.change(&b.dataFile.state)
		if page := admin.get("/").body; !strings.Contains(page, tt.today) {
			t.Errorf("%s: Today does not contain %q", tt.name, tt.today)
		}
		if page := admin.get("/admin/check").body; !strings.Contains(page, tt.page) {
			t.Errorf("%s: the page Check does not contain %q", tt.name, tt.page)
		}
	}
	if page := b.as(t, "viewer").get("/").body; strings.Contains(page, "data file") {
		t.Error("a viewer sees the check of the data file on Today")
	}
}

func TestDataFile_Compacts(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	if got := admin.post("/admin/check/compact", url.Values{}); got.status != http.StatusSeeOther {
		t.Errorf("got status %d, want 303", got.status)
	}
	if b.dataFile.compacted != 1 {
		t.Errorf("got %d calls of Compact, want 1", b.dataFile.compacted)
	}
	if got := b.as(t, "support").post("/admin/check/compact", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("support staff: got status %d, want 403", got.status)
	}
	if b.dataFile.compacted != 1 {
		t.Errorf("got %d calls of Compact, want none by support staff", b.dataFile.compacted)
	}
}
