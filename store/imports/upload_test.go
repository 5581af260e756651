package imports

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestDryRun_LimitsModels(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "model.json", `{"ModelName":"`+strings.Repeat("x", MaxModel)+`"}`)
	if got := dryRun(t, r, u.ID); got.State != store.ImportStopped || !strings.Contains(strings.Join(got.Problems, ""), "the command line (stockroom import)") {
		t.Errorf("got %s and the problems %.200q, want a stopped run and advice to use the command line", got.State, got.Problems)
	}
}

// TestDryRun_NamesOptionsOfPage checks that a reason names an option as the page does, and
// not as a command-line flag.
func TestDryRun_NamesOptionsOfPage(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "employees.csv", "EmployeeID,Name,ManagerID\ne1,Kim,e9\n")
	got := dryRun(t, r, u.ID)
	if len(got.First) != 1 || strings.Contains(got.First[0].Reason, "-lenient") || !strings.Contains(got.First[0].Reason, "use the option to import such rows") {
		t.Errorf("got %+v, want one rejected row that names the option of the page", got)
	}
}

// TestFinish_ComparesFilesOfForm submits a form twice. Finish must accept the same files,
// but not other files.
func TestFinish_ComparesFilesOfForm(t *testing.T) {
	clock := storetest.NewClock()
	r := open(t, storetest.Open(t, clock), t.TempDir())
	id, recorded := r.Store.NewToken(), r.Store.NewToken()
	record := store.ImportRun{ID: recorded, By: "kim", State: store.ImportDone, Began: clock.Now(), Updated: clock.Now(), Version: 1}
	if loaded, err := r.Store.Load(t.Context(), []store.Entity{&record}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	receive(t, r, id, "customers.csv", "CustomerID,Name\n1,Kim\n")
	receive(t, r, id, "customers.csv", "CustomerID,Name\n1,Kim\n")
	for name, used := range map[string]string{"other files": id, "an import without files": recorded} {
		x, err := r.Receive(admin, used)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Add("customers.csv", strings.NewReader("CustomerID,Name\n2,Lee\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Finish(t.Context(), r.Store.As(admin)); store.KindOf(err) != store.Conflict {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
		x.Discard()
	}
}

// TestFinish_ComparesMappingOfForm submits a form twice with the same data. Finish must accept
// the same mapping, even after a user has changed it, but no other mapping.
func TestFinish_ComparesMappingOfForm(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	id := r.Store.NewToken()
	submit := func(column string) (*Upload, error) {
		x, err := r.Receive(admin, id)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Discard()
		mapping := "files:\n  people.csv:\n    - entity: customers\n      columns:\n        No: CustomerID\n        " + column + ": Name\n"
		if err := errors.Join(x.Add("people.csv", strings.NewReader("No,Name,Full name\n1,Kim,Kim Lee\n")), x.Add("mapping.yaml", strings.NewReader(mapping))); err != nil {
			t.Fatal(err)
		}
		return x.Finish(t.Context(), r.Store.As(admin))
	}
	first, err := submit("Name")
	if err != nil {
		t.Fatal(err)
	}
	first.Mapping = "files: {}\n"
	if err := r.save(first); err != nil {
		t.Fatal(err)
	}
	if _, err := submit("Name"); err != nil {
		t.Errorf("same mapping: got %v, want no error", err)
	}
	if _, err := submit("Full name"); store.KindOf(err) != store.Conflict {
		t.Errorf("other mapping: got %v, want Conflict", err)
	}
}

func TestRemove_RemovesRejectedRows(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n,Kim\n")
	u.Import = dryRun(t, r, u.ID)
	if err := r.removeFiles(u); err != nil { // Clean does this after a day
		t.Fatal(err)
	}
	if err := r.Remove(u.ID); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(r.Folder); err != nil || len(left) != 0 {
		t.Errorf("got %v, %v, want an empty folder", left, err)
	}
}

// TestRemoveFiles_FailsWhole makes the deletion of one file of an upload fail. The
// upload must not be marked as removed.
func TestRemoveFiles_FailsWhole(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n,Kim\n")
	path := r.contentPath(u.ID, 0)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "x"), 0o700); err != nil { // os.Remove cannot delete a folder that is not empty
		t.Fatal(err)
	}
	if err := r.removeFiles(u); err == nil || u.Removed {
		t.Errorf("got error %v and removed %t, want an error and false", err, u.Removed)
	}
}

// TestReceive_CountsFilesOnDisk checks that Receive counts an upload whose description
// cannot be read, and one whose files cannot be deleted after its import.
func TestReceive_CountsFilesOnDisk(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	var uploads []*Upload
	for range MaxUploads {
		uploads = append(uploads, receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n1,Kim\n"))
	}
	if err := os.WriteFile(r.path(uploads[0].ID, infoFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	finished := uploads[1]
	finished.Import = &Run{State: store.ImportDone}
	path := r.contentPath(finished.ID, 0)
	err := errors.Join(r.save(finished), os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700)) // os.Remove cannot delete a folder that is not empty
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Receive(admin, r.Store.NewToken()); store.KindOf(err) != store.Invalid {
		t.Errorf("got %v, want Invalid because of the limit", err)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	x, err := r.Receive(admin, r.Store.NewToken())
	if err != nil {
		t.Fatalf("after the files can be deleted: got %v, want no error", err)
	}
	x.Discard()
}

// TestRejected_WaitsForEndOfRun checks that the rejected rows of a run cannot be opened
// before the run has ended.
func TestRejected_WaitsForEndOfRun(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receive(t, r, r.Store.NewToken(), "customers.csv", "CustomerID,Name\n,Kim\n")
	u.DryRun = &Run{State: store.ImportRunning}
	if err := r.save(u); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Rejected(u.ID, 0); store.KindOf(err) != store.Conflict {
		t.Errorf("got %v, want Conflict", err)
	}
	if r.Cancel(u.ID) {
		t.Error("Cancel of a run without a process: got true, want false")
	}
}

// TestClean_RemovesUnreadableFolders creates folders of uploads without a readable
// description. Clean must delete the old ones and keep the others.
func TestClean_RemovesUnreadableFolders(t *testing.T) {
	clock := storetest.NewClock()
	r := open(t, storetest.Open(t, clock), t.TempDir())
	empty, damaged, fresh := r.Store.NewToken(), r.Store.NewToken(), r.Store.NewToken()
	for id, age := range map[string]time.Duration{empty: FilesLife + time.Hour, damaged: FilesLife + time.Hour, fresh: time.Hour} {
		if err := os.Mkdir(r.path(id), 0o700); err != nil {
			t.Fatal(err)
		}
		if id == damaged {
			if err := os.WriteFile(r.path(id, infoFile), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(r.path(id), time.Time{}, clock.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	r.Clean()
	left, err := os.ReadDir(r.Folder)
	if err != nil || len(left) != 1 || left[0].Name() != fresh {
		t.Errorf("got %v, %v, want only the folder of an hour ago", left, err)
	}
}

// TestAdd_RejectsBinaryFiles checks that uploads of pictures, documents and
// archives are rejected, but not text files in several encodings.
func TestAdd_RejectsBinaryFiles(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	picture := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00" + strings.Repeat("\x08\x02ab", 100)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(picture)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	const csv = "CustomerID,Name\n1,Kim\n"
	wide := func(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	for _, tt := range []struct{ name, content, want string }{
		{"customers.csv", picture, "customers.csv is not a text file."},
		{"customers.csv.gz", zipped.String(), "customers.csv.gz is not a text file."},
		{"customers.json", picture, "customers.json is not a text file."},
		{"customers.csv", "PK\x03\x04\x14\x00\x06\x00" + strings.Repeat("\x00\x01xl/", 50), "customers.csv is not a text file."},
		{"customers.csv", "%PDF-1.7\n1 0 obj\n", "customers.csv is not a text file."},
		{"picture.png", picture, "picture.png is not a text file."},
		{"notes.txt", "hello", "notes.txt: unknown file type"},
		{"customers.csv", csv, ""},
		{"customers.csv", "\xff\xfe" + wide(csv), ""},
		{"customers.csv", "CustomerID,Name\n1,Zo\xeb \x96\n", ""},
	} {
		x, err := r.Receive(admin, r.Store.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		if err = x.Add(tt.name, strings.NewReader(tt.content)); err == nil {
			_, err = x.Finish(t.Context(), r.Store.As(admin))
		}
		x.Discard()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		r.Clean()
		removeAll(t, r)
	}
}

func removeAll(t *testing.T, r *Runner) {
	t.Helper()
	all, err := r.all()
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range all {
		if err := r.Remove(u.ID); err != nil {
			t.Fatal(err)
		}
	}
}
