package exchange_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func exportWith(t *testing.T, s *store.Store, options exchange.ExportOptions) map[string]string {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if options.Files, err = exchange.FileNames(options.Format, nil); err != nil {
		t.Fatal(err)
	}
	files := map[string]*strings.Builder{}
	options.Shards = settings.Shards
	options.Create = func(name string) (io.WriteCloser, error) {
		files[name] = &strings.Builder{}
		return textFile{files[name]}, nil
	}
	if _, err := exchange.Export(t.Context(), s, options); err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for name, file := range files {
		contents[name] = file.String()
	}
	return contents
}

type textFile struct{ *strings.Builder }

func (textFile) Close() error { return nil }

// TestExport_Since exports the changes since a time. The export must contain the records
// with a later date or event, and those whose last change is unknown.
func TestExport_Since(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		business := storetest.NewShop()
		business.Load(t, s)
		admin := s.As(&store.User{Name: "kim", Role: store.Admin})
		reprice := func(n int) {
			product := business.Products[n]
			product.Version, product.Price = 1, store.MinorUnits(777)
			if err := admin.SaveProduct(t.Context(), product, "token"+product.ID); err != nil {
				t.Fatal(err)
			}
		}
		order := business.Orders[0].Order
		clock.Advance(time.Hour)
		reprice(0)
		clock.Advance(time.Hour)
		since := clock.Now()
		reprice(1)
		if err := admin.NoteOnOrder(t.Context(), order.ID, "Call back", s.NewToken()); err != nil {
			t.Fatal(err)
		}
		got := exportWith(t, s, exchange.ExportOptions{Format: exchange.FormatCSV, Since: since})
		has := func(file, start string) bool { return strings.Contains("\n"+got[file+".csv"], "\n"+start+",") }
		for id, want := range map[string]bool{business.Products[0].ID: false, business.Products[1].ID: true, business.Products[2].ID: true} {
			if has("products", id) != want {
				t.Errorf("product %s exported: got %t, want %t", id, !want, want)
			}
		}
		for _, file := range []string{"orders", "order-items", "invoices", "invoice-payments", "shipments", "shipment-items"} {
			rows := strings.Split(strings.TrimSpace(got[file+".csv"]), "\n")[1:]
			if len(rows) == 0 || slices.ContainsFunc(rows, func(row string) bool { return !strings.HasPrefix(row, order.ID+",") }) {
				t.Errorf("%s: got %q, want the rows of order %s", file, rows, order.ID)
			}
		}
		if n := strings.Count(got["events.csv"], "\n"); n != 3 {
			t.Errorf("got %d lines of events, want a header and the 2 after that time:\n%s", n, got["events.csv"])
		}
		if n := strings.Count(got["stores.csv"], "\n"); n != len(business.Rentals.Stores)+1 {
			t.Errorf("got %d lines of stores, want all stores, because their changes are not recorded", n)
		}
	})
}

// shipOne places an order of the business and ships it an hour later. It returns the
// order's ID.
func shipOne(t *testing.T, s *store.Store, clock *storetest.Clock) (orderID string) {
	t.Helper()
	storetest.NewBusiness().Load(t, s)
	admin := s.As(&store.User{Name: "kim", Role: store.Admin})
	basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 2}}}
	id, err := admin.PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(20_00)}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	if err := admin.ShipOpenItems(t.Context(), id, "w1", s.NewToken()); err != nil {
		t.Fatal(err)
	}
	return id
}

// TestExport_SinceShipment exports the changes since the time of a shipment. The export
// must contain the ledger entry of the shipment, and the stock that it changed.
func TestExport_SinceShipment(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		id := shipOne(t, s, clock)
		got := exportWith(t, s, exchange.ExportOptions{Format: exchange.FormatCSV, Since: clock.Now()})
		for file, row := range map[string]string{"warehouse-items": "\np1,w1,", "shipment-items": "\n" + id + ","} {
			if !strings.Contains(got[file+".csv"], row) {
				t.Errorf("%s: got %q, want a row that begins with %q", file, got[file+".csv"], row)
			}
		}
	})
}

// TestExport_LedgerOfShipment exports a ledger with an entry of a shipment and imports it
// into an empty table. The ledgers must be equal.
func TestExport_LedgerOfShipment(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	shipOne(t, from, clock)
	ledger := func(s *store.Store) []store.StockMove {
		moves, err := s.As(importAdmin).StockMoves(t.Context(), "p1", "w1", store.Page{})
		all, allErr := s.As(importAdmin).StockMovesOfWarehouse(t.Context(), "w1", store.Page{})
		if err != nil || allErr != nil || !slices.Equal(moves.Rows, all.Rows) {
			t.Fatalf("got the ledgers %+v, %v and %+v, %v; want equal ones", moves.Rows, err, all.Rows, allErr)
		}
		return moves.Rows
	}
	want := ledger(from)
	if newest := want[0]; len(want) != 3 || newest.Delta != -2 || newest.From != 7 || newest.To != 5 || newest.By != "kim" || newest.Name != "Lamp" || newest.ShipmentID == "" {
		t.Fatalf("got the ledger %+v, want three entries, of which the shipment is the newest", want)
	}
	for _, format := range exchange.Formats {
		to := storetest.Open(t, clock)
		if _, rejected := importRows(t, to, exchange.ImportOptions{}, -1, openFiles(t, export(t, from, format)...)...); len(rejected) > 0 {
			t.Errorf("%s: %d rejected, want none; the first: %s", format, len(rejected), rejected[0])
		}
		if got := ledger(to); !slices.Equal(got, want) {
			t.Errorf("%s: got the ledger %+v, want %+v", format, got, want)
		}
	}
}

func TestWithoutChangeRecords(t *testing.T) {
	files, err := exchange.FileNames(exchange.FormatCSV, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"stores", "store-employees", "people", "same-person", "employments", "rental-payments", "quotas", "regions", "countries", "locations", "departments", "jobs", "categories", "former-categories", "views", "totals",
	}
	if got := exchange.WithoutChangeRecords(files); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
