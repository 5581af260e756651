package exchange_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// itemFiles returns the orders of orderFiles as items in four files: one of JSON Lines and
// one model as Stockroom writes them, and one of each as another program would write it.
func itemFiles(t *testing.T) map[string]exchange.File {
	t.Helper()
	from := storetest.Open(t, storetest.NewClock())
	if _, rejected := importFiles(t, from, exchange.ImportOptions{}, filesOf(orderFiles())...); len(rejected) > 0 {
		t.Fatal(rejected)
	}
	names, contents := exportTable(t, from, exchange.FormatLines)
	var lines []string
	for _, name := range names {
		if !strings.HasPrefix(name, "totals") {
			lines = append(lines, strings.Split(strings.TrimSpace(contents[name]), "\n")...)
		}
	}
	slices.Sort(lines) // as a result, orders come before their customers and products
	slices.Reverse(lines)
	files := map[string]exchange.File{}
	for program, entityType := range map[string]string{"own": "EntityType", "other": "Entity"} {
		text := strings.ReplaceAll(strings.Join(lines, "\n"), `"EntityType"`, `"`+entityType+`"`)
		files[program+" lines"] = newFile(program+".jsonl", text)
		var items []string
		for line := range strings.SplitSeq(text, "\n") {
			items = append(items, strings.TrimSuffix(strings.TrimPrefix(line, `{"Item":`), "}"))
		}
		files[program+" model"] = newFile(program+".json", `{"DataModel":[{"KeyAttributes":{"PartitionKey":{"AttributeName":"PK"},"SortKey":{"AttributeName":"SK"}},`+
			`"TableFacets":[{"FacetName":"F","TableData":[`+strings.Join(items, ",\n")+`]}]}]}`)
	}
	return files
}

// TestImport_ChecksItems imports two orders from JSON Lines and from models. In each case
// but one, an item of the first order is invalid or missing. The import must reject this
// whole order and accept the other one. A lenient import must accept both.
func TestImport_ChecksItems(t *testing.T) {
	files := itemFiles(t)
	for form, file := range files {
		content := readString(t, file)
		for name, tt := range map[string]struct{ from, to, want string }{
			"nothing":           {},
			"unknown customer":  {`"PK":{"S":"c#c1"},"SK":{"S":"c#c1"}`, `"PK":{"S":"c#c9"},"SK":{"S":"c#c9"}`, "Unknown customer c1"},
			"unknown product":   {`"PK":{"S":"p#p2"},"Price":{"N":"5"},"SK":{"S":"p#p2"}`, `"PK":{"S":"p#p9"},"Price":{"N":"5"},"SK":{"S":"p#p9"}`, "Unknown product p2"},
			"unknown warehouse": {`"PK":{"S":"w#w1"},"SK":{"S":"w#w1"}`, `"PK":{"S":"w#w9"},"SK":{"S":"w#w9"}`, "Unknown warehouse w1"},
			"total":             {`"Total":{"N":"25"}`, `"Total":{"N":"24"}`, "The sums of the order are wrong: Total is 24, but the lines add up to 25."},
		} {
			t.Run(form+"/"+name, func(t *testing.T) {
				if tt.from != "" && !strings.Contains(content, tt.from) {
					t.Fatalf("the file does not contain %s", tt.from)
				}
				broken := strings.ReplaceAll(content, tt.from, tt.to)
				s := storetest.Open(t, storetest.NewClock())
				got, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile(file.Name, broken))
				orders, reasons := 1, strings.Join(rejected, "\n")
				if name == "nothing" {
					orders = 2
				}
				if got.Added["order"] != orders || !strings.Contains(reasons, tt.want) || len(rejected) != (2-orders)*(orderRows-1) {
					t.Errorf("got added %v, rejected\n%s\nwant %d orders and %q", got.Added, reasons, orders, tt.want)
				}
				s = storetest.Open(t, storetest.NewClock())
				got, rejected = importFiles(t, s, exchange.ImportOptions{Lenient: true}, newFile(file.Name, broken))
				if got.Added["order"] != 2 || len(rejected) > 0 || (got.Warned > 0) != (tt.from != "") {
					t.Errorf("lenient: got added %v, %d warnings, rejected %q, want 2 orders", got.Added, got.Warned, rejected)
				}
			})
		}
	}
}

func readString(t *testing.T, file exchange.File) string {
	t.Helper()
	content, err := io.ReadAll(file.Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestImport_ChecksItemsAgainstTable imports lines and shipment items of orders that are
// already in the table. They must be accepted, except a line of an unknown order.
func TestImport_ChecksItemsAgainstTable(t *testing.T) {
	lines := strings.Split(readString(t, itemFiles(t)["own lines"]), "\n")
	s := storetest.Open(t, storetest.NewClock())
	for _, isParent := range []bool{true, false} { // parents first, then the lines and shipment items
		var some []string
		for _, line := range lines {
			if (strings.Contains(line, `"EntityType":{"S":"orderItem"}`) || strings.Contains(line, `"EntityType":{"S":"shipmentItem"}`)) != isParent {
				some = append(some, line)
			}
		}
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("some.jsonl", strings.Join(some, "\n"))); len(rejected) > 0 {
			t.Errorf("rejected %q, want none", rejected)
		}
	}
	i := slices.IndexFunc(lines, func(line string) bool {
		return strings.Contains(line, `"PK":{"S":"o#o1"}`) && strings.Contains(line, `"SK":{"S":"p#p1"}`)
	})
	_, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("line.jsonl", strings.ReplaceAll(strings.ReplaceAll(lines[i], "#o#o1", "#o#o9"), "\"o#o1", "\"o#o9")))
	if len(rejected) != 1 || !strings.Contains(rejected[0], "Unknown order o9") {
		t.Errorf("line of an unknown order: rejected %q, want only this line", rejected)
	}
}

// TestImport_NamesRejectedParents imports records that refer to a customer and a product. The
// rows of this customer and product are in the same files, but are rejected. The reasons must
// not say that the customer and the product are unknown.
func TestImport_NamesRejectedParents(t *testing.T) {
	for _, dryRun := range []bool{true, false} {
		_, rejected := importFiles(
			t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{DryRun: dryRun},
			newFile("customers.csv", "CustomerID,Name,Email\nc1,Kim,kim@\n"),
			newFile("products.csv", "ProductID,Detail.Name,Price\np1,Lamp,x\n"),
			newFile("warehouses.csv", "WarehouseID,Name\nw1,Malmö\n"),
			newFile("warehouse-items.csv", "WarehouseID,ProductID,Quantity\nw1,p1,5\nw2,p2,5\n"),
			newFile("orders.csv", "OrderID,CustomerID,Date,Status,Total\no1,c1,2026-11-01,OPEN,0\n"),
		)
		all := strings.Join(rejected, "\n")
		for _, want := range []string{
			"orders.csv 2: The row of customer c1 was rejected. Correct that row too, or use -lenient.",
			"warehouse-items.csv 2: The row of product p1 was rejected. Correct that row too, or use -lenient.",
			"warehouse-items.csv 3: Unknown product p2: it is neither in the table nor in the files of this import.",
		} {
			if !strings.Contains(all, want) {
				t.Errorf("dry run %t: got the rejected rows\n%s\nwant %q", dryRun, all, want)
			}
		}
	}
}
