package handlers

import (
	"encoding/csv"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestPages_ShowNames checks that pages and search results show the names of customers,
// account reps and warehouses. If the names cannot be read, the pages must show the IDs
// instead, and the log must contain the reason.
func TestPages_ShowNames(t *testing.T) {
	b := open(
		t,
		&store.Order{ID: "104", CustomerID: "c01", CustomerName: "Ed", Date: storetest.Now, Status: store.OrderPaid, Version: 1},
		&store.Invoice{ID: "504", OrderID: "104", CustomerID: "c01", Date: storetest.Now, Status: store.InvoicePaid, Version: 1},
		&store.Shipment{ID: "604", OrderID: "104", CustomerID: "c01", WarehouseID: "w2", Date: storetest.Now, Status: store.ShipmentSent, Tracking: "1Z 777 88", Version: 1},
	)
	browser := b.as(t, "admin")
	order, warehouse := b.shop.Orders[5], b.shop.Warehouses[0]
	customer := b.shop.Customers[0]
	for _, c := range b.shop.Customers {
		if c.ID == order.CustomerID {
			customer = c
		}
	}
	rep := b.shop.Employees[slices.IndexFunc(b.shop.Employees, func(e store.Employee) bool { return e.ID == order.AccountRepID })]
	contact := []string{customer.Name, "tel:", "mailto:" + customer.Email}
	pages := map[string][]string{
		"/orders/" + order.ID:                   append(slices.Clone(contact), ">"+rep.Name+"</a>"),
		"/invoices/" + order.Invoices[0].ID:     contact,
		"/customers/" + customer.ID:             contact,
		"/orders/" + order.ID + "/shipments":    {b.shop.Warehouses[5%len(b.shop.Warehouses)].Name},
		"/invoices?status=PARTIAL":              {"Åsa"},
		"/products/" + order.Items[0].ProductID: {"Åsa"},
		"/shipments?warehouse=" + warehouse.ID:  {">" + warehouse.Name + "</a>"},
		"/shipments?warehouse=w2":               {`href="/customers/c01" dir="auto">` + b.shop.Customers[1].Name},
		"/shipments?status=SENT":                {"Åsa"},
		"/shipments/604":                        {`href="/customers/c01" dir="auto">` + b.shop.Customers[1].Name, b.shop.Warehouses[2].Name},
		"/warehouses/w2":                        {`href="/customers/c01" dir="auto">` + b.shop.Customers[1].Name},
		"/subscriptions":                        {"Åsa"},
		"/products/p07/stock":                   {b.shop.Warehouses[0].Name, b.shop.Warehouses[1].Name},
		"/due?span=week":                        {"Åsa"},
	}
	for path, names := range pages {
		page := browser.get(path)
		_, main, _ := strings.Cut(page.body, "<main")
		for _, name := range names {
			if page.status != http.StatusOK || !strings.Contains(main, name) {
				t.Errorf("%s: got status %d and no %q:\n%s", path, page.status, name, main)
			}
		}
	}
	for text, name := range map[string]string{
		"104": ">Ed", "504": ">" + b.shop.Customers[1].Name, "604": ">" + b.shop.Warehouses[2].Name, "1z77788": ">" + b.shop.Warehouses[2].Name, "sub01": ">" + b.shop.Customers[1].Name,
	} {
		typing := browser.request(http.MethodGet, "/search?q="+text, "")
		typing.Header.Set("HX-Request", "true")
		found := browser.do(typing)
		if !strings.Contains(found.body, name) {
			t.Errorf("search for %s: got no %q:\n%s", text, name, content(found.body))
		}
	}
	b.changeSettings(t, func(*store.Settings) {}) // a change, after which the server reads all records again
	shipped := b.shop.Warehouses[5%len(b.shop.Warehouses)].ID
	for _, broken := range []struct{ partitions, path, want string }{
		{"c#", "/invoices?status=PARTIAL", `<a href="/customers/c04" dir="auto">c04</a>`},
		{"c#", "/subscriptions", `<a href="/accounts/c04" dir="auto">c04</a>`},
		{"c#", "/orders/" + order.ID, `dir="auto">` + order.CustomerName}, // the order contains the name
		{"w#", "/orders/" + order.ID + "/shipments", `<a href="/warehouses/` + shipped + `" dir="auto">` + shipped + `</a>`},
		{"e#", "/orders/" + order.ID, `account rep <bdi>` + order.AccountRepID + `</bdi>`},
	} {
		b.db.broken.Store(&broken.partitions)
		if page := browser.get(broken.path); page.status != http.StatusOK || !strings.Contains(page.body, broken.want) {
			t.Errorf("%s without %s: got status %d, want 200 and %s:\n%s", broken.path, broken.partitions, page.status, broken.want, content(page.body))
		}
	}
	if !strings.Contains(b.log.String(), "cannot read the names") {
		t.Error("got no reason in the log, want one")
	}
}

// TestFiles_CanBeImported downloads lists of the records that an import can update. The
// import must recognise the names and columns of the files.
func TestFiles_CanBeImported(t *testing.T) {
	admin := open(t, openOrder()...).as(t, "admin")
	for _, path := range []string{
		"/customers.csv", "/employees.csv", "/products.csv", "/warehouses.csv",
		"/stock/low.csv", "/warehouses/w1/stock.csv", "/warehouses/w1/low.csv", "/products/p07/stock.csv",
	} {
		got := admin.get(path)
		_, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil {
			t.Fatal(path, err)
		}
		own, err := exchange.File{Name: params["filename"], Content: strings.NewReader(got.body), Partial: true}.HasOwnColumns()
		if !own || err != nil {
			t.Errorf("%s: got %t, %v for the file %s, want a file that needs no mapping", path, own, err, params["filename"])
		}
	}
}

// TestFiles_NameRelatedRecords downloads lists whose rows refer to customers, warehouses
// and stores. The CSV and JSON files must contain the names of these records. The file of
// a detail page may make no more requests than the limit of its route.
func TestFiles_NameRelatedRecords(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	for path, column := range map[string]string{
		"/invoices.csv": "CustomerID,CustomerName,", "/shipments.csv?status=PACKED": "WarehouseID,WarehouseName,",
		"/subscriptions.csv": "AccountID,CustomerName,", "/due.csv?span=week": "AccountID,CustomerName,",
		"/warehouses/w1/shipments.csv": "CustomerID,CustomerName,", "/warehouses/w1/deliveries.csv": "WarehouseID,WarehouseName,",
		"/products/p07/stock.csv": "WarehouseID,WarehouseName,", "/orders/open/items.csv": "CustomerID,CustomerName,",
		"/stores/s1/kayaks.csv": "StoreID,StoreName,", "/warehouses/w1/transfers.csv": "Source,SourceName,Target,TargetName,",
	} {
		before, row := b.db.requests.Load(), b.rowOf(path[:strings.Index(path, ".")])
		header, rows, _ := strings.Cut(admin.get(path).body, "\n")
		if got := int(b.db.requests.Load() - before); row.isDetail() && got > row.reads.requests {
			t.Errorf("%s: got %d requests, want at most %d", path, got, row.reads.requests)
		}
		if !strings.Contains(header, column) {
			t.Errorf("%s: got header %s, want %s", path, header, column)
		}
		name := slices.Index(strings.Split(strings.TrimSpace(header), ","), strings.Split(column, ",")[1])
		named := 0
		records, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range records {
			if record[name] != "" {
				named++
			}
		}
		if len(records) == 0 || named == 0 {
			t.Errorf("%s: got %d rows with a name of %d, want some", path, named, len(records))
		}
		var file struct{ Rows []map[string]any }
		if err := json.Unmarshal([]byte(admin.get(strings.Replace(path, ".csv", ".json", 1)).body), &file); err != nil {
			t.Fatal(err)
		}
		for i, row := range file.Rows {
			if row[strings.Split(column, ",")[1]] != records[i][name] {
				t.Errorf("%s as JSON: got the row %v, want the name %s", path, row, records[i][name])
			}
		}
	}
}

// TestRecordJSON_NamesRelatedRecords requests records as JSON. Each record contains the
// first rows of its lists. Rows that refer to a warehouse must also contain its name.
func TestRecordJSON_NamesRelatedRecords(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	for path, want := range map[string][3]string{
		"/warehouses/w1.json": {"Shipments", "WarehouseID", "WarehouseName"},
		"/products/p07.json":  {"Expected", "WarehouseID", "WarehouseName"},
	} {
		var record map[string]json.RawMessage
		if err := json.Unmarshal([]byte(admin.get(path).body), &record); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		var list struct {
			Rows []map[string]any `json:"rows"`
		}
		if err := json.Unmarshal(record[want[0]], &list); err != nil || len(list.Rows) == 0 {
			t.Fatalf("%s: got %s, %v; want rows", path, record[want[0]], err)
		}
		for _, row := range list.Rows {
			if name, _ := row[want[2]].(string); row[want[1]] != "" && name == "" {
				t.Errorf("%s: got the row %v, want the member %s", path, row, want[2])
			}
		}
	}
}

// TestFiles_NameReferences checks that the files of lists contain the names of
// departments, locations, countries and regions next to their IDs.
func TestFiles_NameReferences(t *testing.T) {
	b := open(
		t,
		&store.Reference{Kind: store.Region, ID: "r-named", Name: "Nordics", Version: 1},
		&store.Reference{Kind: store.Country, ID: "co-named", Name: "Denmark", ParentID: "r-named", Version: 1},
		&store.Reference{Kind: store.Location, ID: "l-named", Name: "Harbour", ParentID: "co-named", Version: 1},
		&store.Reference{Kind: store.Department, ID: "d-named", Name: "Rentals", ParentID: "l-named", Version: 1},
		&store.Employee{ID: "e-named", Name: "Ida", DepartmentID: "d-named", LocationID: "l-named", Version: 1},
		&store.Employee{ID: "e-other", Name: "Ole", DepartmentID: "gone", Version: 1},
	)
	admin := b.as(t, "admin")
	for path, want := range map[string]map[string]string{
		"/employees.csv":             {"EmployeeID": "e-named", "DepartmentName": "Rentals", "LocationName": "Harbour"},
		"/reference/departments.csv": {"DepartmentID": "d-named", "LocationName": "Harbour"},
		"/reference/locations.csv":   {"LocationID": "l-named", "CountryName": "Denmark"},
		"/reference/countries.csv":   {"CountryID": "co-named", "RegionName": "Nordics"},
	} {
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(admin.get(path).body, "\ufeff"))).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("%s: got %q, %v, want rows", path, rows, err)
			continue
		}
		found := slices.ContainsFunc(rows[1:], func(row []string) bool {
			for name, value := range want {
				if i := slices.Index(rows[0], name); i < 0 || row[i] != value {
					return false
				}
			}
			return true
		})
		if !found {
			t.Errorf("%s: got %q, want a row with %v", path, rows, want)
		}
	}
}
