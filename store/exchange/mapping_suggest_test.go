package exchange_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// suggest returns the suggested mapping for files. It fails if the mapping is
// invalid.
func suggest(t *testing.T, files ...exchange.File) string {
	t.Helper()
	var b strings.Builder
	if err := exchange.Suggest(files, &b); err != nil {
		t.Fatal(err)
	}
	if _, err := exchange.ReadMapping("suggested.yaml", strings.NewReader(b.String())); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return b.String()
}

func wantLines(t *testing.T, got string, lines ...string) {
	t.Helper()
	have := strings.Split(got, "\n")
	for _, line := range lines {
		if !slices.ContainsFunc(have, func(l string) bool { return strings.TrimSpace(l) == line }) {
			t.Errorf("got no line %q, want it in\n%s", line, got)
		}
	}
}

func TestSuggest_Northwind(t *testing.T) {
	var files []exchange.File
	paths, err := filepath.Glob(northwind + "*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, newFile(path, string(content)))
	}
	got := suggest(t, files...)
	wantLines(t, got,
		"entity: customers", "entity: employees", "entity: products", "entity: orders", "entity: regions",
		"entity: order-items # unsure: guessed from the columns and the file name",
		`empty: ["NULL"]`, "companyName: Name", "address: Address.Street", "region: Address.County",
		`Phones: {columns: [phone, fax], separator: "; "}`, "Name: {columns: [firstName, lastName]}",
		"reportsTo: ManagerID", "title: JobTitle", "employeeID: AccountRepID", "orderDate: Date", "shipCity: ShipTo.City",
		"unitPrice: {to: Price, discount: discount} # unsure: is it a fraction, such as 0.15?",
		"#   Status: one of OPEN, PAID, SHIPPED, DELIVERED, CANCELLED, RETURNED; without it, the import computes the status of each order",
		"- unitsInStock # such as 39, 17; Quantity of warehouse-items?",
		"entity: none # no entity has columns like these: shipperID, companyName, phone")

	// With a value for the missing Status, the suggested mapping must import every row.
	got = strings.Replace(got, "    # constants: # no column has these\n    #   Status: one of", "    constants:\n      Status: OPEN # one of", 1)
	s := storetest.Open(t, storetest.NewClock())
	for i := range files {
		files[i] = newFile(paths[i], read(t, paths[i]))
	}
	counts, rejected := importAll(t, s, exchange.ImportOptions{}, mapped(t, got, files...))
	if len(rejected) > 0 || counts["order_details.csv orderItem"].Added != 109 || counts["orders.csv order"].Added != 40 {
		t.Errorf("got %+v, rejected %q, want 109 order items and 40 orders", counts, rejected)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestSuggest_Values(t *testing.T) {
	got := suggest(t,
		newFile("clients.csv", "id;Full Name;contact;joined;City\n1;K\xfcrt;kurt@example.com;31/12/2020;Graz\n2;Ann;ann@example.com;01/02/2021;Oslo\n"),
		newFile("staff.csv", "emp_no,name,boss_ref\n1,Kim,2\n2,Lee,1\n"),
		newFile("Sales Orders.csv", "order no,client no,order_date,state,amount,rep\n1,1,3/4/2021,new,\"1.234,50\",2\n2,2,5/6/2021,Completed,\"7,00\",1\n3,2,5/6/2021,odd,\"7,00\",1\n"),
		newFile("weather.csv", "temperature,wind\n1,2\n"))
	wantLines(t, got,
		"encoding: windows-1252", "dates: [D/M/YYYY]", "contact: Email # unsure: such as kurt@example.com, ann@example.com",
		"emp_no: {to: EmployeeID, prefix: emp-}", "boss_ref: {to: ManagerID, prefix: emp-} # unsure: such as 2, 1", "rep: {to: AccountRepID, prefix: emp-}",
		"dates: [M/D/YYYY] # unsure: the day may come before the month", `decimal: ","`, "amount: Total",
		"state: {to: Status, values: {new: OPEN, Completed: DELIVERED}} # unsure: add odd with one of OPEN, PAID, SHIPPED, DELIVERED, CANCELLED, RETURNED",
		"entity: none # no entity has columns like these: temperature, wind")
}

// TestSuggest_MasksCards checks that comments with example values contain no card numbers.
func TestSuggest_MasksCards(t *testing.T) {
	got := suggest(t, newFile("customers.csv", "CustomerID;Name;Remarks\n1;Kim;4111 1111 1111 1111\n2;Lee;4111111111111111 4111111111111111\n"))
	wantLines(t, got, "- Remarks # such as •••• 1111, •••• 1111 •••• 1111")
}

// TestSuggest_HostileNames uses names and values with YAML syntax. They must not
// change the structure of the mapping.
func TestSuggest_HostileNames(t *testing.T) {
	header := []string{"ProductID", "Price", `a: b`, "c # d", `"e"`, "f\ng: {to: Name}", "- h", "true", "null", "\x01\x7f", "é😀", "*i", "&j", "!k", "l\\", "'m'", "%n", "@o", "{p}", "[q]", "", " r ", "s\u2028t: u\u0085v: w\u2029x: y", "#", "123"}
	var cells []string
	for _, name := range header {
		cells = append(cells, `"`+strings.ReplaceAll(name, `"`, `""`)+`"`)
	}
	content := strings.Join(cells, ",") + "\n" + strings.Replace(strings.Join(cells, ","), `"Price"`, "5", 1) + "\n"
	got := suggest(t, newFile("products.csv", content))
	if _, err := exchange.Open(mapped(t, got, newFile("products.csv", content)), ""); err != nil {
		t.Errorf("got error %v, want none for\n%s", err, got)
	}
	var b strings.Builder
	if err := exchange.Suggest([]exchange.File{newFile("a.json", "{}")}, &b); err == nil {
		t.Error("a model: got no error, want one")
	}
	if err := exchange.Suggest([]exchange.File{newFile("a.csv", "")}, &b); err == nil {
		t.Error("an empty file: got no error, want one")
	}
}

// TestSuggest_NamedID suggests a mapping for a file whose name does not say what it
// contains. The suggestion must find the entity from the heading Product ID.
func TestSuggest_NamedID(t *testing.T) {
	got := suggest(t, newFile("prices.csv", "Product ID,Name,New price\n3001,Lamp,5\n"))
	wantLines(t, got, "entity: products # unsure: guessed from the columns and the file name", "Product ID: ProductID", "Name: Detail.Name", "New price: Price # unsure: such as 5")
}

// TestSuggest_HeadingsBeforeName suggests mappings for files whose names and headings fit
// different entities. The headings may decide only if they fit clearly better.
func TestSuggest_HeadingsBeforeName(t *testing.T) {
	const customers = "Customer ID,Name,Email,Phone,Street,City\n1,Kim,kim@example.com,+46 70 612 34 56,Torggatan,Lund\n"
	for name, entity := range map[string]string{"products.csv": "customers", "customers.csv": "customers", "orders.csv": "customers"} {
		wantLines(t, suggest(t, newFile(name, customers)), "entity: "+entity+unsureIf(name != entity+".csv"), "Email: Email")
	}
	wantLines(t, suggest(t, newFile("products.csv", "Nr,Bezeichnung,Name,Lieferant\n1,Lampe,Lampe,Kim\n")), "entity: products")
}

func unsureIf(unsure bool) string {
	if unsure {
		return " # unsure: guessed from the columns and the file name"
	}
	return ""
}

// TestSuggest_OrdersWithLines imports a file with its suggested mapping. Each row of the
// file contains an order line, and repeats the values of its order. The import must add
// each order once, with its lines. If another file contains the orders, the file must
// become order lines only.
func TestSuggest_OrdersWithLines(t *testing.T) {
	const content = "order_id,customer_id,order_date,product_id,quantity,unit_price,line_total,ship_city\n" +
		"o1,c1,2026-11-01,p1,2,5.50,11,Oslo\no2,c2,2026-11-02,p1,1,5.50,5.50,Graz\no1,c1,2026-11-01,p2,1,3,3,Oslo\n"
	for _, name := range []string{"shop.csv", "orders.csv", "order lines.csv"} {
		got := suggest(t, newFile(name, content))
		wantLines(t, got, "- entity: orders # unsure: the rows seem to hold orders together with their lines", "customer_id: CustomerID", "order_date: Date",
			"- entity: order-items", "product_id: ProductID", "quantity: Quantity", "unit_price: Price", "- line_total # such as 11, 5.50")
		s := storetest.Open(t, storetest.NewClock())
		counts, rejected := importAll(t, s, exchange.ImportOptions{}, append(mapped(t, got, newFile(name, content)),
			newFile("customers.csv", "CustomerID,Name\nc1,Kim\nc2,Lee\n"), newFile("products.csv", "ProductID,Detail.Name,Price\np1,Lamp,6\np2,Desk,4\n")))
		if len(rejected) > 0 || counts[name+" order"].Added != 2 || counts[name+" orderItem"].Added != 3 {
			t.Errorf("%s: got %+v, rejected %q, want two orders and three order items with\n%s", name, counts, rejected, got)
		}
		order, err := s.As(importAdmin).Order(t.Context(), "o1")
		if err != nil || order.Total.String() != "14" || order.ShipTo.City != "Oslo" {
			t.Errorf("%s: got order %+v, %v, want the total 14 and the city Oslo", name, order, err)
		}
	}
	if got := suggest(t, newFile("lines.csv", content), newFile("orders.csv", "order_id,customer_id,order_date\no1,c1,2026-11-01\n")); strings.Contains(got, "- entity") {
		t.Errorf("got two entities for a file, want one, because the orders are in another file:\n%s", got)
	}
}

// TestSuggest_DecimalSeparator suggests a mapping for prices. The mapping must have a
// decimal separator only if a price shows it and no other price contradicts it.
func TestSuggest_DecimalSeparator(t *testing.T) {
	for prices, want := range map[string]string{
		"12,50|1.009,00": `decimal: ","`, "12.50|1,009.00": `decimal: "."`, "12,50|1.009": `decimal: ","`,
		"12,50|10.00|19.999": "", "1,250|2,500": "", "10|20": "",
	} {
		got := suggest(t, newFile("products.csv", "Artikelnr;Bezeichnung;Preis\nA1;Lampe;"+strings.ReplaceAll(prices, "|", "\nA2;Tisch;")+"\n"))
		if want == "" && strings.Contains(got, "decimal:") || !strings.Contains(got, want) {
			t.Errorf("%s: got the mapping\n%s\nwant %q", prices, got, want)
		}
	}
}

// TestSuggest_IgnoresFewBadValues suggests a mapping for columns in which one value is
// wrong. The suggestion must be the same as without this value.
func TestSuggest_IgnoresFewBadValues(t *testing.T) {
	got := suggest(t,
		newFile("Artikel.csv", "Artikelnr;Bezeichnung;Preis\nA1;Lampe;12,50\nA2;Tisch;auf Anfrage\nA3;Stuhl;1.009,00\n"),
		newFile("Kunden.csv", "Kundennr;Name;Kontakt;Angelegt\n1;Kim;kim@example.com;31/12/2020\n2;Lee;keine;unbekannt\n3;Ann;ann@example.com;01/02/2021\n"))
	wantLines(t, got, `decimal: ","`, "Preis: Price", "dates: [D/M/YYYY]", "Angelegt: Created", "Kontakt: Email # unsure: such as kim@example.com, keine")
}
