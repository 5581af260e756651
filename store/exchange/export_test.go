package exchange_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// export writes a table to files in a temporary folder and returns their paths.
func export(t *testing.T, s *store.Store, format exchange.Format) []string {
	t.Helper()
	folder := t.TempDir()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names, err := exchange.FileNames(format, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = exchange.Export(t.Context(), s, exchange.ExportOptions{
		Format: format, Files: names, Shards: settings.Shards,
		Create: func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(folder, name)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestExport_ImportsAsEqualTable exports the demo business in each format,
// imports it into an empty table and compares the tables item by item.
func TestExport_ImportsAsEqualTable(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	if err := demo.Load(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	events := []store.Entity{
		&store.Event{ID: "e1", Partition: "o#1", When: clock.Now(), By: "kim", What: store.EventOrderShipped, Subject: "77"},
		&store.Event{ID: "e2", Partition: "o#1", When: clock.Now(), By: "kim", What: "shipped in shipment 77"}, // as stored before codes
	}
	if loaded, err := from.Load(t.Context(), events, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	want := readTable(t, from)
	for _, format := range exchange.Formats {
		t.Run(string(format), func(t *testing.T) {
			paths := export(t, from, format)
			to := storetest.Open(t, clock)
			if _, rejected := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...); len(rejected) > 0 {
				t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
			}
			compareTables(t, readTable(t, to), want)
			if checked, err := to.CheckTotals(t.Context(), store.TotalsCheck{}); err != nil || checked.Different > 0 || checked.Compared < 1000 {
				t.Errorf("totals and quotas: got %+v, %v; want those of their rows", checked, err)
			}
			if format == exchange.FormatCSV {
				return // unchanged items are found in the same way in every format
			}
			again, _ := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...)
			if len(again.Added) > 0 || again.Rejected > 0 || again.Unchanged != len(want) {
				t.Errorf("second import: got %+v, want %d unchanged", again, len(want))
			}
		})
	}
}
