package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"testing"

	"stockroom/store"
)

// TestImport_IsInHistory imports a file and standard input, and makes a dry run,
// which leaves no event.
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
	slices.SortFunc(runs.Rows, func(a, b store.ImportRun) int { return -cmp.Compare(a.Files[0].Name, b.Files[0].Name) }) // they began in the same second
	first := runs.Rows[1]
	if first.State != store.ImportDone || first.By != store.Program || first.Upload || first.Sum.Rejected != 1 || !slices.Equal(first.Options, []string{"lenient"}) {
		t.Errorf("got %+v", first)
	}
	if got := first.Files; len(got) != 1 || got[0] != (store.ImportFile{Name: "customers.csv", Size: len(customers), Digest: hex.EncodeToString(digest[:])}) {
		t.Errorf("got files %+v", got)
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
