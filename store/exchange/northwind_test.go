package exchange_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

const northwind = "testdata/northwind/"

// northwindFiles opens the files of Northwind with the mapping in docs. It adds a
// warehouse, because Northwind has none.
func northwindFiles(t *testing.T) []exchange.File {
	t.Helper()
	in, err := os.Open("../../docs/northwind.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	mapping, err := exchange.ReadMapping("northwind.yaml", in)
	if err != nil {
		t.Fatal(err)
	}
	files := []exchange.File{{Name: "warehouses.csv", Content: strings.NewReader("WarehouseID,Name\nmain,Main\n"), Mapping: mapping}}
	paths, err := filepath.Glob(northwind + "*.csv")
	if err != nil || len(paths) < 11 {
		t.Fatalf("got files %v, %v, want at least 11", paths, err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		files = append(files, exchange.File{Name: path, Content: file, Mapping: mapping})
	}
	return files
}

// northwindRows reads a file independently of package exchange. It converts NULL to an
// empty string.
func northwindRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	content, err := os.ReadFile(northwind + name)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(content))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, cell := range record {
			if cell != "NULL" {
				row[records[0][i]] = cell
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// importAll imports files one after the other. It returns the counts by file and
// entity, and the rejected rows.
func importAll(t *testing.T, s *store.Store, options exchange.ImportOptions, files []exchange.File) (counts map[string]exchange.Counts, rejected []string) {
	t.Helper()
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	counts = map[string]exchange.Counts{}
	options.Known = exchange.NewKnown()
	for _, source := range sources {
		options.Rejected = func(rows []exchange.RejectedRow) error {
			for _, r := range rows {
				rejected = append(rejected, fmt.Sprintf("%s %d: %s", filepath.Base(files[r.File].Name), r.Number, r.Reason))
			}
			return nil
		}
		result, err := exchange.Import(t.Context(), s, source, options)
		if err != nil {
			t.Fatal(err)
		}
		for of, c := range result.Counts {
			counts[filepath.Base(files[of.File].Name)+" "+of.Entity] = *c
		}
	}
	return counts, rejected
}

// cents returns a price after a discount, in hundredths of the currency unit. It rounds
// half up.
func cents(price, discount string) int64 {
	p, _ := strconv.ParseFloat(price, 64)
	d, _ := strconv.ParseFloat(discount, 64)
	return int64(math.Floor(math.Round(p*100)*(1-d) + 0.5 + 1e-9))
}

func northwindDate(text string) time.Time {
	date, _ := time.Parse("2006-01-02 15:04:05.000", text)
	return date
}

func TestMapping_Northwind(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	rows := map[string][]map[string]string{}
	want := map[string]exchange.Counts{"warehouses.csv warehouse": {Read: 1, Added: 1}}
	for name, entities := range map[string]string{
		"customers.csv": "customer", "employees.csv": "employee", "regions.csv": "region", "products.csv": "product warehouseItem", "orders.csv": "order", "order_details.csv": "orderItem",
	} {
		rows[name] = northwindRows(t, name)
		for _, entity := range strings.Fields(entities) {
			want[name+" "+entity] = exchange.Counts{Read: len(rows[name]), Added: len(rows[name])}
		}
	}
	shipped := slices.DeleteFunc(slices.Clone(rows["orders.csv"]), func(o map[string]string) bool { return o["shippedDate"] == "" })
	want["orders.csv shipment"] = exchange.Counts{Read: len(shipped), Added: len(shipped)}
	dry, rejected := importAll(t, s, exchange.ImportOptions{DryRun: true}, northwindFiles(t))
	if fmt.Sprint(dry) != fmt.Sprint(want) || len(rejected) > 0 {
		t.Errorf("dry run:\n got %+v, rejected %q\nwant %+v", dry, rejected, want)
	}
	counts, rejected := importAll(t, s, exchange.ImportOptions{}, northwindFiles(t))
	if fmt.Sprint(counts) != fmt.Sprint(want) || len(rejected) > 0 {
		t.Fatalf("got %+v, rejected %q\nwant %+v", counts, rejected, want)
	}
	again, rejected := importAll(t, s, exchange.ImportOptions{}, northwindFiles(t))
	for of, c := range again {
		if c.Unchanged != want[of].Read || len(rejected) > 0 {
			t.Errorf("second import: got %s %+v, rejected %q, want all unchanged", of, c, rejected)
		}
	}
	a := s.As(importAdmin)
	checkNorthwindCatalogue(t, a, rows)
	checkNorthwindOrders(t, a, rows)
}

// checkNorthwindCatalogue compares customers, employees, products and stock with the
// rows of the files.
func checkNorthwindCatalogue(t *testing.T, a store.Access, rows map[string][]map[string]string) {
	t.Helper()
	equal := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	for _, r := range rows["customers.csv"] {
		c, err := a.Customer(t.Context(), r["customerID"])
		if err != nil {
			t.Fatal(err)
		}
		phones := slices.DeleteFunc([]string{r["phone"], r["fax"]}, func(p string) bool { return p == "" })
		equal("customer", []any{c.Name, c.Phones, c.Address}, []any{r["companyName"], phones, store.Address{
			Country: r["country"], County: r["region"], City: r["city"], Street: r["address"], ZipCode: r["postalCode"],
		}})
	}
	for _, r := range rows["employees.csv"] {
		e, err := a.Employee(t.Context(), "emp-"+r["employeeID"])
		if err != nil {
			t.Fatal(err)
		}
		manager := ""
		if r["reportsTo"] != "" {
			manager = "emp-" + r["reportsTo"]
		}
		equal("employee", []any{e.Name, e.JobTitle, e.HireDate, e.Phones, e.ManagerID},
			[]any{r["firstName"] + " " + r["lastName"], r["title"], northwindDate(r["hireDate"]), []string{r["homePhone"]}, manager})
	}
	categories := map[string]string{"1": "Beverages", "2": "Condiments", "3": "Confections"}
	for _, r := range rows["products.csv"] {
		p, err := a.Product(t.Context(), r["productID"])
		if err != nil {
			t.Fatal(err)
		}
		equal("product", []any{p.Name, p.Description, cents(p.Price.String(), ""), p.Category},
			[]any{r["productName"], r["quantityPerUnit"], cents(r["unitPrice"], ""), categories[r["categoryID"]]})
		stock, err := a.StockItem(t.Context(), r["productID"], "main")
		if err != nil {
			t.Fatal(err)
		}
		equal("stock", []any{stock.Name, stock.Quantity, stock.ReorderPoint}, []any{r["productName"], r["unitsInStock"], r["reorderLevel"]})
	}
}

// checkNorthwindOrders compares orders, lines, shipments, totals and quotas with the
// rows of the files.
func checkNorthwindOrders(t *testing.T, a store.Access, rows map[string][]map[string]string) {
	t.Helper()
	lines, products := map[string][]string{}, map[string]string{}
	sums, units := map[string]int64{}, map[string]int{}
	for _, r := range rows["products.csv"] {
		products[r["productID"]] = r["productName"]
	}
	for _, r := range rows["order_details.csv"] {
		quantity, _ := strconv.Atoi(r["quantity"])
		price := cents(r["unitPrice"], r["discount"])
		sums[r["orderID"]] += price * int64(quantity)
		units[r["orderID"]] += quantity
		lines[r["orderID"]] = append(lines[r["orderID"]], fmt.Sprint(r["productID"], products[r["productID"]], price, quantity))
	}
	carriers := map[string]string{"1": "Speedy Express", "2": "United Package", "3": "Federal Shipping"}
	days, quotas := map[string]int64{}, map[string]int64{}
	for _, r := range rows["orders.csv"] {
		d, err := a.Order(t.Context(), r["orderID"])
		if err != nil {
			t.Fatal(err)
		}
		date, status := northwindDate(r["orderDate"]), store.OrderOpen
		if r["shippedDate"] != "" {
			status = store.OrderShipped
		}
		days[date.Format(time.DateOnly)] += sums[r["orderID"]]
		quotas["emp-"+r["employeeID"]] += sums[r["orderID"]]
		got := fmt.Sprint(d.CustomerID, d.Date, d.Status, cents(d.Total.String(), ""), d.ItemCount, d.AccountRepID, d.ShipTo)
		want := fmt.Sprint(r["customerID"], date, status, sums[r["orderID"]], units[r["orderID"]], "emp-"+r["employeeID"], store.Address{
			Country: r["shipCountry"], County: r["shipRegion"], City: r["shipCity"], Street: r["shipAddress"], ZipCode: r["shipPostalCode"],
		})
		if got != want {
			t.Errorf("order %s:\n got %s\nwant %s", r["orderID"], got, want)
		}
		var gotLines []string
		for _, l := range d.Items {
			gotLines = append(gotLines, fmt.Sprint(l.ProductID, l.Name, cents(l.Price.String(), ""), l.Quantity))
			if l.CustomerID != r["customerID"] || !l.Date.Equal(date) || (l.Shipped == l.Quantity) != (status == store.OrderShipped) {
				t.Errorf("line of order %s: got %+v, want the customer, date and status of the order", r["orderID"], l)
			}
		}
		slices.Sort(gotLines)
		slices.Sort(lines[r["orderID"]])
		if !slices.Equal(gotLines, lines[r["orderID"]]) {
			t.Errorf("lines of order %s: got %q, want %q", r["orderID"], gotLines, lines[r["orderID"]])
		}
		if status == store.OrderShipped {
			if len(d.Shipments) != 1 || d.Shipments[0].Carrier != carriers[r["shipVia"]] || !d.Shipments[0].Date.Equal(northwindDate(r["shippedDate"])) {
				t.Errorf("shipments of order %s: got %+v, want one with the carrier and date of the order", r["orderID"], d.Shipments)
			}
		} else if len(d.Shipments) > 0 {
			t.Errorf("shipments of open order %s: got %+v, want none", r["orderID"], d.Shipments)
		}
	}
	from := northwindDate("1996-06-01 00:00:00.000")
	totals, err := a.Totals(t.Context(), store.TotalOrders, store.DateRange{From: from, To: from.AddDate(0, 6, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range totals {
		day := d.Day.Format(time.DateOnly)
		if cents(d.Amount.String(), "") != days[day] {
			t.Errorf("total of %s: got %s, want %d", day, d.Amount, days[day])
		}
		delete(days, day)
	}
	for day, sum := range days {
		t.Errorf("no total of %s, want %d", day, sum)
	}
	for rep, want := range quotas {
		found, err := a.QuotasOfRep(t.Context(), rep, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var got int64
		for _, q := range found.Rows {
			got += cents(q.OrderTotal.String(), "")
		}
		if got != want {
			t.Errorf("quotas of %s: got %d, want %d", rep, got, want)
		}
	}
}
