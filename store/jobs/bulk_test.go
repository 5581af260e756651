package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const bulkProducts = 2000

// hookedTable is a table that calls hook before each transaction, with the transaction's
// number.
type hookedTable struct {
	store.DB
	transactions atomic.Int64
	hook         func(n int64)
}

func (h *hookedTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if n := h.transactions.Add(1); h.hook != nil {
		h.hook(n)
	}
	return h.DB.TransactWriteItems(ctx, in, options...)
}

// loadProducts stores two admins and n products.
func loadProducts(t testing.TB, s *store.Store, n int) {
	t.Helper()
	for _, user := range []store.User{*admin, {Name: "boss", Role: store.Admin}} {
		if err := s.AddUser(t.Context(), user, "a long password", "test"); err != nil {
			t.Fatal(err)
		}
	}
	entities := make([]store.Entity, n)
	for i := range entities {
		id := fmt.Sprintf("p%04d", i)
		entities[i] = &store.Product{ID: id, Name: "Chair " + id, SKU: "SKU-" + id, Price: store.MinorUnits(int64(1000 + i)), Category: "Chairs", Version: 1}
	}
	loaded, err := s.Load(t.Context(), entities, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// TestBulkChange_RepricesProductsOnce changes the prices of all products of a category.
// Each price must change once, although a user stops and continues the change, its server
// is stopped, another server continues it, and the table loses some responses. Products
// that were edited after the preview must keep their prices.
func TestBulkChange_RepricesProductsOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	plain := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadProducts(t, plain, bulkProducts)
	hooked := &hookedTable{DB: db}
	s := store.New(hooked, storetest.TableName, clock.Now)
	r := runner(t, s, jobs.Record{}, &mailbox{})
	a := plain.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkPrice, Percent: "5", Rounding: "0.05", Reason: "New price list", Filter: store.ProductFilter{Category: "Chairs"}}, nil, plain.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.StateAt(clock.Now()); got != store.BulkListing {
		t.Fatalf("before a runner takes it: got state %s, want listing", got)
	}
	state := func(want store.BulkState) *store.BulkChange {
		t.Helper()
		found, err := a.BulkChange(t.Context(), b.ID)
		if err != nil || found.State != want {
			t.Fatalf("got %+v, %v, want state %s", found, err, want)
		}
		return found
	}
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if found := state(store.BulkReady); found.Rows != bulkProducts || found.Changed != 0 {
		t.Fatalf("got %+v, want a preview of %d products", found, bulkProducts)
	}
	for _, id := range []string{"p0007", "p1999"} { // edit two products after the preview
		p, err := a.ProductForChange(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		p.Description = "New"
		if err := a.SaveProduct(t.Context(), *p, ""); err != nil {
			t.Fatal(err)
		}
	}
	start := func() {
		t.Helper()
		found, err := a.BulkChange(t.Context(), b.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.StartBulkChange(t.Context(), b.ID, found.Version, ""); err != nil {
			t.Fatal(err)
		}
	}

	start()
	hooked.transactions.Store(0)
	hooked.hook = func(n int64) {
		if n == 500 {
			if err := a.StopBulkChange(t.Context(), b.ID); err != nil {
				t.Error(err)
			}
		}
	}
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	first := state(store.BulkStopped)
	if first.Done() < 400 || first.Done() > 600 || first.Rows != bulkProducts {
		t.Fatalf("got %d of %d after the stop, want about 500", first.Done(), first.Rows)
	}

	start()
	ctx, kill := context.WithCancel(t.Context())
	hooked.transactions.Store(0)
	hooked.hook = func(n int64) {
		if n == 500 {
			kill()
		}
	}
	if err := r.RunBulkChange(ctx, b.ID); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	state(store.BulkStopped)

	start()
	hooked.hook = nil
	other := runner(t, store.New(storetest.NewUnreliable(db, 20, 7), storetest.TableName, clock.Now), jobs.Record{}, &mailbox{})
	if err := other.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), b.ID); !errors.Is(err, store.ErrLeased) {
		t.Errorf("after the end: got %v, want ErrLeased", err)
	}
	done := state(store.BulkDone)
	if done.Changed != bulkProducts-2 || done.Failed != 2 || done.Skipped != 0 {
		t.Errorf("got %+v, want %d changed and 2 failed", done, bulkProducts-2)
	}
	expectRepriced(t, plain, done)
}

// expectRepriced compares the rows of a bulk change with the products and their events.
func expectRepriced(t *testing.T, s *store.Store, b *store.BulkChange) {
	t.Helper()
	a := s.As(admin)
	events := map[string]int{}
	for e, err := range store.Each(func(p store.Page) (store.List[store.Event], error) {
		return a.Events(t.Context(), store.EventFilter{By: admin.Name}, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(e.Why, "Bulk change "+b.ID+": New price list") {
			events[e.Partition]++
		}
	}
	rows := 0
	for row, err := range store.Each(func(p store.Page) (store.List[store.BulkRow], error) {
		return a.BulkRows(t.Context(), b, store.BulkToDo, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		rows++
		p, err := a.Product(t.Context(), row.ProductID)
		if err != nil {
			t.Fatal(err)
		}
		price, count, outcome := row.After, 1, store.BulkChanged
		if p.Description != "" {
			price, count, outcome = row.Before, 0, store.BulkFailed
		}
		if row.Number != rows || p.Price.String() != price || p.Version != 2 || events["p#"+p.ID] != count || row.Outcome != outcome || (row.Why != "") != (count == 0) {
			t.Fatalf("got row %+v, product %+v and %d events, want %s, price %s and %d events", row, p, events["p#"+p.ID], outcome, price, count)
		}
	}
	if rows != bulkProducts {
		t.Errorf("got %d rows, want %d", rows, bulkProducts)
	}
	failures, err := a.BulkRows(t.Context(), b, store.BulkFailed, store.Page{})
	if err != nil || len(failures.Rows) != 2 {
		t.Errorf("got failures %+v, %v, want two", failures.Rows, err)
	}
}

// TestBulkChange_TwoRunnersChangeEachProductOnce runs a change on two servers at the same
// time, which can happen when the lease of the first server expires while it works. Each
// product must change once.
func TestBulkChange_TwoRunnersChangeEachProductOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	hooked := &hookedTable{DB: db}
	s := storetest.OpenTable(t, hooked, storetest.TableName, clock)
	loadProducts(t, s, 60)
	a := s.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkArchive}, []string{"p0001", "p0002", "p0003", "p0002", "none"}, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	r, other := runner(t, s, jobs.Record{}, &mailbox{}), runner(t, store.New(db, storetest.TableName, clock.Now), jobs.Record{}, &mailbox{})
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.Rows != 4 || b.Skipped != 1 {
		t.Fatalf("got %+v, %v, want 4 rows and one skipped", b, err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	hooked.transactions.Store(0)
	hooked.hook = func(n int64) {
		if n != 2 { // after the first transaction, which takes the lease, and before the first product changes
			return
		}
		if err := other.RunBulkChange(t.Context(), b.ID); !errors.Is(err, store.ErrLeased) {
			t.Errorf("got %v, want ErrLeased", err)
		}
		clock.Advance(2 * time.Minute)
		if err := other.RunBulkChange(t.Context(), b.ID); err != nil {
			t.Errorf("after the lease expired: got %v, want no error", err)
		}
	}
	if err := r.RunBulkChange(t.Context(), b.ID); !errors.Is(err, store.ErrLeased) {
		t.Errorf("got %v for the first runner, want ErrLeased", err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.State != store.BulkDone || b.Changed != 3 || b.Skipped != 1 || b.Failed != 0 {
		t.Errorf("got %+v, %v, want 3 archived", b, err)
	}
	for _, id := range []string{"p0001", "p0002", "p0003"} {
		p, err := a.Product(t.Context(), id)
		if err != nil || !p.Archived || p.Version != 2 {
			t.Errorf("got the product %+v, %v, want it archived once", p, err)
		}
	}
}

// TestBulkChange_CategoryIsInList renames or archives the category that a bulk change sets,
// between the preview and the start. After a rename, the products must get the new name.
// After archiving, they must keep their category.
func TestBulkChange_CategoryIsInList(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		meanwhile func(store.Access, *store.Reference, string) error
		want      string // expected category of the product
		failed    int
	}{
		"renamed": {func(a store.Access, r *store.Reference, token string) error {
			r.Name = "Seats"
			return a.SaveReference(t.Context(), *r, token)
		}, "Seats", 0},
		"spelled differently": {func(a store.Access, r *store.Reference, token string) error {
			r.Name = "SOFAS"
			return a.SaveReference(t.Context(), *r, token)
		}, "SOFAS", 0},
		"archived": {func(a store.Access, r *store.Reference, token string) error {
			return a.ArchiveCategory(t.Context(), store.Archiving{ID: r.ID, Version: r.Version, Token: token})
		}, "Chairs", 1},
	} {
		t.Run(what, func(t *testing.T) {
			s := storetest.Open(t, storetest.NewClock())
			loadProducts(t, s, 3)
			a, r := s.As(admin), runner(t, s, jobs.Record{}, &mailbox{})
			b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkCategory, Category: "Sofas"}, []string{"p0001"}, s.NewToken()+".x")
			if err != nil {
				t.Fatal(err)
			}
			if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
				t.Fatal(err)
			}
			sofas, err := a.CategoryForChange(t.Context(), "sofas")
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.meanwhile(a, sofas, s.NewToken()); err != nil {
				t.Fatal(err)
			}
			if b, err = a.BulkChange(t.Context(), b.ID); err != nil {
				t.Fatal(err)
			}
			if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
				t.Fatal(err)
			}
			if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
				t.Fatal(err)
			}
			p, err := a.Product(t.Context(), "p0001")
			if err != nil || p.Category != tt.want {
				t.Errorf("got %+v, %v; want the category %s", p, err, tt.want)
			}
			events, err := a.Events(t.Context(), store.EventFilter{About: "p#p0001"}, store.Page{Limit: 1})
			if err != nil || tt.failed == 0 && events.Rows[0].After != "category "+p.Category {
				t.Errorf("got the events %+v, %v; want the category %s", events.Rows, err, p.Category)
			}
			if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.Failed != tt.failed || b.Changed != 1-tt.failed {
				t.Errorf("got %+v, %v; want %d failed", b, err, tt.failed)
			}
			if names, err := a.Categories(t.Context()); err != nil || !slices.Contains(names, p.Category) {
				t.Errorf("got the categories %q, %v; want %s among them", names, err, p.Category)
			}
		})
	}
}

// TestBulkChange_Spelling changes only the spelling of a product's category. The undo must
// change nothing, because the list of categories contains each category in one spelling
// only.
func TestBulkChange_Spelling(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	loadProducts(t, s, 1)
	if _, err := s.Load(t.Context(), []store.Entity{&store.Product{ID: "q1", Name: "Sofa", Category: "CHAIRS", Version: 1}}, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	a, r := s.As(admin), runner(t, s, jobs.Record{}, &mailbox{})
	run := listAndRun(t, a, r)
	b := run(a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkCategory, Category: "chairs"}, []string{"q1"}, s.NewToken()+".x"))
	if p, err := a.Product(t.Context(), "q1"); err != nil || p.Category != "Chairs" || b.Changed != 1 {
		t.Fatalf("got %+v, %v, and %+v; want the spelling of the list", p, err, b)
	}
	undo := run(a.AddBulkUndo(t.Context(), b.ID, s.NewToken()+".x"))
	if p, err := a.Product(t.Context(), "q1"); err != nil || p.Category != "Chairs" || undo.Skipped != 1 || undo.Changed != 0 || undo.State != store.BulkDone {
		t.Errorf("got %+v, %v, and %+v; want one skipped product", p, err, undo)
	}
}

// TestBulkChange_UndoAfterArchiving archives the category that a bulk change has set. The
// undo must still set the earlier category.
func TestBulkChange_UndoAfterArchiving(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	loadProducts(t, s, 1)
	a, r := s.As(admin), runner(t, s, jobs.Record{}, &mailbox{})
	b := listAndRun(t, a, r)(a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkCategory, Category: "Sofas"}, []string{"p0000"}, s.NewToken()+".x"))
	if b.Changed != 1 {
		t.Fatalf("got %+v, want one changed product", b)
	}
	if err := a.ArchiveCategory(t.Context(), store.Archiving{ID: store.CategoryID("Sofas"), Version: 1, Token: s.NewToken()}); err != nil {
		t.Fatal(err)
	}
	undo := listAndRun(t, a, r)(a.AddBulkUndo(t.Context(), b.ID, s.NewToken()+".x"))
	if p, err := a.Product(t.Context(), "p0000"); err != nil || p.Category != "Chairs" || undo.Changed != 1 {
		t.Errorf("got %+v, %v, and %+v; want the category from before", p, err, undo)
	}
}

// listAndRun returns a function that runs a new bulk change: it first lists the preview, and
// then makes the change.
func listAndRun(t *testing.T, a store.Access, r *jobs.Runner) func(*store.BulkChange, error) *store.BulkChange {
	return func(b *store.BulkChange, err error) *store.BulkChange {
		t.Helper()
		for range 2 {
			if err == nil {
				err = r.RunBulkChange(t.Context(), b.ID)
			}
			if err == nil {
				b, err = a.BulkChange(t.Context(), b.ID)
			}
			if err == nil && b.State == store.BulkReady {
				_, err = a.StartBulkChange(t.Context(), b.ID, b.Version, "")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestBulkChange_StopsIfUserIsLocked(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	loadProducts(t, s, 3)
	a, r := s.As(admin), runner(t, s, jobs.Record{}, &mailbox{})
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkCategory, Category: "Sofas"}, []string{"p0001"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.LockUser(t.Context(), admin.Name, "test"); err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), b.ID); store.KindOf(err) != store.Forbidden {
		t.Errorf("got %v, want Forbidden", err)
	}
	p, err := a.Product(t.Context(), "p0001")
	if err != nil || p.Category != "Chairs" {
		t.Errorf("got the product %+v, %v, want it unchanged", p, err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.State != store.BulkStopped || b.Problem == "" {
		t.Errorf("got the bulk change %+v, %v, want it stopped with a reason", b, err)
	}
}

// staleRows is a table whose eventually consistent reads do not return the rows of bulk
// changes.
type staleRows struct{ store.DB }

func (r staleRows) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	for _, value := range in.ExpressionAttributeValues {
		if text, ok := value.(*types.AttributeValueMemberS); ok && strings.HasPrefix(text.Value, "bulkRows#") && !aws.ToBool(in.ConsistentRead) {
			return &dynamodb.QueryOutput{}, nil
		}
	}
	return r.DB.Query(ctx, in, options...)
}

// TestBulkChange_UndoReadsNewRows previews an undo right after the bulk change, when
// eventually consistent reads do not return its rows yet. The preview must contain all
// products, although reading them takes several steps.
func TestBulkChange_UndoReadsNewRows(t *testing.T) {
	const products = 120
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadProducts(t, s, products)
	r := runner(t, store.New(staleRows{db}, storetest.TableName, clock.Now), jobs.Record{}, &mailbox{})
	a := s.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkPrice, Percent: "5", Reason: "x", Filter: store.ProductFilter{Category: "Chairs"}}, nil, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	undo, err := a.AddBulkUndo(t.Context(), b.ID, s.NewToken()+".y")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.RunBulkChange(t.Context(), undo.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := a.BulkChange(t.Context(), undo.ID); err != nil || got.State != store.BulkReady || got.Rows != products {
		t.Errorf("got %+v, %v, want a preview of %d products", got, err, products)
	}
}
