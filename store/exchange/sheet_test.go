package exchange_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
)

var update = flag.Bool("update", false, "write docs/import-export.md anew")

// inside are the entities that neither leave the table nor come into it.
var inside = []string{"settings", "sessionKeys", "user", "session", "lease", "jobRun", "jobResult"}

// TestEveryEntityHasASheet fails on an entity that was added and that exports
// would leave out, and on one that they must.
func TestEveryEntityHasASheet(t *testing.T) {
	files := map[string]string{}
	for _, d := range store.Definitions {
		s, has := exchange.SheetOf(d.Type)
		if has == slices.Contains(inside, d.Type) {
			t.Errorf("%s: leaves the table %v", d.Type, has)
		}
		if !has {
			continue
		}
		if len(s.Columns) == 0 {
			t.Errorf("%s has no columns", d.Type)
		}
		names := []string{s.File}
		for _, l := range s.Lists {
			names = append(names, l.File)
		}
		for _, name := range names {
			if files[name] != "" {
				t.Errorf("%s.csv is the file of %s and of %s", name, files[name], d.Type)
			}
			files[name] = d.Type
		}
	}
}

// TestColumnsAreDocumented holds docs/import-export.md to the definitions.
func TestColumnsAreDocumented(t *testing.T) {
	const path, begin = "../../docs/import-export.md", "<!-- columns -->\n"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prose, _, found := strings.Cut(string(content), begin)
	if !found {
		t.Fatalf("%s has no place for the columns", path)
	}
	want := prose + begin + columnsOfAll()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(content) != want {
		t.Errorf("%s is out of date: 'go test ./store/exchange -run Documented -update' writes it", path)
	}
}

func columnsOfAll() string {
	var b strings.Builder
	for _, s := range exchange.Sheets() {
		describe(&b, s.File, s.Columns)
		for _, l := range s.Lists {
			describe(&b, l.File, l.Columns)
		}
	}
	return b.String()
}

func describe(b *strings.Builder, file string, columns []exchange.Column) {
	fmt.Fprintf(b, "\n### %s.csv\n\n", file)
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		if c.Needed {
			fmt.Fprintf(b, "**%s**", c.Name)
		} else {
			b.WriteString(c.Name)
		}
	}
	b.WriteString("\n")
}

func TestWrongRowsComeBackWithTheirReason(t *testing.T) {
	for name, tt := range map[string]struct {
		file, header, row, reason string
	}{
		"no ID":              {"customers.csv", "CustomerID,Name", ",Kim", "CustomerID"},
		"a bad ID":           {"customers.csv", "CustomerID,Name", "a#b,Kim", "CustomerID"},
		"a price of words":   {"products.csv", "ProductID,Price", "1,much", `Its Price is "much"`},
		"a price of two":     {"products.csv", "ProductID,Price", `1,"1,234"`, "Price"},
		"a price below zero": {"products.csv", "ProductID,Price", "1,-1", "Price"},
		"no price":           {"products.csv", "ProductID,Price", "1,", "It does not say its Price"},
		"half a piece":       {"warehouse-items.csv", "ProductID,WarehouseID,Quantity", "1,2,0.5", "Quantity"},
		"a date of two":      {"orders.csv", "OrderID,CustomerID,Date,Status,Total", "1,2,03/04/2026,OPEN,1", "Date"},
		"a lost status":      {"orders.csv", "OrderID,CustomerID,Date,Status,Total", "1,2,2026-01-01,LOST,1", "LOST"},
		"too many cells":     {"customers.csv", "CustomerID,Name", "1,Kim,x", "3 cells"},
		"odd quotes":         {"customers.csv", "CustomerID,Name", `1,"Kim"x`, "quotes"},
		"another encoding":   {"customers.csv", "CustomerID,Name", "1,caf\xe9", "UTF-8"},
		"an odd flag":        {"order-items.csv", "OrderID,ProductID,CustomerID,Date,Price,Quantity,Cancelled", "1,2,3,2026-01-01,1,1,perhaps", "true or false"},
		"an odd quarter":     {"quotas.csv", "EmployeeID,Period,OrderTotal,Orders", "1,2026-Q7,1,1", "quarter"},
		"another shard":      {"totals.csv", "Kind,Shard,Day,Count,Amount", "orders,03,2026-01-01,1,1", "Shard"},
	} {
		files := []exchange.File{{Name: tt.file, Content: strings.NewReader(tt.header + "\n\n" + tt.row + "\n")}}
		sources, err := exchange.Open(files, exchange.Naming{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var refused []exchange.Refused
		for portion, err := range sources[0].Portions {
			if err != nil || len(portion.Entities) > 0 {
				t.Errorf("%s: %v, taken %v", name, err, portion.Entities)
				continue
			}
			refused = append(refused, portion.Refused...)
		}
		if len(refused) != 1 || refused[0].Number != 3 || !strings.Contains(refused[0].Reason, tt.reason) {
			t.Errorf("%s: refused %+v, want row 3 for its %q", name, refused, tt.reason)
		}
	}
}

// TestRightRowsGoInBesideWrongOnes also holds a payment that is wrong to keep
// its invoice out, whose state would be wrong for good.
func TestRightRowsGoInBesideWrongOnes(t *testing.T) {
	read := func(name, content string) exchange.File {
		return exchange.File{Name: name, Content: strings.NewReader(content)}
	}
	sources, err := exchange.Open([]exchange.File{
		read("invoice-payments.csv", "OrderID;InvoiceID;PaymentID;Type;Amount\n1;10;a;Visa;7,50\n1;11;b;Visa;x\n1;12;c;Visa;1\n"),
		read("invoices.csv", "\ufeffOrderID;InvoiceID;CustomerID;Date;Amount\n1;10;5;21.11.2026;7,5\n1;11;5;21.11.2026;7,5\n1;13;5;21.11.2026;7,5\n"),
	}, exchange.Naming{})
	if err != nil || len(sources) != 1 || sources[0].File != 1 {
		t.Fatal(err, sources)
	}
	for portion, err := range sources[0].Portions {
		if err != nil || len(portion.Entities) != 2 {
			t.Fatalf("%v, %+v", err, portion)
		}
		first, second := portion.Entities[0].(*store.Invoice), portion.Entities[1].(*store.Invoice)
		if first.Status != store.InvoicePaid || len(first.Payments) != 1 || second.Status != store.InvoiceUnpaid {
			t.Errorf("%+v, %+v", first, second)
		}
		var places []string
		for _, r := range portion.Refused {
			places = append(places, fmt.Sprintf("%s %d", r.Table, r.Number))
		}
		slices.Sort(places)
		if want := []string{" 3", "invoice-payments 3", "invoice-payments 4"}; !slices.Equal(places, want) {
			t.Errorf("refused %q, want %q", places, want)
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	for name, tt := range map[string]struct{ file, content, says string }{
		"empty":              {"customers.csv", "", "empty"},
		"an unknown column":  {"customers.csv", "CustomerID,Shoe\n", `"Shoe"`},
		"a column twice":     {"customers.csv", "CustomerID,customerid\n", "twice"},
		"a missing column":   {"orders.csv", "OrderID,CustomerID,Date,Status\n", "Total is missing"},
		"a list by itself":   {"invoice-payments.csv", "OrderID,InvoiceID,Amount\n", "invoices.csv"},
		"another encoding":   {"customers.csv", "CustomerID,caf\xe9\n", "UTF-8"},
		"what holds nothing": {"clients.csv", "", "named after"},
		"what never goes in": {"users.csv", "", "named after"},
	} {
		_, err := exchange.Open([]exchange.File{{Name: tt.file, Content: strings.NewReader(tt.content)}}, exchange.Naming{})
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
}
