package exchange_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_RejectsTakenValues checks that an import rejects an SKU or email address
// that another record has: in the table, in the same file or in another batch.
func TestImport_RejectsTakenValues(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, _ *storetest.Clock) {
		s := openTable(t, db, name)
		stored := []store.Entity{
			&store.Product{ID: "p1", Name: "Lamp", SKU: "L1", Version: 1},
			&store.Product{ID: "p2", Name: "Old lamp", SKU: "L2", Archived: true, Version: 1},
			&store.Customer{ID: "c1", Name: "Kim", Email: "kim@example.com", Version: 1},
		}
		if loaded, err := s.Load(t.Context(), stored, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		many := func(header string, row func(i int) string, last string) string {
			rows := []string{header}
			for i := range 2600 {
				rows = append(rows, row(i))
			}
			return strings.Join(append(rows, last), "\n") + "\n"
		}
		for _, tt := range []struct{ name, file, content, want string }{
			{"a product of the table", "products.csv", "ProductID,Detail.Name,Price,SKU\np3,New lamp,5,L1\n", "products.csv 2: Product p1 already has the SKU L1. Enter another SKU, or use -lenient."},
			{"an archived product", "products.csv", "ProductID,Detail.Name,Price,SKU\np3,New lamp,5,L2\n", "products.csv 2: Product p2 already has the SKU L2. Enter another SKU, or use -lenient."},
			{"a customer of the table", "customers.csv", "CustomerID,Name,Email\nc2,Lee,KIM@example.com\n", "customers.csv 2: Customer c1 already has the email address kim@example.com. Enter another email address, or use -lenient."},
			{"two rows", "customers.csv", "CustomerID,Name,Email\nc2,Lee,lee@example.com\nc3,Lee,Lee@example.com\n", "customers.csv 3: Row 2 has the same email address. Enter another email address, or use -lenient."},
			{"rows of two batches", "products.csv", many("ProductID,Detail.Name,Price,SKU", func(i int) string { return fmt.Sprintf("q%d,Lamp,1,S%d", i, i) }, "q9999,Lamp,1,S7"), "products.csv 2602: Another product already has the SKU S7. Enter another SKU, or use -lenient."},
			{"the table, in the second batch", "customers.csv", many("CustomerID,Name,Email", func(i int) string { return fmt.Sprintf("d%d,Lee,d%d@example.com", i, i) }, "c9999,Kim,kim@example.com"), "customers.csv 2602: Another customer already has the email address kim@example.com. Enter another email address, or use -lenient."},
		} {
			t.Run(tt.name, func(t *testing.T) {
				all := []exchange.ImportOptions{{DryRun: true}, {}, {DryRun: true, Update: true}, {DryRun: true, Lenient: true}, {Update: true}}
				if len(tt.content) > 10_000 {
					all = all[:2]
				}
				for _, options := range all {
					sum, rejected := importFiles(t, s, options, csvFile(tt.file, tt.content))
					switch {
					case options.Lenient && (len(rejected) > 0 || sum.Warned != 1):
						t.Errorf("lenient: got %d warnings and %d rejected, want 1 and 0: %q", sum.Warned, len(rejected), rejected)
					case !options.Lenient && strings.Join(rejected, "\n") != tt.want:
						t.Errorf("%+v: got\n%s\nwant\n%s", options, strings.Join(rejected, "\n"), tt.want)
					}
				}
			})
		}
	})
}

// TestImport_AcceptsOwnValues checks that records with unique values can be imported a
// second time, and that an SKU can move from one product to another.
func TestImport_AcceptsOwnValues(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for _, options := range []exchange.ImportOptions{{}, {}, {Update: true}} {
		products := csvFile("products.csv", "ProductID,Detail.Name,Price,SKU\np1,Lamp,5,L1\np2,Table,7,\n")
		customers := csvFile("customers.csv", "CustomerID,Name,Email\nc1,Kim,kim@example.com\n")
		if _, rejected := importFiles(t, s, options, products, customers); len(rejected) > 0 {
			t.Errorf("%+v: got %q, want no rejected rows", options, rejected)
		}
	}
	moved := csvFile("products.csv", "ProductID,SKU\np1,L9\np2,L1\n")
	if sum, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, moved); sum.Updated != 2 || len(rejected) > 0 {
		t.Errorf("got %d updated, %q; want 2 updated", sum.Updated, rejected)
	}
	taken := csvFile("products.csv", "ProductID,SKU\np1,L1\n")
	if _, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, taken); len(rejected) != 1 || !strings.Contains(rejected[0], "Product p2 already has") {
		t.Errorf("got %q, want one rejected row", rejected)
	}
	same := csvFile("products.csv", "ProductID,SKU\np1,M1\np2,M1\n")
	if _, rejected := importFiles(t, s, exchange.ImportOptions{Update: true, DryRun: true}, same); len(rejected) != 1 || !strings.Contains(rejected[0], "products.csv 3: Row 2 has the same SKU") {
		t.Errorf("got %q, want one rejected row", rejected)
	}
}

// csvFile returns a file for an import or an update. For an update, it may lack required
// columns.
func csvFile(name, content string) exchange.File {
	return exchange.File{Name: name, Content: strings.NewReader(content), Partial: true}
}

// countingTarget counts the lookups of single unique values, and how often the list of all
// values is read.
type countingTarget struct {
	exchange.Target
	values, lists int
}

func (c *countingTarget) OwnersOf(ctx context.Context, values []store.UniqueValue) ([][]string, error) {
	c.values += len(values)
	return c.Target.OwnersOf(ctx, values)
}

func (c *countingTarget) EachUniqueValue(ctx context.Context, name string, visit func(store.UniqueValue, string) error) error {
	c.lists++
	return c.Target.EachUniqueValue(ctx, name, visit)
}

// TestImport_BoundsReadsOfUniqueValues imports many customers with email addresses. The
// import must not make a request for each of them.
func TestImport_BoundsReadsOfUniqueValues(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	rows := "CustomerID,Name,Email\n"
	for i := range 6000 {
		rows += fmt.Sprintf("c%d,Kim,c%d@example.com\n", i, i)
	}
	sources, err := exchange.Open([]exchange.File{csvFile("customers.csv", rows)}, "")
	if err != nil {
		t.Fatal(err)
	}
	target := &countingTarget{Target: s}
	result, err := exchange.Import(t.Context(), target, sources[0], exchange.ImportOptions{})
	if sum := result.Sum(); err != nil || sum.Added != 6000 {
		t.Fatalf("got %+v, %v; want 6000 added", sum, err)
	}
	if target.values > 200 || target.lists > 1 {
		t.Errorf("got %d requests for values and %d lists, want at most 200 and 1", target.values, target.lists)
	}
}

// TestImport_FreesValues imports files that clear or change an SKU or an email address in
// one row, and give it to another record in another row. Both the dry run and the import
// must accept this, unless the first row is rejected or two records exchange their values.
func TestImport_FreesValues(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, _ *storetest.Clock) {
		s := openTable(t, db, name)
		for i, tt := range []freedValue{
			{"cleared", "products.csv", "ProductID,SKU\np%[1]d,\nq%[1]d,P%[1]d\n", "", 2, 0},
			{"cleared in a later row", "products.csv", "ProductID,SKU\nq%[1]d,P%[1]d\np%[1]d,\n", "", 2, 0},
			{"changed", "products.csv", "ProductID,SKU\np%[1]d,N%[1]d\nq%[1]d,P%[1]d\n", "", 2, 0},
			{"three rows", "products.csv", "ProductID,SKU\nr%[1]d,Q%[1]d\nq%[1]d,P%[1]d\np%[1]d,\n", "", 3, 0},
			{"taken by a new product", "products.csv", "ProductID,Detail.Name,Price,SKU\nn%[1]d,New,4,P%[1]d\np%[1]d,Lamp,5,\n", "", 1, 1},
			{"an email address", "customers.csv", "CustomerID,Email\nc%[1]d,\nd%[1]d,C%[1]d@example.com\n", "", 2, 0},
			{"the column is missing", "customers.csv", "CustomerID,Name\nc%[1]d,Ann\n", "", 1, 0},
			{"the row is rejected", "products.csv", "ProductID,SKU,Unfinished\np%[1]d,,true\nq%[1]d,P%[1]d,\n", "Another product already has the SKU P%[1]d. Enter another SKU, or use -lenient.", 0, 0},
			{"exchanged", "products.csv", "ProductID,SKU\np%[1]d,Q%[1]d\nq%[1]d,P%[1]d\n", "Another product already has the SKU Q%[1]d. Enter another SKU, or use -lenient.", 0, 0},
		} {
			t.Run(tt.name, func(t *testing.T) { tt.check(t, s, i) })
		}
		// This file lacks the column Email, which must not count as a cleared email
		// address.
		taken := csvFile("customers.csv", "CustomerID,Name,Email\ne1,Lee,c6@example.com\n")
		if _, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, taken); len(rejected) != 1 {
			t.Errorf("got %q, want one rejected row", rejected)
		}
	})
}

// TestImport_FreesValueForAnotherBatch checks that an import can clear an SKU and give it
// to another product in a later batch.
func TestImport_FreesValueForAnotherBatch(t *testing.T) {
	content := "ProductID,Detail.Name,Price,SKU\np%[1]d,Lamp,5,\n"
	for i := range 2600 {
		content += fmt.Sprintf("f%d,Far,1,F%d\n", i, i)
	}
	far := freedValue{"in another batch", "products.csv", content + "q%[1]d,Desk,5,P%[1]d\n", "", 2, 2600}
	far.check(t, storetest.Open(t, storetest.NewClock()), 0)
}

// freedValue is a file whose rows take values from other products and customers. %[1]d in
// the file stands for the number of the test.
type freedValue struct {
	name, file, content string
	want                string // part of the reason of a rejected row; "" for none
	updated, added      int
}

func (f *freedValue) check(t *testing.T, s *store.Store, number int) {
	t.Helper()
	id := func(text string) string { return strings.ReplaceAll(text, "%[1]d", fmt.Sprint(number)) }
	stored := []store.Entity{
		&store.Product{ID: id("p%[1]d"), Name: "Lamp", SKU: id("P%[1]d"), Version: 1}, &store.Product{ID: id("q%[1]d"), Name: "Desk", SKU: id("Q%[1]d"), Version: 1},
		&store.Product{ID: id("r%[1]d"), Name: "Chair", SKU: id("R%[1]d"), Version: 1},
		&store.Customer{ID: id("c%[1]d"), Name: "Kim", Email: id("c%[1]d@example.com"), Version: 1}, &store.Customer{ID: id("d%[1]d"), Name: "Lee", Version: 1},
	}
	if loaded, err := s.Load(t.Context(), stored, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	for _, dryRun := range []bool{true, false} {
		sum, rejected := importFiles(t, s, exchange.ImportOptions{Update: true, DryRun: dryRun}, csvFile(f.file, id(f.content)))
		if sum.Updated != f.updated || sum.Counts.Added != f.added || !strings.Contains(strings.Join(rejected, "\n"), id(f.want)) || (f.want == "") != (len(rejected) == 0) {
			t.Errorf("dry run %t: got %d updated, %d added, rejected %q; want %d, %d, %q", dryRun, sum.Updated, sum.Counts.Added, rejected, f.updated, f.added, id(f.want))
		}
	}
}
