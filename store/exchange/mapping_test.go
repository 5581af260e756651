package exchange_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// mapped returns files with a mapping.
func mapped(t *testing.T, mapping string, files ...exchange.File) []exchange.File {
	t.Helper()
	m, err := exchange.ReadMapping("mapping.yaml", strings.NewReader(mapping))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i].Mapping = m
	}
	return files
}

// TestMapping_Values imports files with a mapping. The files have another encoding than
// exports, and write dates, numbers and categories differently.
func TestMapping_Values(t *testing.T) {
	const mapping = `
encoding: windows-1252
files:
  Artikel.csv:
    entity: products
    decimal: ","
    empty: ["-", "n/a"]
    columns:
      Nr: {to: ProductID, prefix: art-}
      Bezeichnung: Detail.Name
      Preis: {to: Price, scale: 0.01}
      Gruppe: {to: Category, values: {1: Lampen, 2: Tische, "": Sonstiges}, other: Unbekannt}
      Gewicht: {to: Weight, scale: 1000}
      sku: SKU
    join:
      Detail.Description: {columns: [Text1, Text2], separator: " / "}
    ignore: Lager
  clients.csv:
    entity: customers.csv
    dates: [M/D/YYYY, "M/D/YYYY h:mm AM"]
    columns:
      id: {to: CustomerID, prefix: c-}
      client: [Name, Address.Street]
      since: Created
    constants: {Address.Country: Norway}
`
	files := mapped(t, mapping,
		newFile("Artikel.csv.gz", "Nr;Bezeichnung;Preis;Gruppe;Gewicht;SKU;Text1;Text2;Lager\n"+
			"7;Gr\xfcne Lampe;1.299,5;1;1,25;G-7;hell;\x80 neu;12\n"+
			"\n"+
			"8;Tisch;50000;;n/a;-;;rund;\n"+
			"9;Stuhl;12.5;9;;;;;\n"),
		newFile("clients.csv", "id,client,since\n1,Acme,3/4/2021\n2,Zed,12/31/2021 4:30 PM\n3,Bad,31/12/2021\n"))
	s := storetest.Open(t, storetest.NewClock())
	counts, rejected := importAll(t, s, exchange.ImportOptions{}, files)
	want := []string{
		`Artikel.csv.gz 5: Preis “12.5” is not valid. Enter a number with the decimal separator of the mapping.`,
		`clients.csv 4: since “31/12/2021” is not valid. It matches none of the date formats in the mapping.`,
	}
	slices.Sort(rejected)
	if !slices.Equal(rejected, want) || counts["Artikel.csv.gz product"].Added != 2 || counts["clients.csv customer"].Added != 2 {
		t.Fatalf("got %v, rejected %q, want %q", counts, rejected, want)
	}
	a := s.As(importAdmin)
	for id, want := range map[string]store.Product{
		"art-7": {ID: "art-7", Name: "Grüne Lampe", Description: "hell / € neu", Category: "Lampen", Weight: 1250, SKU: "G-7", Price: store.MinorUnits(1300), Version: 1},
		"art-8": {ID: "art-8", Name: "Tisch", Description: "rund", Category: "Sonstiges", Price: store.MinorUnits(50000), Version: 1},
	} {
		if id == "art-7" {
			want.Price, _ = store.ParseAmount("12.995")
		}
		got, err := a.Product(t.Context(), id)
		if err != nil || fmt.Sprint(*got) != fmt.Sprint(want) {
			t.Errorf("product %s: got %+v, %v, want %+v", id, got, err, want)
		}
	}
	got, err := a.Customer(t.Context(), "c-2")
	if err != nil || got.Name != "Zed" || got.Address.Street != "Zed" || got.Address.Country != "Norway" || got.Created.Format("2006-01-02 15:04") != "2021-12-31 16:30" {
		t.Errorf("customer: got %+v, %v, want the mapped name, street, country and creation date", got, err)
	}
}

// TestMapping_KeepsApostrophes imports texts that look like formulas. A file with Stockroom's
// own columns and a file with a mapping must give the same names.
func TestMapping_KeepsApostrophes(t *testing.T) {
	const mapping = `
files:
  varer.csv:
    entity: products
    columns: {Nr: ProductID, Navn: Detail.Name}
    constants: {Detail.Description: "'=d", Price: 1}
`
	s := storetest.Open(t, storetest.NewClock())
	for name, files := range map[string][]exchange.File{
		"own columns": {newFile("products.csv", "ProductID,Detail.Name,Price\n1,''=x,1\n2,'=x,1\n3,=x,1\n4,'x,1\n")},
		"mapping":     mapped(t, mapping, newFile("varer.csv", "Nr,Navn\nm1,''=x\nm2,'=x\nm3,=x\nm4,'x\n")),
	} {
		if _, rejected := importAll(t, s, exchange.ImportOptions{}, files); len(rejected) > 0 {
			t.Errorf("%s: got the rejected rows %q, want none", name, rejected)
		}
	}
	for id, want := range map[string]string{"1": "'=x", "2": "=x", "3": "=x", "4": "'x"} {
		for _, id := range []string{id, "m" + id} {
			if p, err := s.As(importAdmin).Product(t.Context(), id); err != nil || p.Name != want || id[0] == 'm' && p.Description != "'=d" {
				t.Errorf("product %s: got %+v, error %v, want the name %q", id, p, err, want)
			}
		}
	}
}

// TestMapping_DiscountIsRounded checks that an import rounds prices after a discount to the
// decimals of the currency, and computes missing totals of orders from them.
func TestMapping_DiscountIsRounded(t *testing.T) {
	const mapping = `
files:
  o.csv: {entity: orders, columns: {nr: OrderID, who: CustomerID, day: Date}, constants: {Status: OPEN}}
  l.csv:
    entity: order-items
    columns: {nr: OrderID, item: ProductID, price: {to: Price, discount: off}, n: Quantity}
`
	for _, tt := range []struct{ currency, total string }{{"EUR", "23.59"}, {"JPY", "23"}} {
		files := mapped(t, mapping, newFile("o.csv", "nr,who,day\n1,c1,2026-01-05\n2,c1,2026-01-05\n3,c1,2026-01-05\n"),
			newFile("l.csv", "nr,item,price,n,off\n1,a,10.05,2,0.10\n1,b,5.55,1,0.01\n1,c,1,1,100%\n3,d,1,1,1.5\n"))
		files[0].Mapping.SetCurrency(tt.currency)
		s := storetest.Open(t, storetest.NewClock())
		_, rejected := importAll(t, s, exchange.ImportOptions{Lenient: true}, files)
		want := `l.csv 5: off “1.5” is not valid. Enter a fraction from 0 to 1, or a percentage such as 15%.`
		if !slices.Contains(rejected, want) {
			t.Errorf("rejected: got %q, want %q", rejected, want)
		}
		o, err := s.As(importAdmin).Order(t.Context(), "1")
		if err != nil || o.Total.String() != tt.total || o.ItemCount != 4 || o.Items[0].CustomerID != "c1" {
			t.Errorf("%s: got %+v, %v, want a total of %s", tt.currency, o, err, tt.total)
		}
		if o, err := s.As(importAdmin).Order(t.Context(), "2"); err != nil || o.Total.String() != "0" {
			t.Errorf("order without lines: got %+v, %v, want the total 0", o, err)
		}
	}
}

// TestMapping_NamesAllProblems opens files with unknown columns. One error must list
// the columns of all files.
func TestMapping_NamesAllProblems(t *testing.T) {
	files := mapped(t, "files:\n  p.csv: {entity: products, columns: {nr: ProductID, gone: SKU}}\n  k.csv: {entity: customers}\n",
		newFile("p.csv", "nr,colour,Price,desc\n"), newFile("k.csv", "CustomerID,fullname,name\n"), newFile("warehouses.csv", "id,Name\n"))
	_, err := exchange.Open(files, "")
	if err == nil {
		t.Fatal("got no error, want one")
	}
	for _, want := range []string{`p.csv, line 1: unknown columns "colour", "desc" (Detail.Description?); use ProductID`, `k.csv, line 1: unknown column "fullname"`, `warehouses.csv, line 1: unknown column "id"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %q, want %q in it", err, want)
		}
	}
	for name, tt := range map[string]struct{ mapping, header, want string }{
		"a column that the file lacks":   {"files: {p.csv: {entity: products, columns: {nr: ProductID, gone: SKU}}}", "nr,Price", "mapping.yaml, line 1: columns of the mapping that the file does not have: gone"},
		"a required attribute":           {"files: {p.csv: {entity: products, columns: {nr: SKU}}}", "nr", "no column or constant for the required attributes of products: ProductID, Price; see line 1 of mapping.yaml"},
		"a column twice":                 {"files: {p.csv: {entity: products, columns: {nr: ProductID}}}", "nr,Price,NR", "the column NR appears twice"},
		"lines without the orders' file": {"files: {p.csv: {entity: order-items, columns: {nr: OrderID}}}", "nr,ProductID,Price,Quantity", "required attributes of order-items: CustomerID, Date"},
	} {
		_, err := exchange.Open(mapped(t, tt.mapping, newFile("p.csv", tt.header+"\n")), "")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

func TestReadMapping_RejectsInvalid(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "mapping.yaml: the mapping is empty",
		"files: [":                         "line 1: did not find expected node content",
		"dates: YYYY-MM-DD\n":              "line 1: the key 'files' is missing",
		"files:\n  a.csv:\n    entty: x\n": `line 3: unknown key “entty”; use columns, constants, dates`,
		"files:\n  a.csv:\n    entity: unicorns\n":                                                        `line 3: unknown entity “unicorns”; use customers`,
		"files:\n  a.csv: {entity: products}\n  A.csv: {entity: products}\n":                              "line 3: the file A.csv appears twice",
		"files:\n  a.csv:\n    entity: products\n    entity: orders\n":                                    `line 4: the key “entity” appears twice`,
		"files:\n  a.csv:\n    entity: products\n    columns:\n      x: Prize\n":                          `line 5: unknown attribute “Prize” of products; use ProductID`,
		"files:\n  a.csv:\n    entity: products\n    columns:\n      x: Price\n      y: Price\n":          "line 6: Price already has a value in line 5; use join",
		"files:\n  a.csv:\n    entity: products\n    columns:\n      x: {to: SKU, scale: 2}\n":            "line 5: SKU is not a number",
		"files:\n  a.csv:\n    entity: products\n    columns:\n      x: {to: Price, scale: big}\n":        `line 5: scale “big” is not a number`,
		"files:\n  a.csv:\n    entity: products\n    columns:\n      x: {to: ProductID, prefix: \"#\"}\n": "line 5: the prefix “#” can't be part of an ID",
		"files:\n  a.csv:\n    entity: products\n    ignore: [x]\n    columns:\n      x: Price\n":         "line 6: the column x is under columns and under ignore; remove one",
		"dates: YYYY-Q\nfiles: {}\n":                              `line 1: unknown date format “YYYY-Q”`,
		"decimal: x\nfiles: {}\n":                                 `line 1: unknown decimal separator “x”`,
		"encoding: ebcdic\nfiles: {}\n":                           `line 1: unknown encoding “ebcdic”; use iso-8859-1`,
		"files:\n  a.csv: [{entity: none}, {entity: products}]\n": "line 2: a file with the entity none can't have another entity",
		"files:\n  a.csv: &a {entity: none}\n  b.csv: *a\n":       "line 3: a name with a value is expected here",
		strings.Repeat("#", 1<<20+1):                              "the mapping is larger than 1 MB",
	} {
		_, err := exchange.ReadMapping("mapping.yaml", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
}

// TestMapping_CountsRejectedRowsOnce imports a file in which each row becomes an order and
// a line. A row must count once if both are rejected.
func TestMapping_CountsRejectedRowsOnce(t *testing.T) {
	const mapping = `
files:
  sales.csv:
    - {entity: orders, columns: {nr: OrderID, who: CustomerID, day: Date}, ignore: [item, price, n], constants: {Status: OPEN}}
    - {entity: order-items, columns: {nr: OrderID, item: ProductID, price: Price, n: Quantity}, ignore: [who, day]}
`
	open := func() []exchange.Source {
		t.Helper()
		sources, err := exchange.Open(mapped(t, mapping, newFile("sales.csv", "nr,who,day,item,price,n\n1,c1,2026-01-05,a,10,1\n1,c1,2026-01-05,b,much,1\n2,c1,2026-01-05,a,10,1\n")), "")
		if err != nil {
			t.Fatal(err)
		}
		return sources
	}
	for _, tt := range []struct {
		most int
		err  error
	}{{2, nil}, {1, exchange.ErrTooManyRejected}} {
		var rows []int
		sources := open()
		result, err := exchange.Import(t.Context(), storetest.Open(t, storetest.NewClock()), sources[0], exchange.ImportOptions{
			Lenient: true, MaxRejected: tt.most,
			Rejected: func(rejected []exchange.RejectedRow) error {
				for i := range rejected {
					rows = append(rows, rejected[i].Number)
				}
				return nil
			},
		})
		slices.Sort(rows)
		if len(sources) != 1 || !errors.Is(err, tt.err) || !slices.Equal(rows, []int{2, 3}) {
			t.Errorf("at most %d: got rejected rows %d, %v, want 2 and 3", tt.most, rows, err)
		}
		for entity, want := range map[string]exchange.Counts{"order": {Read: 3, Added: 1, Rejected: 2}, "orderItem": {Read: 3, Added: 1, Rejected: 2}} {
			if got := result.Counts[exchange.Counted{Entity: entity}]; tt.err == nil && (got == nil || *got != want) {
				t.Errorf("%s: got %+v, want %+v", entity, got, want)
			}
		}
	}
}

// TestMapping_ReportsOwnReasons imports a file in which each row becomes an order and a
// line. If a line is rejected, its own reason must be reported, and not that of its order.
func TestMapping_ReportsOwnReasons(t *testing.T) {
	const mapping = `
files:
  sales.csv:
    - {entity: orders, columns: {nr: OrderID, who: CustomerID, day: Date}, ignore: [item, price, n], constants: {Status: OPEN}}
    - {entity: order-items, columns: {nr: OrderID, item: ProductID, price: Price, n: Quantity}, ignore: [who, day]}
`
	files := append(mapped(t, mapping, newFile("sales.csv", "nr,who,day,item,price,n\n1,c1,2026-01-05,a,much,1\n2,c1,2026-01-05,a,10,1\n2,c1,2026-01-05,gone,10,1\n")),
		newFile("customers.csv", "CustomerID,Name\nc1,Kim\n"), newFile("products.csv", "ProductID,Detail.Name,Price\na,Lamp,6\n"))
	_, rejected := importAll(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{}, files)
	for n, want := range []string{`sales.csv 2: Price “much”`, "sales.csv 4: Unknown product gone", "sales.csv 3: Row 4 of sales.csv, part of the same order 2, was rejected."} {
		if len(rejected) != 3 || !strings.HasPrefix(rejected[n], want) {
			t.Errorf("got %q, want %q", rejected, want)
		}
	}
}

// TestMapping_WhenUsesFormatOfFile imports a file whose mapping selects rows by a column.
// The texts that stand for an empty cell in another column must not matter.
func TestMapping_WhenUsesFormatOfFile(t *testing.T) {
	const mapping = `
files:
  varer.csv:
    entity: products
    when: Nr
    empty: "-"
    columns:
      Pris: {to: Price, empty: ["0"]}
      Nr: ProductID
      Navn: Detail.Name
`
	s := storetest.Open(t, storetest.NewClock())
	counts, rejected := importAll(t, s, exchange.ImportOptions{}, mapped(t, mapping, newFile("varer.csv", "Nr;Navn;Pris\n0;Lamp;10\n-;Sum;20\n;Note;30\n1;Desk;40\n")))
	if len(rejected) > 0 || counts["varer.csv product"].Added != 2 {
		t.Errorf("got %v, rejected %q; want the products 0 and 1", counts, rejected)
	}
}

// TestPreview_WithoutColumns previews a file of which the mapping uses no column. The
// preview must have no rows.
func TestPreview_WithoutColumns(t *testing.T) {
	const mapping = "files: {varer.csv: {entity: products, when: Nr, ignore: [Nr, Navn]}}"
	rows, err := exchange.Preview(mapped(t, mapping, newFile("varer.csv", "Nr;Navn\n1;Lamp\n")), 3)
	if err != nil || len(rows) != 1 || len(rows[0].Columns) > 0 || len(rows[0].Rows) > 0 {
		t.Errorf("got %+v, %v; want no columns and no rows", rows, err)
	}
}
