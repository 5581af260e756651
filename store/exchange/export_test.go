package exchange_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go"

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
		Create: func(name string) (io.WriteCloser, error) {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return nil, err
			}
			return os.Create(path)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	paths, err := exchange.ExpandFolders([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// staleTable is a table whose sums cannot be brought up to date.
type staleTable struct {
	exchange.Table
	err error
}

func (s staleTable) AddOpenSums(context.Context) error { return s.err }

// TestExport_ReportsStaleSums exports a table whose sums cannot be brought up to date. The
// export must be complete. It must return ErrStaleSums if it includes totals or quotas, unless
// the user may only read.
func TestExport_ReportsStaleSums(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	importFiles(t, s, exchange.ImportOptions{}, newFile("customers.csv", "CustomerID,Name\n1,Kim\n"))
	full := errors.New("the disk is full")
	for _, c := range []struct {
		files  []string
		err    error
		failed bool
	}{
		{[]string{"customers", "totals"}, full, true},
		{[]string{"customers", "quotas"}, full, true},
		{[]string{"customers"}, full, false},
		{[]string{"customers", "totals"}, fmt.Errorf("write: %w", &smithy.GenericAPIError{Code: "AccessDeniedException"}), false},
		{[]string{"customers", "totals"}, nil, false},
	} {
		var out bytes.Buffer
		rows, err := exchange.Export(t.Context(), staleTable{s, c.err}, exchange.ExportOptions{
			Format: exchange.FormatCSV, Files: c.files, Shards: 1,
			Create: func(string) (io.WriteCloser, error) { return nopCloser{&out}, nil },
		})
		if errors.Is(err, exchange.ErrStaleSums) != c.failed || (err != nil) != c.failed || rows["customers"] != 1 || !strings.Contains(out.String(), "Kim") {
			t.Errorf("%v, %v: got error %v, rows %v and %q; want a complete export, error %t", c.files, c.err, err, rows, &out, c.failed)
		}
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// checkImportsByRules makes a dry run with the files of an export, except the totals.
// Without totals, the dry run checks references and sums, as for files of other programs.
func checkImportsByRules(t *testing.T, paths []string) {
	t.Helper()
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return filepath.Base(path) == "totals.csv" })
	s := storetest.Open(t, storetest.NewClock())
	if _, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: true, SamePeople: true}, openFiles(t, paths...)...); len(rejected) > 0 {
		t.Errorf("without totals: %d rejected, want none; the first: %s", len(rejected), rejected[0])
	}
}

// TestExport_ImportsAsEqualTable exports the demo business as CSV and as JSON Lines,
// and imports the files into an empty table. The two tables must have the same items.
func TestExport_ImportsAsEqualTable(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	if err := demo.Load(t.Context(), from, demo.Small); err != nil {
		t.Fatal(err)
	}
	events := []store.Entity{
		&store.Event{ID: "e1", Partition: "o#1", When: clock.Now(), By: "kim", What: store.EventOrderShipped, Subject: "77"},
		&store.Event{ID: "e2", Partition: "o#1", When: clock.Now(), By: "kim", What: "shipped in shipment 77"}, // an event without a code, as earlier versions stored it
	}
	if loaded, err := from.Load(t.Context(), events, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	want := readTable(t, from)
	for _, format := range []exchange.Format{exchange.FormatCSV, exchange.FormatLines} {
		t.Run(string(format), func(t *testing.T) {
			paths := export(t, from, format)
			to := storetest.Open(t, clock)
			if _, rejected := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...); len(rejected) > 0 {
				t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
			}
			compareTables(t, readWithWords(t, to), readWithWords(t, from))
			if format == exchange.FormatCSV {
				checkImportsByRules(t, paths)
			}
			if checked, err := to.CheckTotals(t.Context(), store.TotalsCheck{}); err != nil || checked.Different > 0 || checked.Compared < 500 {
				t.Errorf("totals and quotas: got %+v, %v; want those of their rows", checked, err)
			}
			if format == exchange.FormatCSV {
				return // one format is enough to test unchanged items
			}
			again, _ := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...)
			if len(again.Added) > 0 || again.Rejected > 0 || again.Unchanged != len(want) {
				t.Errorf("second import: got %+v, want %d unchanged", again, len(want))
			}
		})
	}
}

// TestExport_UnpackedShipment exports an order with an unpacked shipment. The order no longer
// has a line for one of its items. The files must be accepted by an empty table.
func TestExport_UnpackedShipment(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	b := storetest.NewBusiness()
	stock := &store.WarehouseItem{ProductID: "p2", WarehouseID: "w1", Name: "Bulb", Quantity: 9, Version: 1}
	if loaded, err := from.Load(t.Context(), append(b.Entities(), stock), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	a := from.As(&store.User{Name: "kim", Role: store.Admin})
	basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 2}, {Product: "p2", Quantity: 4}}}
	id, err := a.PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(28_00)}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.ShipOpenItems(t.Context(), id, "w1", ""); err != nil {
		t.Fatal(err)
	}
	o, err := a.Order(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.UnpackShipment(t.Context(), store.Unpacking{ShipmentID: o.Shipments[0].ID, Version: 1}, ""); err != nil {
		t.Fatal(err)
	}
	edit := store.OrderEdit{OrderID: id, Version: o.Version + 1, Lines: []store.BasketLine{{Product: "p2", Quantity: 0}}, Total: store.MinorUnits(20_00)}
	if err := a.EditOrder(t.Context(), edit, ""); err != nil {
		t.Fatal(err)
	}
	for _, format := range []exchange.Format{exchange.FormatCSV, exchange.FormatLines} {
		paths := export(t, from, format)
		to := storetest.Open(t, clock)
		if _, rejected := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...); len(rejected) > 0 {
			t.Errorf("%s: rejected %q, want none", format, rejected)
		}
		got, err := to.As(&store.User{Name: "kim", Role: store.Admin}).Order(t.Context(), id)
		if err != nil || len(got.Shipments) != 1 || got.Shipments[0].Status != store.ShipmentUnpacked || len(got.Shipments[0].Items) != 2 || !slices.Equal(got.OpenLines, []string{"2 p1"}) {
			t.Errorf("%s: got the order %+v, %v; want 2 of p1 open, and an unpacked shipment with two items", format, got, err)
		}
		_, err = to.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
			if f.Rule != store.CheckView { // files do not contain users
				t.Errorf("%s: %s", f.Rule, f.Text)
			}
		}})
		if err != nil {
			t.Error(err)
		}
		if format == exchange.FormatCSV {
			checkImportsByRules(t, paths)
		}
	}
}

func exported(t *testing.T, s *store.Store, format exchange.Format) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, path := range export(t, s, format) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = content
	}
	return files
}

func compareFiles(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s: got %d bytes, want the same %d bytes:\n%.300s\n%.300s", name, len(got[name]), len(want[name]), got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d files, want %d", len(got), len(want))
	}
}

// TestExport_IncludesSlots exports quotas and totals whose latest sales are in slots,
// which are separate items. The files must be accepted by an empty table, and the ranking
// of account reps must then be the same in both tables.
func TestExport_IncludesSlots(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	business := storetest.NewShop()
	business.Quotas = nil
	if loaded, err := from.Load(t.Context(), business.Entities(), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	basket := store.Basket{Customer: "c08", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}
	for range 3 {
		if _, err := from.As(importAdmin).PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(330)}, from.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	ranked := func(s *store.Store) []store.Quota {
		reps, err := s.As(importAdmin).RankedReps(t.Context(), store.QuarterOf(clock.Now()), store.Page{})
		if err != nil || len(reps.Rows) == 0 {
			t.Fatalf("got account reps %v, %v; want some", reps.Rows, err)
		}
		for i := range reps.Rows {
			reps.Rows[i].Version = 0
		}
		return reps.Rows
	}
	before := ranked(from)
	for _, format := range []exchange.Format{exchange.FormatCSV, exchange.FormatLines} {
		to := storetest.Open(t, clock)
		if _, rejected := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, export(t, from, format)...)...); len(rejected) > 0 {
			t.Errorf("%s: %d rejected, want none; the first: %s", format, len(rejected), rejected[0])
		}
		if got, want := ranked(to), ranked(from); !reflect.DeepEqual(got, want) || reflect.DeepEqual(before, want) {
			t.Errorf("%s: got %+v, want %+v, which differs from the ranking before the export", format, got, want)
		}
	}
}

// shopFor returns the shop, or the small shop for a test on another engine than the
// embedded one.
func shopFor(t *testing.T) storetest.Shop {
	if strings.HasSuffix(t.Name(), "/endpoint") {
		return storetest.NewSmallShop()
	}
	return storetest.NewShop()
}

// TestExport_Repeatable exports a table twice. It then imports the export into an
// empty table and exports that table. All three exports must be identical.
func TestExport_Repeatable(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, _ *storetest.Clock) {
		from := openTable(t, db, name)
		business := shopFor(t)
		business.Quotas = nil
		if loaded, err := from.Load(t.Context(), business.Entities(), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		product := business.Products[0]
		product.Version, product.Price = 1, store.MinorUnits(777)
		if err := from.As(&store.User{Name: "kim", Role: store.Admin}).SaveProduct(t.Context(), product, "token"); err != nil {
			t.Fatal(err)
		}
		for _, format := range exchange.Formats {
			t.Run(string(format), func(t *testing.T) {
				first := exported(t, from, format)
				compareFiles(t, exported(t, from, format), first)
				to := openTable(t, db, name+"-"+string(format))
				if _, rejected := importRows(t, to, exchange.ImportOptions{}, -1, openFiles(t, export(t, from, format)...)...); len(rejected) > 0 {
					t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
				}
				compareTables(t, withoutVersions(readTable(t, to)), withoutVersions(readTable(t, from)))
				checkLevels(t, to)
				compareFiles(t, exported(t, to, format), first)
			})
		}
	})
}

// TestExport_StockSlots exports a table with 48 shards, whose stock levels are partly in
// StockSlots, which are separate items. It imports the files into tables with 48 and 15
// shards. The stock levels must not change.
func TestExport_StockSlots(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, _ *storetest.Clock) {
		open := func(name string, shards int) *store.Store {
			s := openTable(t, db, name)
			settings := store.DefaultSettings()
			settings.Shards, settings.ShardsRead = shards, shards
			if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
				t.Fatal(err)
			}
			return s
		}
		levels := func(s *store.Store) map[string]store.StockLevel {
			checkLevels(t, s)
			found, err := s.As(importAdmin).StockLevels(t.Context(), []string{"p00", "p01", "p02"})
			if err != nil || found["p01"] == (store.StockLevel{}) {
				t.Fatalf("got levels %v, %v; want some stock", found, err)
			}
			return found
		}
		from, shop := open(name, store.MaxShards), shopFor(t)
		shop.Quotas = nil
		if loaded, err := from.Load(t.Context(), shop.Entities(), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		want := levels(from)
		for _, shards := range []int{store.MaxShards, 15} {
			to := open(fmt.Sprintf("%s-%d", name, shards), shards)
			if _, rejected := importRows(t, to, exchange.ImportOptions{}, -1, openFiles(t, export(t, from, exchange.FormatLines)...)...); len(rejected) > 0 {
				t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
			}
			if got := levels(to); !maps.Equal(got, want) {
				t.Errorf("%d shards: got levels %v, want %v", shards, got, want)
			}
		}
	})
}

// withoutVersions removes from each item the Version, which differs between tables, and
// the field Values of events.
func withoutVersions(table map[string]store.Item) map[string]store.Item {
	for _, item := range table {
		delete(item, "Version")
		delete(item, "Values") // exports leave out the field Values of events
	}
	return table
}

// openTable creates a table and opens a store on it.
func openTable(t *testing.T, db store.DB, name string) *store.Store {
	t.Helper()
	s := store.New(db, name, storetest.NewClock().Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
