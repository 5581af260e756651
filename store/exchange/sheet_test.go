package exchange

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

var update = flag.Bool("update", false, "rewrite docs/import-export.md")

// internalTypes lists the entity types that are never imported or exported.
var internalTypes = []string{"settings", "logo", "sessionKeys", "user", "providerIdentity", "secondFactor", "session", "accessToken", "signInCount", "cardLink", "passwordLink", "numberSeries", "lease", "jobRun", "jobResult", "jobCount", "jobTotal", "jobBacklog", "checkReport", "erasureReport", "dayCosts", "visit", "auditSeal", "email", "bulkChange", "bulkRow", "importRun", "importMapping", "searchWord", "stockCount", "stockSlot", "quotaSlot", "count", "countRow"}

func TestSheets_CoverEveryEntity(t *testing.T) {
	types := map[string]string{} // types of entities by file
	for _, d := range store.Definitions {
		s, found := sheetOf(d.Type)
		if found == slices.Contains(internalTypes, d.Type) {
			t.Errorf("sheetOf(%s): got %v, want %v", d.Type, found, !found)
		}
		if !found {
			continue
		}
		if len(s.columns) == 0 {
			t.Errorf("%s: got no columns, want some", d.Type)
		}
		files := []string{s.file}
		for _, l := range s.lists {
			files = append(files, l.file)
		}
		for _, file := range files {
			if types[file] != "" {
				t.Errorf("got the file %s.csv for both %s and %s, want one entity per file", file, types[file], d.Type)
			}
			types[file] = d.Type
		}
	}
}

func TestSheets_AreDocumented(t *testing.T) {
	const path, marker = "../../docs/import-export.md", "<!-- columns -->\n"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, _, found := strings.Cut(string(content), marker)
	if !found {
		t.Fatalf("%s: got no %s, want it", path, marker)
	}
	want := text + marker + describeSheets()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(content) != want {
		t.Errorf("%s is out of date; run 'go test ./store/exchange -run Documented -update'", path)
	}
}

func describeSheets() string {
	var b strings.Builder
	for _, s := range sheets {
		describeColumns(&b, s.file, s.columns)
		for _, l := range s.lists {
			describeColumns(&b, l.file, l.columns)
		}
	}
	return b.String()
}

// describeColumns writes the columns of a file. It writes the columns of an address in
// short, such as Address.*.
func describeColumns(b *strings.Builder, file string, columns []column) {
	var names []string
	address := ""
	for _, c := range columns {
		part, isCountry := strings.CutSuffix(c.name, ".Country")
		switch {
		case isCountry:
			address = part
			names = append(names, part+".*")
		case address != "" && strings.HasPrefix(c.name, address+"."):
		case c.required:
			names = append(names, "**"+c.name+"**")
		default:
			names = append(names, c.name)
		}
	}
	fmt.Fprintf(b, "\n### %s.csv\n\n%s\n", file, strings.Join(names, ", "))
}

func TestOpen_RejectsInvalidRows(t *testing.T) {
	for name, tt := range map[string]struct {
		file, header, row, reason string
	}{
		"missing ID":          {"customers.csv", "CustomerID,Name", ",Kim", "CustomerID is missing."},
		"invalid ID":          {"customers.csv", "CustomerID,Name", "a#b,Kim", `CustomerID “a#b” is not valid`},
		"text as price":       {"products.csv", "ProductID,Price", "1,much", `Price “much” is not valid.`},
		"ambiguous price":     {"products.csv", "ProductID,Price", `1,"1,234"`, `Price “1,234” is not valid. The number is ambiguous. Enter 1234 or 1.234.`},
		"price of 1.500":      {"products.csv", "ProductID,Price", "1,1.500", `Price “1.500” is not valid. The number is ambiguous. Enter 1500 or 1.50.`},
		"quantity of 1.000":   {"warehouse-items.csv", "ProductID,WarehouseID,Quantity", "1,2,1.000", `Quantity “1.000” is not valid. Enter a whole number without a point or comma, such as 1000.`},
		"negative price":      {"products.csv", "ProductID,Price", "1,-1", "Price is -1"},
		"missing price":       {"products.csv", "ProductID,Price", "1,", "Price is missing."},
		"fractional quantity": {"warehouse-items.csv", "ProductID,WarehouseID,Quantity", "1,2,0.5", "Enter a whole number."},
		"ambiguous date":      {"orders.csv", "OrderID,CustomerID,Date,Status,Total", "1,2,03/04/2026,OPEN,1", `Date “03/04/2026” is not valid.`},
		"unknown status":      {"orders.csv", "OrderID,CustomerID,Date,Status,Total", "1,2,2026-01-01,LOST,1", `Status “LOST” is not valid.`},
		"too many cells":      {"customers.csv", "CustomerID,Name", "1,Kim,x", "3 cells"},
		"mismatched quotes":   {"customers.csv", "CustomerID,Name", `1,"Kim"x`, "quotes"},
		"not UTF-8":           {"customers.csv", "CustomerID,Name", "1,caf\xe9", "UTF-8"},
		"text as flag":        {"order-items.csv", "OrderID,ProductID,CustomerID,Date,Price,Quantity,Cancelled", "1,2,3,2026-01-01,1,1,perhaps", "Enter true or false."},
		"negative quantity":   {"order-items.csv", "OrderID,ProductID,CustomerID,Date,Price,Quantity", "1,2,3,2026-01-01,1,-1", "Quantity is -1. Negative lines (credit notes) can't be imported"},
		"negative invoice":    {"invoices.csv", "OrderID,InvoiceID,CustomerID,Date,Amount", "1,2,3,2026-01-01,-1", "Amount is -1. Credit notes can't be imported"},
		"ID of a form's page": {"customers.csv", "CustomerID,Name", "new,Kim", `CustomerID “new” is not valid: its page would have the same address`},
		"ID of an action":     {"orders.csv", "OrderID,CustomerID,Date,Status,Total", "slips,2,2026-01-01,OPEN,1", `OrderID “slips” is not valid: its page would have the same address`},
		"ID of a format":      {"customers.csv", "CustomerID,Name", "a.json,Kim", `CustomerID “a.json” is not valid: its page would have the same address`},
		"control character":   {"customers.csv", "CustomerID,Name", "1,K\x00im", "Name has the control character U+0000."},
		"invalid quarter":     {"quotas.csv", "EmployeeID,Period,OrderTotal,Orders", "1,2026-Q7,1,1", "the key of a quota"},
		"badly written shard": {"totals.csv", "Kind,Shard,Day,Count,Amount", "orders,03,2026-01-01,1,1", `Shard “03” is not valid. Write it as “3”.`},
	} {
		sources, err := Open([]File{newFile(tt.file, tt.header+"\n\n"+tt.row+"\n")}, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var rejected []RejectedRow
		for batch, err := range sources[0].Batches {
			if err != nil || len(batch.Entities) > 0 {
				t.Errorf("%s: got %v, %v, want no entities", name, batch.Entities, err)
				continue
			}
			rejected = append(rejected, batch.Rejected...)
		}
		if len(rejected) != 1 || rejected[0].Number != 3 || !strings.Contains(rejected[0].Reason, tt.reason) {
			t.Errorf("%s: rejected %+v, want row 3 with %q", name, rejected, tt.reason)
		}
	}
}

func newFile(name, content string) File { return File{Name: name, Content: strings.NewReader(content)} }

// TestOpen_RejectsInvoicesWithInvalidPayments imports an invalid payment. The whole order
// must be rejected, because the invoice's status would be wrong without the payment.
func TestOpen_RejectsInvoicesWithInvalidPayments(t *testing.T) {
	sources, err := Open([]File{
		newFile("invoice-payments.csv", "OrderID;InvoiceID;PaymentID;Type;Amount;Received\n1;10;a;Visa;7,50;22.11.2026\n2;11;b;Visa;x;\n3;12;c;Visa;1;\n"),
		newFile("invoices.csv", "\ufeffOrderID;InvoiceID;CustomerID;Date;Amount\n1;10;5;21.11.2026;7,5\n2;11;5;21.11.2026;7,5\n2;13;5;21.11.2026;7,5\n"),
	}, "")
	if err != nil || len(sources) != 1 || sources[0].File != 1 {
		t.Fatal(err, sources)
	}
	for batch, err := range sources[0].Batches {
		if err != nil || len(batch.Entities) != 1 {
			t.Fatalf("got %+v, %v, want one invoice", batch, err)
		}
		if paid := batch.Entities[0].(*store.Invoice); paid.Status != store.InvoicePaid || len(paid.Payments) != 1 || paid.Payments[0].Received.Day() != 22 {
			t.Errorf("got the invoice %+v, want it paid, with money that arrived on 22 November", paid)
		}
		var rejected []string
		for _, r := range batch.Rejected {
			rejected = append(rejected, fmt.Sprintf("%s %d", r.Table, r.Number))
		}
		slices.Sort(rejected)
		if want := []string{" 3", " 4", "invoice-payments 3", "invoice-payments 4"}; !slices.Equal(rejected, want) {
			t.Errorf("rejected %q, want %q", rejected, want)
		}
	}
}

func TestOpen_RejectsInvalidFiles(t *testing.T) {
	for name, tt := range map[string]struct{ file, content, want string }{
		"empty":              {"customers.csv", "", "the file is empty"},
		"unknown column":     {"customers.csv", "CustomerID,Shoe\n", `unknown column "Shoe"`},
		"repeated column":    {"customers.csv", "CustomerID,customerid\n", "appears twice"},
		"both":               {"products.csv", "Cost,Detail.Name\n", "the columns ProductID, Price are missing; add them"},
		"missing column":     {"orders.csv", "OrderID,CustomerID,Date,Status\n", "Total is missing"},
		"orders alone":       {"orders.csv", "OrderID,CustomerID,Date\n", "the columns Status, Total are missing; add them, or import the file together with order-items.csv and invoices.csv, from which the import computes Status and Total"},
		"lines alone":        {"order-items.csv", "OrderID,ProductID,Price,Quantity,Date\n", "the column CustomerID is missing; add it, or import the file together with orders.csv, from which the import computes CustomerID"},
		"list alone":         {"invoice-payments.csv", "OrderID,InvoiceID,Amount\n", "this file has details of the rows in invoices.csv"},
		"not UTF-8":          {"customers.csv", "CustomerID,caf\xe9\n", "UTF-8"},
		"unknown name":       {"clients.csv", "", "unknown CSV file name; name the file after its entity: "},
		"names of lists":     {"clients.csv", "", "invoice-payments.csv, "},
		"internal entity":    {"users.csv", "", "unknown CSV file name"},
		"unknown type":       {"customers.xlsx", "", "unknown file type"},
		"decimal separators": {"products.csv", "ProductID;Price\n1;1.234\n2;1.234,56\n3;12.50\n", "row 3 has 1.234,56 in Price, and row 4 has 12.50 in Price"},
	} {
		_, err := Open([]File{newFile(tt.file, tt.content)}, "")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}
