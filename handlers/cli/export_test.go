package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestExport_ModelImportsToEqualTable checks that the published sample is unchanged
// after an export as a NoSQL Workbench model and an import.
func TestExport_ModelImportsToEqualTable(t *testing.T) {
	first, second, out := t.TempDir(), t.TempDir(), t.TempDir()
	run(t, "import", "-data", first, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	exported := run(t, "export", "-format", "workbench", "-data", first, out)
	exported.want(t, exitDone)
	model := filepath.Join(out, "model.json")
	if text, err := os.ReadFile(model); err != nil || !strings.Contains(string(text), `"FacetName": "orderItem"`) {
		t.Fatalf("got error %v, or a model without order items: %s", err, text)
	}
	back := run(t, "import", "-data", second, model)
	back.want(t, exitDone)
	again := run(t, "import", "-data", first, model)
	again.want(t, exitDone)
	if strings.Contains(again.stdout, "added") {
		t.Errorf("got added items, want an equal table:\n%s", again.stdout)
	}
	run(t, "export", "-format", "workbench", "-data", first, out).want(t, exitFailed)
	for _, path := range []string{model, filepath.Join(model, "below")} {
		run(t, "export", "-data", first, path).want(t, exitFailed, "model.json is a file: choose a folder")
	}
	run(t, "export", "-format", "csv", "-sample", "3", "-data", first, out).want(t, exitUsage)
}

// TestImport_ListsCorrectedKeys checks that the import of the published sample
// reports the key of a receipt that contains a wrong date.
func TestImport_ListsCorrectedKeys(t *testing.T) {
	got := run(t, "import", "-dry-run", "-data", t.TempDir(), "../../store/exchange/testdata/RecurringPayments.json")
	got.want(t, exitDone, "key corrected: Receipts, row 1: ACC#123 → REC#12023-05-28T14:15:39.24#SKU#999 is now ACC#123 → REC#2023-05-28#SKU#999#SUB#123\n")
}

// TestExport_RecordsEvent exports everything, exports one entity twice, and exports into
// a folder that already contains the files. The history must contain an event for each
// command that wrote files.
func TestExport_RecordsEvent(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	run(t, "import", "-data", data, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	run(t, "export", "-format", "csv", "-data", data, out).want(t, exitDone)
	run(t, "export", "-format", "csv", "-data", data, out).want(t, exitFailed, "choose another folder")
	for range 2 {
		run(t, "export", "-format", "csv", "-masked", "-entity", "orders, customers", "-data", data, t.TempDir()).want(t, exitDone)
	}
	history := filepath.Join(t.TempDir(), "history.jsonl")
	run(t, "audit", "export", "-data", data, "-output", history).want(t, exitDone)
	text, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range bytes.Lines(text) {
		var l struct{ Event struct{ By, Sentence string } }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("line %s: got error %v", line, err)
		}
		if strings.Contains(l.Event.Sentence, "stockroom export") {
			got = append(got, l.Event.By+": "+l.Event.Sentence)
		}
	}
	slices.Sort(got)
	want := []string{
		"stockroom: Downloaded files with the command stockroom export -format csv",
		"stockroom: Downloaded files with the command stockroom export -format csv -entity orders,customers -masked",
		"stockroom: Downloaded files with the command stockroom export -format csv -entity orders,customers -masked",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the exports\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestExport_Since exports with -since. The export must leave out orders that have not
// changed since that time, and print which entities it exports in full.
func TestExport_Since(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	run(t, "import", "-data", data, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	since := run(t, "export", "-format", "csv", "-since", "2026-11-21", "-data", data, out)
	since.want(t, exitDone, "exported in full, because their changes are not recorded: stores, ")
	if text, err := os.ReadFile(filepath.Join(out, "orders.csv")); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("got error %v, or orders of 2020:\n%s", err, text)
	}
	run(t, "export", "-since", "yesterday", "-data", data, t.TempDir()).want(t, exitUsage, "invalid -since")
}

// TestExport_Masked exports twice with the same key. Both exports must have the same
// pseudonyms.
func TestExport_Masked(t *testing.T) {
	data, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	run(t, "import", "-data", data, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	if err := os.WriteFile(key, []byte(strings.Repeat("k", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	run(t, "export", "-data", data, plain).want(t, exitDone)
	for _, out := range []string{first, second} {
		run(t, "export", "-masked", "-mask-key", key, "-data", data, out).want(t, exitDone)
	}
	read := func(folder string) string {
		text, err := os.ReadFile(filepath.Join(folder, "customers.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if read(first) != read(second) || read(first) == read(plain) {
		t.Errorf("got %s and %s, want the same pseudonyms", read(first), read(second))
	}
	run(t, "export", "-mask-key", key, "-data", data, t.TempDir()).want(t, exitUsage, "-mask-key needs -masked")
	run(t, "export", "-masked", "-mask-key", filepath.Join(plain, "customers.csv"), "-data", data, t.TempDir()).want(t, exitFailed, "customers.csv")
}

// TestExport_OfImportedTableIsEqual exports a table in each format, imports the files
// into a new table, and exports that table. Both exports must be identical.
func TestExport_OfImportedTableIsEqual(t *testing.T) {
	from := t.TempDir()
	run(t, "import", "-data", from, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	for _, dynamoDB := range []bool{false, true} {
		for _, format := range []string{"csv", "jsonl", "workbench", "dynamodb"} {
			first, second, target := t.TempDir(), t.TempDir(), []string{"-data", t.TempDir()}
			if dynamoDB {
				s := store.New(pretendAWS(t), "OnlineShop", clock.Now)
				settings := store.DefaultSettings()
				settings.Shards, settings.ShardsRead = 1, 1 // as in a new embedded store
				if err := errors.Join(s.CreateTable(t.Context()), s.SaveSettings(t.Context(), settings, store.Program)); err != nil {
					t.Fatal(err)
				}
				target = []string{"-dynamodb"}
			}
			run(t, "export", "-format", format, "-data", from, first).want(t, exitDone)
			run(t, append([]string{"import", first}, target...)...).want(t, exitDone)
			run(t, append([]string{"export", "-format", format, second}, target...)...).want(t, exitDone)
			compareFolders(t, second, first)
		}
	}
}

// compareFolders reports each file that differs.
func compareFolders(t *testing.T, got, want string) {
	t.Helper()
	files := 0
	for _, folder := range []string{want, got} {
		err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			files++
			a, err := os.ReadFile(filepath.Join(got, name))
			b, errWant := os.ReadFile(filepath.Join(want, name))
			if !bytes.Equal(a, b) || err != nil || errWant != nil {
				t.Errorf("%s: got %v, %v\n%s\nwant\n%s", name, err, errWant, a, b)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files == 0 {
		t.Error("got no files")
	}
}
