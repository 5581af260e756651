package exchange_test

import (
	"maps"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_EarlierExport checks that an export of an earlier version can be imported.
// That version stored totals without slots, and had no index keys for search.
func TestImport_EarlierExport(t *testing.T) {
	paths, err := exchange.ExpandFolders([]string{"testdata/export-2026-11"})
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, storetest.NewClock())
	got, rejected := importFiles(t, s, exchange.ImportOptions{}, openFiles(t, paths...)...)
	if len(rejected) > 0 {
		t.Errorf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
	}
	want := map[string]int{
		"customer":      3,
		"event":         1,
		"invoice":       1,
		"order":         1,
		"orderItem":     2,
		"product":       2,
		"receipt":       1,
		"shipment":      2,
		"shipmentItem":  3,
		"subscription":  1,
		"total":         2,
		"warehouse":     2,
		"warehouseItem": 3,
	}
	if !maps.Equal(got.Added, want) {
		t.Errorf("added %v, want %v", got.Added, want)
	}
	report, err := s.CheckTotals(t.Context(), store.TotalsCheck{})
	if err != nil || report.Different > 0 || report.Compared == 0 {
		t.Errorf("got %+v, %v; want totals that match the records", report, err)
	}
}
