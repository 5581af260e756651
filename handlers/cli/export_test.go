package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExport_ModelImportsToEqualTable exports the published sample as a NoSQL
// Workbench model and imports it again.
func TestExport_ModelImportsToEqualTable(t *testing.T) {
	first, second, out := t.TempDir(), t.TempDir(), t.TempDir()
	run(t, "import", "-data", first, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	exported := run(t, "export", "-format", "workbench", "-data", first, out)
	exported.want(t, exitDone)
	model := filepath.Join(out, "model.json")
	if text, err := os.ReadFile(model); err != nil || !strings.Contains(string(text), `"FacetName": "orderItem"`) {
		t.Fatalf("%v: %s", err, text)
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

// TestImport_ListsCorrectedKeys imports the published sample, which has a mistyped
// date in the key of a receipt.
func TestImport_ListsCorrectedKeys(t *testing.T) {
	got := run(t, "import", "-dry-run", "-data", t.TempDir(), "../../store/exchange/testdata/RecurringPayments.json")
	got.want(t, exitDone, "key corrected: Receipts, row 1: ACC#123 → REC#12023-05-28T14:15:39.24#SKU#999 is now ACC#123 → REC#2023-05-28#SKU#999#SUB#123\n")
}

// TestExport_Since checks that the command lists the entities that it exports in full.
func TestExport_Since(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	run(t, "import", "-data", data, "../../store/exchange/testdata/AnOnlineShop.json").want(t, exitDone)
	since := run(t, "export", "-format", "csv", "-since", "2026-11-21", "-data", data, out)
	since.want(t, exitDone, "exported in full, because their changes are not recorded: stores, ")
	if text, err := os.ReadFile(filepath.Join(out, "orders.csv")); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%v: got orders of 2020:\n%s", err, text)
	}
	run(t, "export", "-since", "yesterday", "-data", data, t.TempDir()).want(t, exitUsage, "invalid -since")
}

// TestExport_Masked exports twice with the same key. The pseudonyms must be equal.
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
