package views_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestComparison_OmitsUnknownValues checks which changes a comparison shows if one of the
// two states is unknown. It tests complete, incomplete and unknown lists of the record.
func TestComparison_OmitsUnknownValues(t *testing.T) {
	state := func(gap store.PastGap, price, quantity string, tables ...views.PastTable) views.PastRecord {
		return views.PastRecord{
			Past: store.Past{At: someDay, Gap: gap, Since: someDay}, Noun: "product", Path: "/products/p1", Heading: "Lamp",
			Facts:  []views.PastFact{{Label: "Price", Value: price}, {Label: "Quantity", Value: quantity, Certain: true}, {Label: "Category", Value: "Lamps"}},
			Tables: tables,
		}
	}
	list := func(note string, unknown bool, rows ...views.PastRow) views.PastTable {
		return views.PastTable{Title: "Stock", Columns: []string{"Warehouse", "Quantity", "Bin"}, Rows: rows, Note: note, Empty: "Too many.", Certain: true, Unknown: unknown}
	}
	row := func(id, quantity string) views.PastRow {
		return views.PastRow{ID: id, Cells: []string{"Warehouse " + id, quantity, ""}}
	}
	for name, tt := range map[string]struct {
		from, to views.PastRecord
		want     string
		texts    []string
	}{
		"both known":     {state("", "1", "5"), state("", "2", "5"), "Price: 1 to 2", []string{"2 other values are the same."}},
		"nothing":        {state("", "1", "5"), state("", "1", "5"), "", []string{"No values changed."}},
		"no values":      {state(store.PastNoValues, "1", "5"), state("", "2", "6"), "Quantity: 5 to 6", []string{"doesn't contain the values before the change", "Only values that are known for both dates are compared."}},
		"erased":         {state(store.PastErased, "1", "5"), state(store.PastErased, "2", "5"), "", []string{"was erased", "No values changed."}},
		"too many":       {state(store.PastTooMany, "1", "5"), state("", "2", "5"), "", []string{"more than 200 later history entries"}},
		"not added":      {state(store.PastNotAdded, "1", "5"), state("", "2", "5"), "Price: – to 2, Quantity: – to 5, Category: – to Lamps", []string{"was added later"}},
		"never added":    {state(store.PastNotAdded, "1", "5"), state(store.PastNotAdded, "2", "6"), "", []string{"did not exist on these dates"}},
		"history begins": {state(store.PastBegins, "1", "5"), state("", "2", "5"), "Price: 1 to 2", []string{"The values shown are those before this first entry"}},
		"whole lists": {
			state("", "1", "5", list("", false, row("a", "1"), row("b", "2"))), state("", "1", "5", list("", false, row("b", "3"), row("c", "4"))),
			"b Quantity: 2 to 3, c Added: – to Quantity: 4, a Removed: Quantity: 1 to –", nil,
		},
		"parts of lists": {
			state("", "1", "5", list("More.", false, row("a", "1"), row("b", "2"))), state("", "1", "5", list("More.", false, row("b", "3"), row("c", "4"))),
			"b Quantity: 2 to 3", nil,
		},
		"unknown list": {state("", "1", "5", list("", true)), state("", "1", "5", list("", false, row("c", "4"))), "", []string{"Stock: Too many."}},
	} {
		t.Run(name, func(t *testing.T) {
			p := signedIn()
			c := views.NewComparison(&p, tt.from, tt.to, false)
			page := rendered(t, views.ComparePage(c))
			var got []string
			for _, r := range page.all("tr") {
				if cells := r.all("td"); len(cells) == 3 {
					name := cells[0].text()
					if _, id, found := strings.Cut(name, "Warehouse "); found {
						value, _, _ := strings.Cut(name, "Stock")
						name = strings.TrimSpace(id) + " " + strings.TrimSpace(value)
					}
					got = append(got, strings.TrimSpace(name)+": "+strings.TrimSpace(cells[1].text())+" to "+strings.TrimSpace(cells[2].text()))
				}
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("got %q, want %q", text, tt.want)
			}
			for _, want := range tt.texts {
				if !strings.Contains(page.text(), want) {
					t.Errorf("got no %q in %s", want, page.text())
				}
			}
		})
	}
}

// TestComparison_ReadsTheLedger compares the stock of a warehouse at two moments. The
// quantities come from the ledger. If the stock has changed too often, the page says so.
func TestComparison_ReadsTheLedger(t *testing.T) {
	p := signedIn()
	past := store.PastWarehouse{Past: store.Past{At: someDay.Add(-time.Hour)}, Warehouse: store.Warehouse{ID: "w1"}, Moves: []store.StockMove{
		{ID: "01A", ProductID: "p1", WarehouseID: "w1", From: 5, To: 4, Delta: -1, Reason: "broken", By: "kim", When: someDay},
		{ID: "01B", ProductID: "p2", WarehouseID: "w1", From: 1, To: 3, Delta: 2, When: someDay},
		{ID: "01C", ProductID: "p2", WarehouseID: "w1", From: 3, To: 1, Delta: -2, When: someDay},
		{ID: "01D", ProductID: "p1", WarehouseID: "w1", From: 4, To: 2, Delta: -2, When: someDay},
		{ID: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", ProductID: "p1", WarehouseID: "w1", From: 2, To: 9, Delta: 7, When: someDay.Add(time.Hour)},
	}}
	now := store.PastWarehouse{Past: store.Past{At: someDay}, Warehouse: store.Warehouse{ID: "w1"}}
	from, to := views.PastWarehouse(&p, &past), views.PastWarehouse(&p, &now)
	from.Past, to.Past = past.Past, now.Past
	c := views.NewComparison(&p, from, to, true)
	if len(c.Changes) != 1 || c.Changes[0].ID != "p1" || c.Changes[0].Before != "5" || c.Changes[0].After != "2" {
		t.Errorf("got %+v, want the quantity of p1 from 5 to 2", c.Changes)
	}
	if len(c.Log.Rows) != 4 || c.Log.Rows[3].Cells[4] != "broken" {
		t.Errorf("got %+v, want 4 entries, newest first", c.Log.Rows)
	}
	past.TooMany, past.Moves = true, nil
	from = views.PastWarehouse(&p, &past)
	from.Past = past.Past
	if page := rendered(t, views.ComparePage(views.NewComparison(&p, from, to, true))); !strings.Contains(page.text(), "Inventory: The stock of this warehouse has changed too often since then to be shown.") {
		t.Errorf("got no note about the stock in %s", page.text())
	}
}
