package exchange_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestExport_CreditNotes exports orders with credit notes and second invoices, and imports
// them into an empty table. There, the next credit note must get the next number.
func TestExport_CreditNotes(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	shop := storetest.NewShop()
	shop.Load(t, from)
	admin := &store.User{Name: "test", Role: store.Admin}
	want := issueCreditNote(t, from.As(admin))
	if _, err := from.CheckTotals(t.Context(), store.TotalsCheck{Rebuild: true}); err != nil { // the shop is loaded without totals
		t.Fatal(err)
	}
	for _, format := range []exchange.Format{exchange.FormatCSV, exchange.FormatLines} {
		t.Run(string(format), func(t *testing.T) {
			paths := export(t, from, format)
			to := storetest.Open(t, clock)
			if _, rejected := importFiles(t, to, exchange.ImportOptions{}, openFiles(t, paths...)...); len(rejected) > 0 {
				t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
			}
			got, err := to.As(admin).Order(t.Context(), want.ID)
			if err != nil || !reflect.DeepEqual(got.CreditNotes, want.CreditNotes) {
				t.Errorf("got the credit notes %+v, %v; want %+v", got.CreditNotes, err, want.CreditNotes)
			}
			for n := range want.Invoices {
				got.Invoices[n].Version = want.Invoices[n].Version // an import starts with version 1
			}
			if !reflect.DeepEqual(got.Invoices, want.Invoices) {
				t.Errorf("got the invoices %+v, want %+v", got.Invoices, want.Invoices)
			}
			if format == exchange.FormatCSV { // without the file of totals, the import checks the files like those of other programs
				paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == "totals.csv" })
				if _, rejected := importFiles(t, storetest.Open(t, clock), exchange.ImportOptions{DryRun: true}, openFiles(t, paths...)...); slices.ContainsFunc(rejected, func(r string) bool {
					return strings.Contains(r, "invoice") || strings.Contains(r, "order") || strings.Contains(r, "credit")
				}) {
					t.Errorf("without totals: got %v, want the order accepted", rejected)
				}
			}
			if number := issueCreditNote(t, to.As(admin)).CreditNotes[0].Number; number != 2 {
				t.Errorf("got the number %d for the next credit note, want 2", number)
			}
			_, err = to.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
				if f.Rule == store.CheckCreditNote || f.Rule == store.CheckNumberOnce || f.Rule == store.CheckNumberGap { // the orders of the shop have other findings, which do not matter here
					t.Errorf("%s: %s", f.Rule, f.Text)
				}
			}})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// issueCreditNote places an order, adds an item, and reduces the quantity of another one.
// It returns the order, which then has a second invoice and a credit note.
func issueCreditNote(t *testing.T, a store.Access) *store.OrderDetails {
	t.Helper()
	order := store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}, {Product: "p11", Quantity: 1}}}, Total: store.MinorUnits(441)}
	id, err := a.PlaceOrder(t.Context(), order, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []store.OrderEdit{
		{OrderID: id, Version: 1, Lines: []store.BasketLine{{Product: "p12", Quantity: 1}}, Total: store.MinorUnits(553)},
		{OrderID: id, Version: 2, Lines: []store.BasketLine{{Product: "p10", Quantity: 2}}, Total: store.MinorUnits(443)},
	} {
		if err := a.EditOrder(t.Context(), e, ""); err != nil {
			t.Fatal(err)
		}
	}
	o, err := a.Order(t.Context(), id)
	if err != nil || len(o.CreditNotes) != 1 || len(o.Invoices) != 2 {
		t.Fatalf("got the order %+v, %v; want a credit note and two invoices", o, err)
	}
	return o
}
