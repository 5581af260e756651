package exchange_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func writeRejected(w io.Writer, file string, rows []exchange.RejectedRow) error {
	out := exchange.NewRejectedWriter(w, file)
	for i := range rows {
		if err := out.Write(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// importRejected imports files and returns the files of their rejected rows.
func importRejected(t *testing.T, s *store.Store, contents map[string]string) (rejected map[string]string) {
	t.Helper()
	return importRejectedOf(t, s, filesOf(contents))
}

func importRejectedOf(t *testing.T, s *store.Store, files []exchange.File) (rejected map[string]string) {
	t.Helper()
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	out, writers, known := map[string]*bytes.Buffer{}, map[string]*exchange.RejectedWriter{}, exchange.NewKnown()
	for _, source := range sources {
		_, err := exchange.Import(t.Context(), s, source, exchange.ImportOptions{Known: known, Rejected: func(rows []exchange.RejectedRow) error {
			for i := range rows {
				name := files[rows[i].File].Name + ".rejected.jsonl"
				if rows[i].IsCSV() {
					name = files[rows[i].File].Name + ".rejected.csv"
				}
				if out[name] == nil {
					out[name] = &bytes.Buffer{}
					writers[name] = exchange.NewRejectedWriter(out[name], files[rows[i].File].Name)
				}
				if err := writers[name].Write(&rows[i]); err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	rejected = map[string]string{}
	for name, content := range out {
		rejected[name] = content.String()
	}
	return rejected
}

// TestImport_OfRepairedRows imports files with an invalid price and an invalid payment. The
// files of rejected rows must contain the SKU, but not the card number. The test then
// corrects these files and imports them.
func TestImport_OfRepairedRows(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		whole := edited(orderFiles(), edit{"products.csv", "ProductID,Price,Detail.Name\np1,10,Lamp\np2,5,Desk", "ProductID;Price;SKU;Detail.Name\np1;10;5901234123457;Lamp\np2;5,50;5901234123464;Desk"},
			edit{"orders.csv", "25", "25.5"}, edit{"order-items.csv", "20,5,1", "20,5.5,1"}, edit{"invoices.csv", "25", "25.5"},
			edit{"invoice-payments.csv", "Amount\no1,i1,1,Cash,5", "Amount,Data\no1,i1,1,Visa,5,4111 1111 1111 4242"})
		broken := edited(whole, edit{"products.csv", "p2;5,50", "p2;much"}, edit{"invoice-payments.csv", "Visa,5", "Visa,five"})
		rejected := importRejected(t, s, broken)
		products := rejected["products.csv.rejected.csv"]
		if !strings.HasPrefix(products, "ProductID;Price;SKU;Detail.Name;Reason\r\np2;much;5901234123464;Desk;") {
			t.Errorf("products: got %q, want the original columns and an unmasked SKU", products)
		}
		payments := rejected["invoice-payments.csv.rejected.csv"]
		if strings.Contains(payments, "4111") || !strings.Contains(payments, "4242") || len(rejected) != 7 {
			t.Errorf("payments: got %q in %d files, want a masked card number in 7", payments, len(rejected))
		}
		rejected["products.csv.rejected.csv"] = strings.Replace(products, "much", "5,50", 1)
		rejected["invoice-payments.csv.rejected.csv"] = strings.Replace(payments, "five", "5", 1)
		if left := importRejected(t, s, rejected); len(left) > 0 {
			t.Errorf("repaired rows: rejected %v, want none", left)
		}
		again, refused := importFiles(t, s, exchange.ImportOptions{}, filesOf(whole)...)
		if again.Counts.Added > 0 || len(refused) > 1 { // the row with the masked card number may be rejected, because it differs from the one in the table
			t.Errorf("whole files: got %+v, rejected %q, want nothing added", again.Counts, refused)
		}
	})
}

// TestImport_RejectedRowWithMoreCells rejects a row with more cells than the header, twice.
// The reason must be in its own column, and the additional cells must remain.
func TestImport_RejectedRowWithMoreCells(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	const name = "customers.csv.rejected.csv"
	rejected := importRejected(t, s, map[string]string{"customers.csv": "CustomerID,Name\n1,Kim,Lee,Ann\n"})
	if want := "CustomerID,Name,Reason\r\n1,Kim,\"The row has 4 cells, but the file has 2 columns.\",Lee,Ann\r\n"; rejected[name] != want {
		t.Fatalf("got %q, want %q", rejected[name], want)
	}
	again := importRejected(t, s, map[string]string{"customers.csv": rejected[name]})
	if want := "CustomerID,Name,Reason\r\n1,Kim,\"The row has 5 cells, but the file has 3 columns.\",Lee,Ann\r\n"; again[name] != want {
		t.Errorf("got %q, want %q", again[name], want)
	}
}

// TestImport_OfRepairedItems corrects rejected JSON Lines and imports them. Only the line
// that is not JSON must be rejected again.
func TestImport_OfRepairedItems(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	const phone, broken = `"Phones":{"L":[{"S":"+46 70 123 45 67 89"}]}`, `"Price":{"S":"much"}`
	lines := map[string]string{"items.jsonl": `{"Item":{"PK":{"S":"c#5901234123457"},"SK":{"S":"c#5901234123457"},"Shoe":{"S":"9"},` + phone + `}}
{"Item":{"PK":{"S":"p#1"},"SK":{"S":"p#1"},` + broken + `}}
{"Item": not JSON 5901234123457}
`}
	content := importRejected(t, s, lines)["items.jsonl.rejected.jsonl"]
	if got := strings.Split(content, "\n"); len(got) != 4 || !strings.HasPrefix(got[1], `{"Item":{"PK":{"S":"c#5901234123457"},"SK":{"S":"c#5901234123457"},"Shoe":{"S":"9"},`+phone+`},"Rejected":{"File":"items.jsonl","Row":1,"Reason":"Unknown attribute Shoe.`) {
		t.Fatalf("got %s, want three rows, the first one with its original item and the reason", content)
	}
	content = strings.Replace(strings.Replace(content, `"Shoe"`, `"Name"`, 1), "much", "7", 1)
	left := importRejected(t, s, map[string]string{"items.jsonl.rejected.jsonl": content})["items.jsonl.rejected.jsonl.rejected.jsonl"]
	if strings.Count(left, "\n") != 1 || !strings.Contains(left, "not JSON") {
		t.Errorf("repaired rows: got %s, want only the line that is not JSON", left)
	}
	customer, err := s.As(importAdmin).Customer(t.Context(), "5901234123457")
	if err != nil || customer.Name != "9" || len(customer.Phones) != 1 || customer.Phones[0] != "+46 70 123 45 67 89" {
		t.Errorf("got %+v, %v, want the customer with its phone", customer, err)
	}
}

// TestImport_OfRepairedRenamedColumns imports a file whose columns have other names. The
// file of rejected rows must keep these names, so that the same mapping can read it.
func TestImport_OfRepairedRenamedColumns(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	const header, name = "Nr;Navn;Pris", "varer.csv.rejected.csv"
	mapping := func(file string) string {
		return "files: {" + file + ": {entity: products, columns: {Nr: ProductID, Navn: Detail.Name, Pris: Price}}}"
	}
	content := importRejectedOf(t, s, mapped(t, mapping("varer.csv"), newFile("varer.csv", header+"\np1;Lamp;10\np2;Desk;much\n")))[name]
	if !strings.HasPrefix(content, header+";Reason\r\np2;Desk;much;") || strings.Count(content, "\n") != 2 {
		t.Fatalf("got %q, want one row with the original columns", content)
	}
	_, rejected := importAll(t, s, exchange.ImportOptions{}, mapped(t, mapping(name), newFile(name, strings.Replace(content, "much", "7", 1))))
	if p, err := s.As(importAdmin).Product(t.Context(), "p2"); len(rejected) > 0 || err != nil || p.Price.String() != "7" || p.Name != "Desk" {
		t.Errorf("got %+v, %v, rejected %q, want the repaired row", p, err, rejected)
	}
}

// TestRejected_KeepsMeaningOfNumbers imports a file in which a single row shows the decimal
// separator. Another row is rejected. When the rejected row is imported alone, its numbers
// must keep their meaning.
func TestRejected_KeepsMeaningOfNumbers(t *testing.T) {
	for content, want := range map[string]map[string]string{
		"ProductID;Detail.Name;Price\np1;Lamp;12,50\nnew;Desk;1.234\n":     {"p2": "1234"},
		"ProductID;Detail.Name;Price\np1;Lamp;12,50\nnew;Desk;1,234\n":     {"p2": "1.234"},
		"ProductID,Detail.Name,Price\np1,Lamp,12.50\nnew,Desk,\"1,234\"\n": {"p2": "1234"},
		"ProductID,Detail.Name,Price\np1,Lamp,12.50\nnew,Desk,1.230\n":     {"p2": "1.23"},
	} {
		s := storetest.Open(t, storetest.NewClock())
		const name = "products.csv.rejected.csv"
		rejected := importRejected(t, s, map[string]string{"products.csv": content})[name]
		_, again := importAll(t, s, exchange.ImportOptions{}, []exchange.File{newFile(name, strings.Replace(rejected, "new", "p2", 1))})
		if len(again) > 0 {
			t.Errorf("%q: got rejected %q, want none, for\n%s", content, again, rejected)
		}
		for id, price := range want {
			if p, err := s.As(importAdmin).Product(t.Context(), id); err != nil || p.Price.String() != price {
				t.Errorf("%q: got product %+v, %v, want the price %s", content, p, err, price)
			}
		}
	}
}

// TestRejected_EscapesFormulas imports values and column names that a spreadsheet would run
// as formulas. The file of rejected rows must escape them, except numbers. An import of
// this file must read the same values, with and without a mapping.
func TestRejected_EscapesFormulas(t *testing.T) {
	const mapping = `: {entity: products, empty: ["-"], columns: {"=Nr": ProductID, "-Navn": Detail.Name, Pris: Price, Gruppe: {to: Category, values: {"@home": Home}}, sku: SKU}, join: {Detail.Description: {columns: [One, Two]}}}}`
	for _, tt := range []struct {
		isMapped          bool
		content, rejected string
		want              store.Product
	}{
		{
			false, "ProductID,Detail.Name,Price,Category,SKU\n-x1,=1+1,much,'@home,-5\n",
			"ProductID,Detail.Name,Price,Category,SKU,Reason\r\n'-x1,'=1+1,much,'@home,-5,",
			store.Product{Name: "=1+1", Category: "@home", SKU: "-5"},
		},
		{
			true, "=Nr,-Navn,Pris,Gruppe,sku,One,Two\n-x1,\"=HYPERLINK(\"\"https://example.com\"\")\",much,@home,+5.5,-,+a\n",
			"'=Nr,'-Navn,Pris,Gruppe,sku,One,Two,Reason\r\n'-x1,\"'=HYPERLINK(\"\"https://example.com\"\")\",much,'@home,+5.5,'-,'+a,",
			store.Product{Name: `=HYPERLINK("https://example.com")`, Category: "Home", SKU: "+5.5", Description: "+a"},
		},
	} {
		const name = "products.csv.rejected.csv"
		file := func(name, content string) []exchange.File {
			if !tt.isMapped {
				return []exchange.File{newFile(name, content)}
			}
			return mapped(t, "files: {"+name+mapping, newFile(name, content))
		}
		s := storetest.Open(t, storetest.NewClock())
		rejected := importRejectedOf(t, s, file("products.csv", tt.content))[name]
		if !strings.HasPrefix(rejected, tt.rejected) {
			t.Errorf("got the file %q, want it to begin with %q", rejected, tt.rejected)
		}
		_, again := importAll(t, s, exchange.ImportOptions{}, file(name, strings.Replace(rejected, "much", "7", 1)))
		p, err := s.As(importAdmin).Product(t.Context(), "-x1")
		if len(again) > 0 || err != nil || p.Name != tt.want.Name || p.Category != tt.want.Category || p.SKU != tt.want.SKU || p.Description != tt.want.Description {
			t.Errorf("got %+v, %v, rejected %q, want %+v", p, err, again, tt.want)
		}
	}
}
