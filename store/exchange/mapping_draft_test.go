package exchange

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func csvOf(name, content string) File { return File{Name: name, Content: strings.NewReader(content)} }

func northwindMapping(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/northwind.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDraft_EditsSuggestion changes a suggested mapping, and then reads the file with it.
// The preview must have the chosen attributes and the constant.
func TestDraft_EditsSuggestion(t *testing.T) {
	const content = "kundnr;förnamn;efternamn;mobil;rabatt %\n1;Åsa;Ek;070-1;5\n2;Bo;Al;070-2;0\n"
	suggest := func() *Draft {
		d, err := SuggestMapping([]File{csvOf("kunder.csv", content)}, func(int) bool { return true }, map[string]string{"kunder.csv": "customers"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := suggest()
	m, err := d.Match(csvOf("kunder.csv", content), nil)
	if err != nil || len(m) != 1 || m[0].Entity != "customers" || len(m[0].Columns) != 5 {
		t.Fatalf("got %+v, %v, want one file of customers with five columns", m, err)
	}
	d.Choose("kunder.csv", 0, "kundnr", "CustomerID")
	d.Choose("kunder.csv", 0, "förnamn", "Name")
	d.Choose("kunder.csv", 0, "efternamn", "")
	d.Choose("kunder.csv", 0, "mobil", "Phones")
	d.Choose("kunder.csv", 0, "rabatt %", "")
	d.SetConstant("kunder.csv", 0, "AccountRepID", "e1")
	text, err := d.Text()
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := ReadMapping("mapping.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	file := csvOf("kunder.csv", content)
	file.Mapping = mapping
	rows, err := Preview([]File{file}, 1)
	if err != nil || len(rows) != 1 || rows[0].Entity != "customers" || len(rows[0].Rows) != 1 {
		t.Fatalf("got %+v, %v with\n%s, want one customer", rows, err, text)
	}
	got := map[string]string{}
	for i, name := range rows[0].Columns {
		got[name] = rows[0].Rows[0].Cells[i]
	}
	for name, want := range map[string]string{"CustomerID": "1", "Name": "Åsa", "Phones": "070-1", "AccountRepID": "e1"} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	d.Choose("kunder.csv", 0, "efternamn", "AccountRepID")
	if m, _ = d.Match(csvOf("kunder.csv", content), nil); m[0].Columns[2].To != "AccountRepID" || m[0].Columns[2].Unknown {
		t.Errorf("got %+v, want the column AccountRepID", m[0].Columns[2])
	}
}

// TestDraft_ChoosesEveryColumn chooses an attribute for every column, and then none for any
// column. The mapping must be valid in both cases.
func TestDraft_ChoosesEveryColumn(t *testing.T) {
	const content = "Kundennummer;Vorname Name;E-Mail;Telefon\n1;Åsa Ek;a@example.com;070\n"
	for name, choose := range map[string]func(*Draft){
		"every column": func(d *Draft) {
			for column, attribute := range map[string]string{"Kundennummer": "CustomerID", "Vorname Name": "Name", "E-Mail": "Email", "Telefon": "Phones"} {
				d.Choose("kunden.csv", 0, column, attribute)
			}
		},
		"no column": func(d *Draft) {
			for _, column := range []string{"Kundennummer", "Vorname Name", "E-Mail", "Telefon"} {
				d.Choose("kunden.csv", 0, column, "")
			}
		},
	} {
		d, err := SuggestMapping([]File{csvOf("kunden.csv", content)}, func(int) bool { return true }, map[string]string{"kunden.csv": "customers"})
		if err != nil {
			t.Fatal(err)
		}
		choose(d)
		text, err := d.Text()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDraft("mapping.yaml", text); err != nil {
			t.Errorf("%s: %v in\n%s", name, err, text)
		}
	}
}

// TestDraft_KeepsWhatFormsDoNotShow copies parts of the Northwind mapping to files with
// other names, and changes some columns. The mapping must keep settings that the forms do
// not show, such as prefixes and discounts.
func TestDraft_KeepsWhatFormsDoNotShow(t *testing.T) {
	d, err := ReadDraft("northwind.yaml", northwindMapping(t))
	if err != nil {
		t.Fatal(err)
	}
	other, err := ReadDraft("mapping.yaml", "")
	if err != nil {
		t.Fatal(err)
	}
	if !other.Take("staff.csv", d, "employees.csv") || !other.Take("lines.csv", d, "order_details.csv") || other.Take("x.csv", d, "none.csv") {
		t.Fatal("Take copied the wrong files, want only two of the three names taken")
	}
	other.Choose("staff.csv", 0, "homePhone", "")
	text, err := other.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"prefix: emp-", "dates: YYYY-MM-DD hh:mm:ss", "columns: [firstName, lastName]", "photoPath, homePhone]", "discount: discount", "staff.csv:"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q, want it in\n%s", want, text)
		}
	}
	if strings.Contains(text, "homePhone: Phones") {
		t.Errorf("got the old column, want none in\n%s", text)
	}
	lines := csvOf("lines.csv", "orderID,productID,unitPrice,quantity,discount\n1,2,3,4,0.1\n")
	m, err := other.Match(lines, []string{"orders"})
	if err != nil || m[0].Columns[2].To != "Price" || m[0].Columns[2].Detail != "with discount" || m[0].Columns[4].Detail != "discount" {
		t.Errorf("got %+v, %v, want the column Price and the details of the discount", m, err)
	}
	for _, a := range m[0].Attributes {
		if a.Required {
			t.Errorf("got %s required, want it optional, because orders have it", a.Name)
		}
	}
	other.Choose("lines.csv", 0, "discount", "")
	if text, _ = other.Text(); strings.Contains(text, "discount: discount") {
		t.Errorf("got the discount, want none in\n%s", text)
	}
	several, err := d.Match(csvOf("orders.csv", "orderID,shipVia,shippedDate,freight,new\n"), nil)
	if err != nil || len(several) != 2 || several[1].Entity != "shipments" || several[1].Columns[1].To != "Carrier" {
		t.Fatalf("orders: got %+v, %v, want two entities, the second with the column Carrier", several, err)
	}
	for _, m := range several {
		for i, c := range m.Columns {
			if want := i == 4; c.Unknown != want {
				t.Errorf("%s: got column %+v, want unknown %t", m.Entity, c, want)
			}
		}
	}
	d.Choose("orders.csv", 1, "shipVia", "")
	d.SetConstant("orders.csv", 1, "Carrier", "Van")
	if several, err = d.Match(csvOf("orders.csv", "orderID,shipVia\n"), nil); err != nil || several[0].Columns[1].To != "" || several[1].Columns[1].To != "" || several[1].Columns[1].Unknown {
		t.Errorf("orders: got %+v, %v, want no attribute for shipVia", several, err)
	}
}

func TestFile_HasOwnColumns(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          bool
	}{
		{"customers.csv", "CustomerID,Name\n", true},
		{"customers.csv", "PK,SK,Name\n", true},
		{"customers.csv", "kundnr\n", false},
		{"orders.csv", "OrderID\n", true}, // other files can provide the other columns
		{"kunder.csv", "CustomerID,Name\n", false},
		{"items.jsonl", "{", true},
	} {
		if got, err := csvOf(tt.name, tt.content).HasOwnColumns(); got != tt.want || err != nil {
			t.Errorf("%s %q: got %v, %v, want %v", tt.name, tt.content, got, err, tt.want)
		}
	}
	if _, err := csvOf("customers.csv", "").HasOwnColumns(); err == nil || !strings.Contains(err.Error(), "the file is empty") {
		t.Errorf("empty file: got %v, want the error of an empty file", err)
	}
}

// TestOpen_NamesProblemsOfAllFiles checks that the error for several invalid files
// contains the problems of all of them.
func TestOpen_NamesProblemsOfAllFiles(t *testing.T) {
	_, err := Open([]File{csvOf("customers.csv", "Shoe\n"), csvOf("products.csv", "Hat\n"), csvOf("notes.txt", "x")}, "")
	for _, want := range []string{"customers.csv, line 1: unknown column \"Shoe\"", "products.csv, line 1: unknown column \"Hat\"", "notes.txt: unknown file type"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got no %q, want it in the error %v", want, err)
		}
	}
}

func TestDateLayout(t *testing.T) {
	for format, want := range map[string]string{
		"DD.MM.YYYY hh:mm": "2.1.2006 15:04", "M/D/YY h:mm AM": "1/2/06 3:04 PM", "D MMM YYYY": "2 Jan 2006",
		"YYYY-DD hh:mm AM": "", "YYYY hh:mm": "", "DD.MM": "", "YYYY/MM": "", "DD.MM.YYYY x": "",
	} {
		layout, ok := dateLayout(format)
		if ok != (want != "") || ok && layout != want {
			t.Errorf("%s: got %q, %t; want %q", format, layout, ok, want)
		}
	}
}

// TestTemplates_ListCopiedColumns checks columns that the import fills in.
func TestTemplates_ListCopiedColumns(t *testing.T) {
	copied := map[string][]string{}
	for _, template := range Templates() {
		copied[template.Name] = template.Copied
	}
	for name, want := range map[string]string{"transfers": "Name", "expected-deliveries": "Name", "order-items": "SKU", "employees": "JobTitle", "bookings": "ItemName", "rental-payments": "PersonName"} {
		if !slices.Contains(copied[name], want) {
			t.Errorf("%s: got copied columns %q, want %s among them", name, copied[name], want)
		}
	}
}

// TestTemplates_OpenWithoutMapping checks that files which start with a template need no
// mapping.
func TestTemplates_OpenWithoutMapping(t *testing.T) {
	for _, template := range Templates() {
		own, err := csvOf(template.Name+".csv", string(template.Header())).HasOwnColumns()
		if !own || err != nil {
			t.Errorf("%s: got own columns %v, error %v, want true and none", template.Name, own, err)
		}
		for _, name := range template.Copied {
			if !strings.Contains(string(template.Header()), name) {
				t.Errorf("%s: got no column %s, want it", template.Name, name)
			}
		}
	}
}
