package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestImport_Mapping(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	lamps := save(t, filepath.Join(folder, "lamps.csv"), "nr;title;cost\n1;Lamp;1.234,50\n2;Desk lamp;9\n")
	notes := save(t, filepath.Join(folder, "notes.csv"), "text\n")
	mapping := save(t, filepath.Join(folder, "mapping.yaml"), `
files:
  lamps.csv: {entity: products, decimal: ",", columns: {nr: ProductID, title: Detail.Name, cost: Price}}
  notes.csv: {entity: none}
`)
	run(t, "import", "-map", mapping, "-dry-run", lamps, "-data", data).want(t, exitDone, "2 would be added")
	run(t, "import", "-map", mapping, lamps, notes, "-data", data).want(t, exitDone, "lamps.csv: 2 added", "notes.csv: not imported, because ")
	run(t, "import", lamps, "-data", data).want(t, exitFailed, "lamps.csv: unknown CSV file name", "or use a mapping")
	run(t, "import", "-map", save(t, filepath.Join(folder, "bad.yaml"), "files:\n  x: 1\n"), lamps, "-data", data).want(t, exitFailed, "bad.yaml, line 2: keys with values are expected here")
	run(t, "import", "-map", filepath.Join(folder, "none.yaml"), lamps, "-data", data).want(t, exitFailed, "cannot read ", "none.yaml")
}

func TestImport_Update(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	products := save(t, filepath.Join(folder, "products.csv"), "ProductID,Detail.Name,Price\n1,Lamp,10\n2,Desk,20\n")
	run(t, "import", products, "-data", data).want(t, exitDone, "2 added")
	save(t, products, "ProductID,Price\n1,12.5\n2,20\n")
	run(t, "import", products, "-data", data).want(t, exitFailed, "rejected rows: 2")
	run(t, "import", "-update", "-dry-run", products, "-data", data).want(t, exitDone, "0 would be added, 1 would be updated, 1 unchanged",
		"  Row  Item       Attribute  Before  After", "  2    product 1  Price      10      12.5")
	run(t, "import", "-update", products, "-data", data).want(t, exitDone, "0 added, 1 updated, 1 unchanged", "  product  2     0      1          1        0       0")
	run(t, "import", "-update", products, "-data", data).want(t, exitDone, "nothing changed, 2 unchanged")
	run(t, "import", "-update", "-json", products, "-data", data).want(t, exitDone, `"read":2,"added":0,"unchanged":2,"updated":0,"merged":0,"refused":0`)
}

// TestImport_ShowsNewCategories checks that a dry run prints the categories that the import
// would add.
func TestImport_ShowsNewCategories(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	products := save(t, filepath.Join(folder, "products.csv"), "ProductID,Detail.Name,Price,Category\n1,Spot,10,Lamps\n2,Desk,20,Desks\n3,Bulb,1,lamps\n")
	run(t, "import", "-dry-run", products, "-data", data).want(t, exitDone, "  new category: Desks (1 row)\n  new category: Lamps (2 rows)\n")
	run(t, "import", "-dry-run", "-json", products, "-data", data).want(t, exitDone, `"newCategories":[{"name":"Desks","rows":1},{"name":"Lamps","rows":2}]`)
	run(t, "import", products, "-data", data).want(t, exitDone, "3 added")
	save(t, products, "ProductID,Detail.Name,Price,Category\n4,Spot,10,Lamps\n")
	if got := run(t, "import", "-dry-run", products, "-data", data); strings.Contains(got.stdout, "new category") {
		t.Errorf("got %q, want no new category", got.stdout)
	}
}

// TestImport_LimitsNewCategories imports more new categories than a dry run collects.
func TestImport_LimitsNewCategories(t *testing.T) {
	folder := t.TempDir()
	var rows strings.Builder
	rows.WriteString("ProductID,Detail.Name,Price,Category\n")
	for n := range 1001 {
		fmt.Fprintf(&rows, "%d,Lamp,10,Kind %d\n", n, n)
	}
	products := save(t, filepath.Join(folder, "products.csv"), rows.String())
	run(t, "import", "-dry-run", products, "-data", filepath.Join(folder, "data")).want(t, exitDone, "there can be more new categories than these")
	run(t, "import", "-dry-run", "-json", products, "-data", filepath.Join(folder, "data")).want(t, exitDone, `"moreNewCategories":true`)
}

// TestImport_ShowsRemovedValues updates existing records from files with empty cells.
// The dry run and the import must show which values the empty cells remove.
func TestImport_ShowsRemovedValues(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	customers := save(t, filepath.Join(folder, "customers.csv"), "CustomerID,Name,Phones\n1,Kim,+1 202 555 0102\n2,Lee,+1 202 555 0103\n")
	run(t, "import", customers, "-data", data).want(t, exitDone, "2 added")
	save(t, customers, "CustomerID,Name,Phones\n1,Kim,\n2,Ann,+1 202 555 0103\n")
	run(t, "import", "-update", "-dry-run", customers, "-data", data).want(t, exitDone, "  values that would be removed, because their cells are empty: 1\n",
		"  Row  Item        Attribute  Removed value\n  2    customer 1  Phones     +1 202 555 0102\n", "  3    customer 2  Name       Lee     Ann\n")
	run(t, "import", "-update", "-dry-run", "-json", customers, "-data", data).want(t, exitDone,
		`"removed":{"total":1,"first":[{"file":"`+customers+`","row":2,"record":"customer 1","attribute":"Phones","before":"+1 202 555 0102","after":""}]}`,
		`"changed":{"total":1,"first":[{"file":"`+customers+`","row":3,"record":"customer 2","attribute":"Name","before":"Lee","after":"Ann"}]}`)
	run(t, "import", "-update", customers, "-data", data).want(t, exitDone, "  values removed, because their cells are empty: 1\n")
}

func TestImport_Suggest(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	lamps := save(t, filepath.Join(folder, "articles.csv"), "article no;title;unit price\n1;Lamp;1.234,50\n2;Desk lamp;9\n")
	got := run(t, "import", "-suggest", lamps, "-data", data)
	got.want(t, exitDone, "entity: products", "article no: ProductID", "title: Detail.Name", "unit price: Price", `decimal: ","`)
	mapping := save(t, filepath.Join(folder, "mapping.yaml"), got.stdout)
	run(t, "import", "-map", mapping, lamps, "-data", data).want(t, exitDone, "articles.csv: 2 added")
	run(t, "import", "-suggest", save(t, filepath.Join(folder, "model.json"), "{}"), "-data", data).want(t, exitFailed, "model.json: only CSV files need a mapping")
}

// TestImport_MappingOfAbsentFiles checks that an import reports a file that is in its
// mapping, but not in its arguments.
func TestImport_MappingOfAbsentFiles(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	lamps := save(t, filepath.Join(folder, "lamps.csv"), "nr,title,cost\n1,Lamp,9\n")
	mapping := save(t, filepath.Join(folder, "mapping.yaml"), "files:\n  lamps.csv: {entity: products, columns: {nr: ProductID, title: Detail.Name, cost: Price}}\n  Desks.csv: {entity: products}\n  notes.csv: {entity: none}\n")
	run(t, "import", "-map", mapping, lamps, "-data", data).want(t, exitDone, "also names these files, which were not given and are not imported: Desks.csv\n", "lamps.csv: 1 added")
	if got := run(t, "import", "-json", "-map", mapping, lamps, "-data", data); !strings.HasPrefix(got.stdout, `{"files"`) {
		t.Errorf("-json: got %q, want JSON", got.stdout)
	}
}

// TestImport_TemporaryFilesInDataFolder checks that an import does not need the temporary
// folder of the operating system.
func TestImport_TemporaryFilesInDataFolder(t *testing.T) {
	data := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(data, "missing"))
	runWith(t, environment{}, `{"Item":{"PK":{"S":"c#1"},"SK":{"S":"c#1"},"Name":{"S":"Kim"}}}`, "import", "-", "-data", data).want(t, exitDone, "1 added")
	orders := save(t, filepath.Join(data, "orders.csv"), "OrderID,CustomerID,Date,Status,Total\n1,1,2026-11-20,OPEN,0\n")
	run(t, "import", "-data", data, orders).want(t, exitDone, "1 added")
	run(t, "check", "-business", "-data", data).want(t, exitDone, "items checked, 0 findings.")
	left, err := filepath.Glob(filepath.Join(data, ".stockroom-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("got %q, %v, want no temporary file", left, err)
	}
}
