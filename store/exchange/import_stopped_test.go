package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// importStopped imports files until an error occurs. It returns the number of rejected rows
// that the import reported, and the error.
func importStopped(ctx context.Context, t *testing.T, target exchange.Target, options exchange.ImportOptions, files ...exchange.File) (rejected int, err error) {
	t.Helper()
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	if content, ok := files[0].Content.(*cancelling); ok {
		content.opened = true
	}
	options.Known = exchange.NewKnown()
	options.Rejected = func(rows []exchange.RejectedRow) error {
		rejected += len(rows)
		return nil
	}
	for i := range sources {
		if _, err = exchange.Import(ctx, target, sources[i], options); err != nil {
			return rejected, err
		}
	}
	return rejected, nil
}

func findings(t *testing.T, s *store.Store) (all []string) {
	t.Helper()
	if _, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) { all = append(all, string(f.Rule)+": "+f.Text) }}); err != nil {
		t.Fatal(err)
	}
	return all
}

// uncounted is a target whose CountKayaks always fails.
type uncounted struct{ exchange.Target }

func (uncounted) CountKayaks(context.Context) error { return errors.New("killed") }

// TestImport_CountsKayaksAfterInterruption makes two imports of kayaks fail. The first one
// stops because of rejected rows, and must still count the kayaks. The second one fails to
// count the kayaks, so the next import must count them.
func TestImport_CountsKayaksAfterInterruption(t *testing.T) {
	files := map[string]string{
		"stores.csv": "StoreID,Name\ns1,One\n",
		"kayaks.csv": "InventoryID,StoreID,Name,DailyRate,Status\nk1,s1,A,30,in\nk2,s1,B,30,repair\nk3,s9,C,30,in\nk4,s9,D,30,in\n",
	}
	s := storetest.Open(t, storetest.NewClock())
	if _, err := importStopped(t.Context(), t, s, exchange.ImportOptions{MaxRejected: 1}, filesOf(files)...); !errors.Is(err, exchange.ErrTooManyRejected) {
		t.Fatalf("got %v, want too many rejected rows", err)
	}
	if got := findings(t, s); len(got) > 0 {
		t.Errorf("after the import that stopped: got %q, want no findings", got)
	}
	s = storetest.Open(t, storetest.NewClock())
	if _, err := importStopped(t.Context(), t, uncounted{s}, exchange.ImportOptions{}, filesOf(files)...); err == nil {
		t.Fatal("got no error, want the one of CountKayaks")
	}
	if _, err := importStopped(t.Context(), t, s, exchange.ImportOptions{}, filesOf(files)...); err != nil {
		t.Fatal(err)
	}
	if got := findings(t, s); len(got) > 0 {
		t.Errorf("after the second import: got %q, want no findings", got)
	}
}

func TestImport_ReportsPanicOfReader(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	source := exchange.Source{Batches: func(yield func(*exchange.Batch, error) bool) {
		yield(&exchange.Batch{}, nil)
		panic("a damaged row")
	}}
	if _, err := exchange.Import(t.Context(), s, source, exchange.ImportOptions{}); err == nil || !strings.Contains(err.Error(), "a damaged row") || !strings.Contains(err.Error(), "import_stopped_test.go") {
		t.Errorf("got %v, want an error with the stack of the panic", err)
	}
}

// failing is a target that returns an error at one step of a batch.
type failing struct {
	exchange.Target
	at string
}

var errFailing = errors.New("cannot reach the table")

func (f failing) Load(ctx context.Context, entities []store.Entity, options store.LoadOptions) (store.LoadResult, error) {
	if f.at == "load" {
		return store.LoadResult{}, errFailing
	}
	return f.Target.Load(ctx, entities, options)
}

func (f failing) Update(ctx context.Context, updates []store.EntityUpdate, options store.UpdateOptions) ([]store.UpdateResult, error) {
	if f.at == "update" {
		return make([]store.UpdateResult, len(updates)), errFailing
	}
	return f.Target.Update(ctx, updates, options)
}

func (f failing) Existing(ctx context.Context, entities []store.Entity) ([]bool, error) {
	if f.at == "check" {
		return nil, errFailing
	}
	return f.Target.Existing(ctx, entities)
}

func (f failing) KnownKayaks(ctx context.Context, ids []string) ([]store.Kayak, error) {
	if f.at == "rentals" {
		return nil, errFailing
	}
	return f.Target.KnownKayaks(ctx, ids)
}

// TestImport_ReportsRejectedRowsOfFailedBatch imports a valid kayak and an invalid
// row. The import fails, but must report the rejected row.
func TestImport_ReportsRejectedRowsOfFailedBatch(t *testing.T) {
	for _, at := range []string{"check", "rentals", "update", "load"} {
		s := storetest.Open(t, storetest.NewClock())
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("stores.csv", "StoreID,Name\ns1,One\n")); len(rejected) > 0 {
			t.Fatal(rejected)
		}
		kayaks := newFile("kayaks.csv", "InventoryID,StoreID,Name,DailyRate,Status\nk1,s1,A,30,in\nk2,s1,B,much,in\n")
		rejected, err := importStopped(t.Context(), t, failing{s, at}, exchange.ImportOptions{Update: at == "update"}, kayaks)
		if !errors.Is(err, errFailing) || rejected != 1 {
			t.Errorf("%s: got %v and %d rejected rows, want the target's error and 1 rejected row", at, err, rejected)
		}
	}
}

// cancelling is a reader that cancels the import at the first read after Open.
type cancelling struct {
	*strings.Reader
	opened bool
	cancel context.CancelFunc
	after  int // number of bytes read since the cancellation, including the read that cancels
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.opened {
		c.cancel()
		c.after += n
	}
	return n, err
}

// TestImport_StopsReadingWhenCancelled cancels imports at their first read. Each import
// must read at most half of its file.
func TestImport_StopsReadingWhenCancelled(t *testing.T) {
	var customers, orders, items strings.Builder
	customers.WriteString("CustomerID,Name\n")
	orders.WriteString("OrderID,CustomerID,Date,Status,Total\n")
	for n := range 100_000 {
		fmt.Fprintf(&customers, "c%d,A customer with a long name\n", n)
		fmt.Fprintf(&orders, "o%d,c%d,2026-01-02T10:00:00Z,OPEN,0\n", n, n)
		fmt.Fprintf(&items, `{"Item":{"PK":{"S":"c#%d"},"SK":{"S":"c#%d"},"Name":{"S":"Kim"}}}`+"\n", n, n)
	}
	for name, all := range map[string]string{"customers.csv": customers.String(), "orders.csv": orders.String(), "items.jsonl": items.String()} {
		ctx, cancel := context.WithCancel(t.Context())
		content := &cancelling{Reader: strings.NewReader(all), cancel: cancel}
		s := storetest.Open(t, storetest.NewClock())
		_, err := importStopped(ctx, t, s, exchange.ImportOptions{}, exchange.File{Name: name, Content: content})
		if !errors.Is(err, context.Canceled) || content.after == 0 || content.after > len(all)/2 {
			t.Errorf("%s: got %v after %d of %d bytes, want the import cancelled soon after its first read", name, err, content.after, len(all))
		}
	}
}

// TestImport_CancelledIsNotDone cancels an import after it has read the last row. Import
// must still return the context's error.
func TestImport_CancelledIsNotDone(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	ctx, cancel := context.WithCancel(t.Context())
	source := exchange.Source{Batches: func(func(*exchange.Batch, error) bool) { cancel() }}
	if _, err := exchange.Import(ctx, s, source, exchange.ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the cancelled context", err)
	}
}
