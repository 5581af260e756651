package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/storetest"
)

// TestImport_IsInHistory imports a file and standard input. The table must contain a record
// of each import, but none of a dry run. The history must contain the event of the file.
func TestImport_IsInHistory(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	const customers = "CustomerID,Name\n1,Kim\n,Lee\n"
	file := save(t, filepath.Join(folder, "customers.csv"), customers)
	digest := sha256.Sum256([]byte(customers))
	run(t, "import", "-dry-run", file, "-data", data).want(t, exitFailed, "rejected rows: 1")
	run(t, "import", "-lenient", file, "-data", data).want(t, exitFailed, "rejected rows: 1")
	runWith(t, environment{}, `{"Item":{"EntityType":{"S":"region"},"PK":{"S":"r#1"},"SK":{"S":"r#1"},"Name":{"S":"North"}}}`, "import", "-", "-data", data).want(t, exitDone, "1 added")

	s := openStore(t, data)
	admin := s.As(&store.User{Name: "admin", Role: store.Admin})
	runs, err := admin.Imports(t.Context(), store.Page{Limit: 10})
	if err != nil || len(runs.Rows) != 2 {
		t.Fatalf("got %+v, %v, want two imports", runs.Rows, err)
	}
	slices.SortFunc(runs.Rows, func(a, b store.ImportRun) int { return -cmp.Compare(a.Files[0].Name, b.Files[0].Name) }) // by name, because both imports started in the same second
	first := runs.Rows[1]
	if first.State != store.ImportDone || first.By != store.Program || first.Upload || first.Sum.Rejected != 1 || !slices.Equal(first.Options, []string{"lenient"}) {
		t.Errorf("got import %+v, want a finished import of the program with one rejected row and the option lenient", first)
	}
	if got := first.Files; len(got) != 1 || got[0] != (store.ImportFile{Name: "customers.csv", Size: len(customers), Digest: hex.EncodeToString(digest[:])}) {
		t.Errorf("got files %+v, want customers.csv with its size and digest", got)
	}
	if stdin := runs.Rows[0].Files[0]; stdin.Name != "standard input" || stdin.Size == 0 || len(stdin.Digest) != 64 {
		t.Errorf("got %+v, want the digest of standard input", stdin)
	}
	events, err := admin.Events(t.Context(), store.EventFilter{By: store.Program}, store.Page{Limit: 10})
	if err != nil || !slices.ContainsFunc(events.Rows, func(e store.Event) bool {
		return e.Sentence() == "Imported customers.csv" && e.After == "2 read, 1 added, 0 unchanged, 0 updated, 0 merged, 1 rejected"
	}) {
		t.Errorf("got %+v, %v, want the event of the import", events.Rows, err)
	}
}

// TestImport_RecordsNoDigestOfPart imports standard input, and stops before its end. The
// record and the history must not contain the size or the digest of the part that was read.
func TestImport_RecordsNoDigestOfPart(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := strings.Repeat(`{"Item":{"EntityType":{"S":"unicorn"},"PK":{"S":"`+strings.Repeat("x", 100)+`"}}}`+"\n", 40_000)
	runWith(t, environment{}, rows, "import", "-", "-max-refused", "10").want(t, exitFailed, "stopped: too many rejected rows")
	got := lastImport(t, openStore(t, "data"))
	if want := []store.ImportFile{{Name: "standard input"}}; got.run.State != store.ImportStopped || !slices.Equal(got.run.Files, want) {
		t.Errorf("got %s, %+v; want a stopped import of %+v", got.run.State, got.run.Files, want)
	}
	if want := "SHA-256: standard input (not read to its end)"; got.event.Why != want {
		t.Errorf("got the event %q, want %q", got.event.Why, want)
	}
}

// TestInputFile_Seek checks that a file with a hash cannot seek, because its hash must
// contain each byte once. A Seek that fails must keep the number of bytes read.
func TestInputFile_Seek(t *testing.T) {
	file, err := os.Open(save(t, filepath.Join(t.TempDir(), "a"), "abc"))
	if err != nil {
		t.Fatal(err)
	}
	hashed, plain := &inputFile{ReadCloser: file, hash: sha256.New()}, &inputFile{ReadCloser: file}
	if _, err := hashed.Seek(0, io.SeekStart); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a file with a hash: got %v, want ErrUnsupported", err)
	}
	if _, err := io.ReadAll(plain); err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Seek(-1, io.SeekStart); err == nil || plain.read.Load() != 3 {
		t.Errorf("got %v, and %d bytes read, want an error and 3 bytes", err, plain.read.Load())
	}
	if _, err := plain.Seek(1, io.SeekStart); err != nil || plain.read.Load() != 1 {
		t.Errorf("got %v, and %d bytes read, want 1 byte", err, plain.read.Load())
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestImport_SameAsUpload imports the same files on the command line and in the browser.
// The counts, the rejected rows and the event must be the same.
func TestImport_SameAsUpload(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	contents := map[string]string{
		"customers.csv": "CustomerID,Name\n1,Kim\n1,Kim\n,Lee\n",
		"more.jsonl":    `{"Item":{"EntityType":{"S":"region"},"PK":{"S":"r#1"},"SK":{"S":"r#1"},"Name":{"S":"North"}}}` + "\n{}\n",
	}
	command := []string{"import", "-lenient", "-data", data}
	var files []string
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		files = append(files, save(t, filepath.Join(folder, name), contents[name]))
	}
	run(t, append(command, files...)...).want(t, exitFailed, "rejected rows: 2")

	clock := storetest.NewClock()
	uploads := imports.New(imports.Config{Store: storetest.Open(t, clock), Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := uploads.Close(); err != nil {
			t.Error(err)
		}
	})
	admin := &store.User{Name: "admin", Role: store.Admin}
	receiver, err := uploads.Receive(admin, uploads.Store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := receiver.Add(file, strings.NewReader(contents[filepath.Base(file)])); err != nil {
			t.Fatal(err)
		}
	}
	upload, err := receiver.Finish(t.Context(), uploads.Store.As(admin))
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []func() error{
		func() error { return uploads.StartDryRun(admin, upload.ID, imports.Options{Lenient: true}) },
		func() error { return uploads.StartImport(admin, upload.ID, nil) },
	} {
		if err := start(); err != nil {
			t.Fatal(err)
		}
		storetest.WaitFor(t, "end of the run", func() bool { return uploads.Running() == nil })
	}

	printed, sent := lastImport(t, openStore(t, data)), lastImport(t, uploads.Store)
	if !slices.Equal(printed.run.Counts, sent.run.Counts) || printed.run.Sum != sent.run.Sum || !slices.Equal(printed.run.Files, sent.run.Files) || !slices.Equal(printed.run.Options, sent.run.Options) {
		t.Errorf("command line: got %+v\nbrowser: got %+v", printed.run, sent.run)
	}
	if a, b := printed.event, sent.event; a.Sentence() != b.Sentence() || a.After != b.After || a.Why != b.Why {
		t.Errorf("command line: got the event %+v\nbrowser: got %+v", a, b)
	}
	for i, file := range files {
		rejected, content, err := uploads.Rejected(upload.ID, i)
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(content)
		if err := errors.Join(err, content.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, rejected.Name))
		if err != nil || strings.ReplaceAll(string(got), file, filepath.Base(file)) != string(want) {
			t.Errorf("%s: got %q, %v\nbrowser: got %q", file, got, err, want)
		}
	}
}

type recordedImport struct {
	run   store.ImportRun
	event store.Event
}

// lastImport returns the newest import of a store and its event in the history.
func lastImport(t *testing.T, s *store.Store) recordedImport {
	t.Helper()
	admin := s.As(&store.User{Name: "admin", Role: store.Admin})
	runs, err := admin.Imports(t.Context(), store.Page{Limit: 1})
	if err != nil || len(runs.Rows) != 1 {
		t.Fatalf("got imports %+v and error %v, want one import", runs.Rows, err)
	}
	events, err := admin.Events(t.Context(), store.EventFilter{By: runs.Rows[0].By}, store.Page{Limit: 1})
	if err != nil || len(events.Rows) != 1 {
		t.Fatalf("got events %+v and error %v, want one event", events.Rows, err)
	}
	return recordedImport{runs.Rows[0], events.Rows[0]}
}
