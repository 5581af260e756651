package exchange_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_DecidesDecimalSignPerFile checks that an import finds the meaning of ambiguous
// amounts in the other rows of the file.
func TestImport_DecidesDecimalSignPerFile(t *testing.T) {
	for content, want := range map[string]string{
		"ProductID;Detail.Name;Price\n1;A;1.234\n2;B;1.234,56\n":  "1234",
		"ProductID;Detail.Name;Price\n1;A;1,234\n2;B;1.234,56\n":  "1.234",
		"ProductID;Detail.Name;Price\n1;A;1,234\n2;B;12.50\n":     "1234",
		"ProductID;Detail.Name;Price\n1;A;1.234\n2;B;12.50\n":     "1.234",
		"ProductID;Detail.Name;Price\n1;A;1.234\n2;B;1.234.567\n": "1234",
		"ProductID,Detail.Name,Price\n1,A,1.234\n2,B,7\n":         "1.234",
		"ProductID;Detail.Name;Price\n1;A;1.234\n2;B;7\n":         "",
		"ProductID,Detail.Name,Price,Weight\n1,A,\"1,234\",0.5\n": "",
	} {
		s := storetest.Open(t, storetest.NewClock())
		_, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("products.csv", content))
		product, err := s.As(importAdmin).Product(t.Context(), "1")
		if want == "" {
			if len(rejected) != 1 {
				t.Errorf("%q: rejected %q, want one", content, rejected)
			}
			continue
		}
		if err != nil || len(rejected) > 0 || product.Price.Compare(amount(want)) != 0 {
			t.Errorf("%q: got %v, %v, rejected %q, want %s", content, product, err, rejected, want)
		}
	}
}

// TestImport_ReadsEncodings checks that an import can read files in encodings other than
// UTF-8.
func TestImport_ReadsEncodings(t *testing.T) {
	const content = "CustomerID;Name\r\n1;Zoë – Øster\r\n"
	utf16 := func(mark string, first, second int) string {
		b := []byte(mark)
		for _, r := range content {
			pair := [2]byte{byte(r >> 8), byte(r)}
			b = append(b, pair[first], pair[second])
		}
		return string(b)
	}
	for name, tt := range map[string]struct{ content, encoding string }{
		"UTF-16, little-endian": {utf16("\xff\xfe", 1, 0), ""},
		"UTF-16, big-endian":    {utf16("\xfe\xff", 0, 1), ""},
		"Windows-1252":          {"CustomerID;Name\r\n1;Zo\xeb \x96 \xd8ster\r\n", "windows-1252"},
		"UTF-8":                 {"\ufeff" + content, ""},
	} {
		s := storetest.Open(t, storetest.NewClock())
		sources, err := exchange.Open([]exchange.File{{Name: "customers.csv", Content: strings.NewReader(tt.content), Encoding: tt.encoding}}, "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err = exchange.Import(t.Context(), s, sources[0], exchange.ImportOptions{})
		if customer, failed := s.As(importAdmin).Customer(t.Context(), "1"); err != nil || failed != nil || customer.Name != "Zoë – Øster" {
			t.Errorf("%s: got %+v, %v, %v, want Zoë – Øster", name, customer, err, failed)
		}
	}
}

func TestImport_ReadsStatesInAnyCase(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	orders := "OrderID,CustomerID,Date,Status,Total,ShipmentState\no1,c1,2026-11-20, Shipped ,1,Partial\n"
	row := `{"Item":{"PK":{"S":"o#o2"},"SK":{"S":"c#c1"},"Date":{"S":"2026-11-20"},"Status":{"S":" open "},"Total":{"N":"1"}}}` + "\n"
	if _, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, newFile("orders.csv", orders), newFile("orders.jsonl", row)); len(rejected) > 0 {
		t.Fatal(rejected)
	}
	for id, want := range map[string]store.OrderStatus{"o1": store.OrderShipped, "o2": store.OrderOpen} {
		if o, err := s.As(importAdmin).Order(t.Context(), id); err != nil || o.Status != want {
			t.Errorf("order %s: got %+v, %v, want %s", id, o, err, want)
		}
	}
}

// TestImport_ComposesUnicode checks that an import treats two Unicode forms of an ID as the
// same ID. They look the same to users.
func TestImport_ComposesUnicode(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	const csv = "CustomerID,Name\nZoe\u0308,Zoe\u0308\nZo\u00eb,Zo\u00eb\n"
	got, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("customers.csv", csv))
	if got.Counts.Added != 1 || got.Counts.Unchanged != 1 || len(rejected) > 0 {
		t.Errorf("CSV: got %+v, rejected %q, want one customer", got.Counts, rejected)
	}
	line := `{"Item":{"PK":{"S":"c#Zoe` + "\u0308" + `"},"SK":{"S":"c#Zoe` + "\u0308" + `"},"Name":{"S":"Zo` + "\u00eb" + `"}}}` + "\n"
	got, rejected = importFiles(t, s, exchange.ImportOptions{}, newFile("customers.jsonl", line))
	if got.Counts.Unchanged != 1 || len(rejected) > 0 {
		t.Errorf("JSON Lines: got %+v, rejected %q, want the same customer", got.Counts, rejected)
	}
	line = strings.Replace(line, `"Name":{"S":"`, `"Name":{"S":"\u0000`, 1)
	if _, rejected = importFiles(t, s, exchange.ImportOptions{}, newFile("customers.jsonl", line)); len(rejected) != 1 || !strings.Contains(rejected[0], "control character") {
		t.Errorf("NUL: rejected %q, want the line with the reason", rejected)
	}
}

// TestImport_PrefixesIDsOfPeople checks that prefixes distinguish the IDs of
// customers and employees that are both numbered from 1.
func TestImport_PrefixesIDsOfPeople(t *testing.T) {
	contents := map[string]string{
		"customers.csv": "CustomerID,Name,AccountRepID\n1,Kim,1\n",
		"employees.csv": "EmployeeID,Name,ManagerID\n1,Ann,2\n2,Bo,\n",
		"orders.csv":    "OrderID,CustomerID,Date,Status,Total,AccountRepID\no1,1,2026-11-20,OPEN,1,2\n",
	}
	for prefix, want := range map[string]string{"emp-": "1 emp-1 emp-2", "employee=e-,customer=c-": "c-1 e-1 e-2"} {
		s := storetest.Open(t, storetest.NewClock())
		sources, err := exchange.Open(filesOf(contents), prefix)
		if err != nil {
			t.Fatal(err)
		}
		known := exchange.NewKnown()
		for _, source := range sources {
			if _, err := exchange.Import(t.Context(), s, source, exchange.ImportOptions{Known: known, Rejected: func(rows []exchange.RejectedRow) error {
				t.Errorf("%s: rejected %+v, want no rejected rows", prefix, rows)
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
		}
		ids := strings.Fields(want)
		o, err := s.As(importAdmin).Order(t.Context(), "o1")
		if err != nil || o.CustomerID != ids[0] || o.AccountRepID != ids[2] {
			t.Errorf("%s: got order %+v, %v, want customer and rep of %s", prefix, o, err, want)
		}
		e, err := s.As(importAdmin).Employee(t.Context(), ids[1])
		if err != nil || e.ManagerID != ids[2] {
			t.Errorf("%s: got employee %+v, %v, want the manager of %s", prefix, e, err, want)
		}
	}
	for _, prefix := range []string{"clerk=x", "emp-,employee=e-"} {
		if _, err := exchange.Open(filesOf(contents), prefix); err == nil {
			t.Errorf("%s: got no error, want one", prefix)
		}
	}
}

// TestImport_PrefixesListsOfPeople imports people who have several IDs. Each ID of the list
// must get the prefix.
func TestImport_PrefixesListsOfPeople(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	sources, err := exchange.Open([]exchange.File{
		newFile("people.csv", "PersonID,Name\n1,Kim\n2,Kim\n3,Kim\n"), newFile("same-person.csv", "PersonID,Others\n1,2; 3\n2,1; 3\n3,1; 2\n"),
	}, "person=p-")
	if err != nil {
		t.Fatal(err)
	}
	known := exchange.NewKnown()
	for _, source := range sources {
		if _, err := exchange.Import(t.Context(), s, source, exchange.ImportOptions{Known: known, Rejected: func(rows []exchange.RejectedRow) error {
			t.Errorf("rejected %+v, want no rejected rows", rows)
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if others, err := s.As(importAdmin).OthersOf(t.Context(), "p-1"); err != nil || strings.Join(others, " ") != "p-2 p-3" {
		t.Errorf("got %q, %v; want p-2 and p-3", others, err)
	}
}

// TestImport_OfAnOrderFromItsLinesCorrectsNoKey imports an order line, but not its order.
// The import must create the order, and report no corrected key.
func TestImport_OfAnOrderFromItsLinesCorrectsNoKey(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	content := model(customerItem("5") + `, {"PK": {"S": "p#2"}, "SK": {"S": "p#2"}, "Price": {"N": "3"}}, {"PK": {"S": "o#1"}, "SK": {"S": "p#2"}, "GSI2-PK": {"S": "c#5"}, "Quantity": {"N": "1"}, "Price": {"N": "3"}, "Date": {"S": "2026-11-20"}}`)
	got, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("shop.json", content))
	if got.Corrected != 0 || got.Made != 1 || got.Added["orderItem"] != 1 || len(rejected) > 0 {
		t.Errorf("got %d corrected, %d made, added %v, rejected %q; want one made", got.Corrected, got.Made, got.Added, rejected)
	}
}
