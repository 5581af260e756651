package exchange_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// long runs the test at full size, which takes some minutes.
var long = flag.Bool("long", false, "import 100,000 orders and kill the import 10 times")

// Environment variables of the child process. The child imports files until the test
// kills it.
const (
	childTable = "EXCHANGE_TEST_TABLE" // folder of an embedded store
	childFiles = "EXCHANGE_TEST_FILES"
)

func TestMain(m *testing.M) {
	if os.Getenv(childTable) == "" {
		os.Exit(storetest.Run(m))
	}
	if err := importInChild(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rowsPerByte is the number of imported rows that one byte of the child's output stands
// for.
const rowsPerByte = 100

// importInChild imports the files into the table. It reports its progress on standard
// output: one byte after every rowsPerByte rows.
func importInChild(ctx context.Context) error {
	clock := storetest.NewClock()
	db, err := storetest.OpenEmbedded(os.Getenv(childTable), clock)
	if err != nil {
		return err
	}
	var files []exchange.File
	for path := range strings.SplitSeq(os.Getenv(childFiles), "\n") {
		content, err := os.Open(path)
		if err != nil {
			return err
		}
		files = append(files, exchange.File{Name: path, Content: content})
	}
	sources, err := exchange.Open(files, "")
	if err != nil {
		return err
	}
	s, known := store.New(db, "OnlineShop", clock.Now), exchange.NewKnown()
	for _, source := range sources {
		written := 0
		_, err := exchange.Import(ctx, s, source, exchange.ImportOptions{
			Known: known,
			Progress: func(rows int) {
				n, _ := os.Stdout.Write(make([]byte, rows/rowsPerByte-written))
				written += n
			},
			Rejected: func(rows []exchange.RejectedRow) error { return fmt.Errorf("rejected: %s", rows[0].Reason) },
		})
		if err != nil {
			return err
		}
	}
	return db.Close()
}

// importAndKill starts an import in a child process and kills it after a number of
// rows. The result killed is false if the import has already ended.
func importAndKill(t *testing.T, folder string, paths []string, rows int) (killed bool) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childTable+"="+folder, childFiles+"="+strings.Join(paths, "\n"))
	c.Stderr = os.Stderr
	progress, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = io.CopyN(io.Discard, progress, int64(rows/rowsPerByte))
	if killed = err == nil; killed {
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
	}
	if err := c.Wait(); !killed && err != nil {
		t.Fatal(err)
	}
	return killed
}

// TestImport_OfShopComputes imports a generated shop whose files have no columns with
// computed values. It kills the import several times, and then imports the files again.
// Totals, quotas, statuses and open quantities must match the generated shop.
func TestImport_OfShopComputes(t *testing.T) {
	orders, kills := 2000, 3
	if *long {
		orders, kills = 100_000, 10
	}
	shop := newShop(orders)
	paths := shopFiles(t, shop)
	folder, clock := t.TempDir(), storetest.NewClock()
	open := func() (*store.Store, *embedded.DB) {
		db := storetest.EmbeddedAt(t, folder, clock)
		return store.New(db, "OnlineShop", clock.Now), db
	}
	s, db := open()
	if err := errors.Join(s.CreateTable(t.Context()), db.Close()); err != nil {
		t.Fatal(err)
	}
	killed, rows := 0, 4*orders // rows is a low estimate, because most orders have an invoice and at least two lines
	for n := range kills {
		if importAndKill(t, folder, paths, rows/(kills+1)*(n+1)) {
			killed++
		}
	}
	if killed < kills {
		t.Errorf("killed %d imports, want %d", killed, kills)
	}
	began := time.Now()
	if importAndKill(t, folder, paths, 1<<30) {
		t.Error("the last import was killed, want it to complete")
	}
	t.Logf("killed %d imports; the last one took %v", killed, time.Since(began).Round(time.Millisecond))
	s, _ = open()
	checkShop(t, s, shop)
}

func checkShop(t *testing.T, s *store.Store, shop []soldOrder) {
	t.Helper()
	admin := s.As(importAdmin)
	days, quotas, onOrder := map[string]store.DayTotal{}, map[string]store.Quota{}, map[string]int{}
	for i := range shop {
		o := &shop[i]
		status, paid, shipped := o.states()
		got, err := admin.Order(t.Context(), o.id)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != status || got.PaymentState != paid || got.ShipmentState != shipped || got.Total.String() != store.MinorUnits(int64(o.total())).String() {
			t.Fatalf("order %s: got %s, %s, %s, %s; want %s, %s, %s, %s", o.id, got.Status, got.PaymentState, got.ShipmentState, got.Total, status, paid, shipped, money(o.total()))
		}
		for _, l := range o.lines {
			onOrder[fmt.Sprint("p", l.product)] += l.open()
		}
		if status == store.OrderCancelled || status == store.OrderReturned {
			continue
		}
		value := store.MinorUnits(int64(o.value())).Sum()
		day, quota := days[o.date.Format(time.DateOnly)], quotas[o.rep+"/"+store.QuarterOf(o.date).String()]
		days[o.date.Format(time.DateOnly)] = store.DayTotal{Count: day.Count + 1, Amount: day.Amount.Plus(value)}
		quotas[o.rep+"/"+store.QuarterOf(o.date).String()] = store.Quota{Orders: quota.Orders + 1, OrderTotal: quota.OrderTotal.Plus(value)}
	}
	got := map[string]store.DayTotal{}
	totals, err := admin.Totals(t.Context(), store.TotalOrders, store.DateRange{From: storetest.Now.AddDate(0, 0, -shopDays-1), To: storetest.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range totals {
		got[d.Day.Format(time.DateOnly)] = store.DayTotal{Count: d.Count, Amount: d.Amount}
	}
	compareTexts(t, "totals", got, days)
	sold := map[string]store.Quota{}
	for n := range shopReps {
		rep := fmt.Sprint("e", n)
		list, err := admin.QuotasOfRep(t.Context(), rep, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range list.Rows {
			sold[rep+"/"+q.Period.String()] = store.Quota{Orders: q.Orders, OrderTotal: q.OrderTotal}
		}
	}
	compareTexts(t, "quotas", sold, quotas)
	for n := range shopProducts {
		product, units := fmt.Sprint("p", n), 0
		for page := (store.Page{}); ; {
			lines, err := admin.ItemsOnOrder(t.Context(), product, page)
			if err != nil {
				t.Fatal(err)
			}
			for i := range lines.Rows {
				units += lines.Rows[i].Open()
			}
			if page.At = lines.Next; page.At == nil {
				break
			}
		}
		if units != onOrder[product] {
			t.Errorf("%s: got %d on order, want %d", product, units, onOrder[product])
		}
	}
	result, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Wait: func(context.Context, time.Duration) error { return nil }, Found: func(f store.CheckFinding) { t.Errorf("%s: %s", f.Rule, f.Text) }})
	if err != nil || result.Items < len(shop) {
		t.Errorf("check: got %+v, %v, want no error and all items checked", result, err)
	}
}

// compareTexts compares two maps, whose values it formats as text.
func compareTexts[V any](t *testing.T, what string, got, want map[string]V) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %.500v\nwant %.500v", what, got, want)
	}
}
