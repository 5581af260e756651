package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const lowProducts = 120

// loadLowStock stores two warehouses. In the warehouse north, all products are low, and
// deliveries of two of them are expected. The warehouse south can spare some of them.
func loadLowStock(t testing.TB, s *store.Store, n int) {
	t.Helper()
	loadProducts(t, s, n)
	entities := []store.Entity{&store.Warehouse{ID: "north", Name: "North", Version: 1}, &store.Warehouse{ID: "south", Name: "South", Version: 1}}
	for i := range n {
		id := fmt.Sprintf("p%04d", i)
		entities = append(
			entities,
			&store.WarehouseItem{ProductID: id, WarehouseID: "north", Name: "Chair " + id, Quantity: 2, ReorderPoint: 5, Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "south", Name: "Chair " + id, Quantity: 10, ReorderPoint: i % 10, Version: 1},
		)
	}
	entities = append(entities, &store.ExpectedDelivery{ID: "d1", ProductID: "p0001", WarehouseID: "north", Due: due, Quantity: 3, Version: 1}, &store.ExpectedDelivery{ID: "d2", ProductID: "p0002", WarehouseID: "north", Due: due, Quantity: 30, Version: 1})
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// bulkRows returns a bulk change, and its rows. The key of a row is the ID of its product,
// invoice or person, or its invoice ID followed by its person ID.
func bulkRows(t testing.TB, a store.Access, id string) (*store.BulkChange, map[string]store.BulkRow) {
	t.Helper()
	b, err := a.BulkChange(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]store.BulkRow{}
	for row, err := range store.Each(func(p store.Page) (store.List[store.BulkRow], error) {
		return a.BulkRows(t.Context(), b, store.BulkToDo, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := rows[row.ProductID+row.InvoiceID+row.PersonID]; twice {
			t.Fatalf("got two rows of %+v, want one", row)
		}
		rows[row.ProductID+row.InvoiceID+row.PersonID] = row
	}
	return b, rows
}

// runInterrupted starts a bulk change, and kills the run after some transactions. It then
// continues the change with a table that loses responses.
func runInterrupted(t *testing.T, db store.DB, clock *storetest.Clock, a store.Access, id string) {
	t.Helper()
	start := func() {
		t.Helper()
		b, err := a.BulkChange(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.StartBulkChange(t.Context(), id, b.Version, ""); err != nil {
			t.Fatal(err)
		}
	}
	start()
	ctx, kill := context.WithCancel(t.Context())
	hooked := &hookedTable{DB: db, hook: func(n int64) {
		if n == 40 {
			kill()
		}
	}}
	killed := runner(t, store.New(hooked, storetest.TableName, clock.Now), jobs.Record{}, nil)
	if err := killed.RunBulkChange(ctx, id); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	if b, err := a.BulkChange(t.Context(), id); err != nil || b.State != store.BulkStopped || b.Changed == 0 || b.ToDo() == 0 {
		t.Fatalf("got the bulk change %+v, %v, want it stopped in the middle", b, err)
	}
	start()
	other := runner(t, store.New(storetest.NewUnreliable(db, 1, 7), storetest.TableName, clock.Now), jobs.Record{}, nil)
	if err := other.RunBulkChange(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := other.RunBulkChange(t.Context(), id); !errors.Is(err, store.ErrLeased) {
		t.Errorf("after the end: got %v, want ErrLeased", err)
	}
}

// TestBulkChange_AddsDeliveriesOnce adds an expected delivery of each product whose stock
// is low. Each product that the preview does not skip must get one, with the quantity from
// the preview or the one that the user entered there, even if the run is killed and
// continued.
func TestBulkChange_AddsDeliveriesOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadLowStock(t, s, lowProducts)
	a := s.As(admin)
	if err := a.ArchiveProduct(t.Context(), store.Archiving{ID: "p0003", Version: 1}); err != nil {
		t.Fatal(err)
	}
	day := due.AddDate(0, 0, 10)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkDelivery, WarehouseID: "north", Due: day, Supplier: "Acme"}, nil, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	b, rows := bulkRows(t, a, b.ID)
	if b.State != store.BulkReady || b.Rows != lowProducts || b.ToDo() != lowProducts-2 {
		t.Fatalf("got %+v, want a preview of %d rows with two skipped", b, lowProducts)
	}
	for id, want := range map[string]string{"p0000": "4", "p0001": "1", "p0002": "0", "p0003": "", "p0004": "4"} {
		if rows[id].After != want {
			t.Errorf("%s: got the quantity %q in %+v, want %q", id, rows[id].After, rows[id], want)
		}
	}
	if row := rows["p0003"]; row.Outcome != store.BulkSkipped || row.Why != "This product is archived. Restore it first." {
		t.Errorf("got %+v, want the archived product skipped", row)
	}
	edit := func(q map[int]string, version int) (int, error) {
		return a.SetBulkQuantities(t.Context(), b.ID, version, store.BulkQuantities{First: 1, Rows: 100, Texts: q})
	}
	at := func(id string) int { return rows[id].Number }
	edited := map[int]string{at("p0000"): "7", at("p0002"): "9", at("p0004"): "0", at("p0003"): "5", at("p0005"): rows["p0005"].After}
	version, err := edit(edited, b.Version)
	if err != nil || version != b.Version+1 {
		t.Fatalf("got version %d, %v, want %d", version, err, b.Version+1)
	}
	if again, err := edit(edited, b.Version); err != nil || again != b.Version {
		t.Errorf("the same form again: got version %d, %v, want no change", again, err)
	}
	if _, err := edit(map[int]string{1: "8"}, b.Version); store.KindOf(err) != store.Conflict {
		t.Errorf("an outdated form: got %v, want Conflict", err)
	}
	if _, err := edit(map[int]string{2: "-1"}, version); store.KindOf(err) != store.Invalid {
		t.Errorf("a negative quantity: got %v, want Invalid", err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); store.KindOf(err) != store.Conflict {
		t.Errorf("start with an outdated version: got %v, want Conflict", err)
	}
	b, planned := bulkRows(t, a, b.ID)
	if planned["p0000"].After != "7" || planned["p0002"].Outcome != store.BulkToDo || planned["p0004"].Outcome != store.BulkSkipped || b.ToDo() != lowProducts-2 {
		t.Fatalf("got %+v, want the edited quantities", planned)
	}

	clock.Advance(30 * time.Hour) // the preview is now older than the maximum age of a form token
	runInterrupted(t, db, clock, a, b.ID)
	b, rows = bulkRows(t, a, b.ID)
	if b.State != store.BulkDone || b.Changed != lowProducts-2 || b.Failed != 0 || b.Skipped != 2 {
		t.Errorf("got %+v, want %d added", b, lowProducts-2)
	}
	added := map[string]int{}
	for d, err := range store.Each(func(p store.Page) (store.List[store.ExpectedDelivery], error) {
		return a.ExpectedDeliveries(t.Context(), store.DeliveryFilter{Warehouses: []string{"north", "south"}}, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if d.ID == "d1" || d.ID == "d2" {
			continue
		}
		added[d.ProductID]++
		if planned := planned[d.ProductID]; fmt.Sprint(d.Quantity) != planned.After || d.WarehouseID != "north" || !d.Due.Equal(day) || d.Supplier != "Acme" {
			t.Errorf("got %+v, want what the preview said: %+v", d, planned)
		}
	}
	for id, row := range rows {
		want := 0
		if row.Outcome == store.BulkChanged {
			want = 1
		}
		if added[id] != want || row.After != planned[id].After {
			t.Errorf("%s: got %d deliveries and %+v, want %d", id, added[id], row, want)
		}
	}
	levels, err := a.StockLevels(t.Context(), []string{"p0000", "p0001"})
	if err != nil || levels["p0000"].Incoming != 7 || levels["p0001"].Incoming != 4 {
		t.Errorf("got %+v, %v, want 7 and 4 incoming", levels, err)
	}
}

// TestBulkChange_SendsTransfersOnce checks that each product whose stock is low is sent
// at most once, from the warehouse that can spare it, even if the run is killed and
// continued.
func TestBulkChange_SendsTransfersOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadLowStock(t, s, lowProducts)
	a := s.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkTransfer, WarehouseID: "north", Reason: "Restock"}, nil, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	_, planned := bulkRows(t, a, b.ID)
	for id, want := range map[string]string{"p0000": "4", "p0001": "1", "p0002": "0", "p0005": "4", "p0006": "3", "p0008": "1", "p0009": ""} {
		if planned[id].After != want {
			t.Errorf("%s: got the quantity %q in %+v, want %q", id, planned[id].After, planned[id], want)
		}
	}
	if row := planned["p0009"]; row.Outcome != store.BulkSkipped || row.Why != "None of your other warehouses has stock to spare." {
		t.Errorf("got the row %+v, want it skipped", row)
	}
	if got, want := planned["p0000"].Before, "2 on hand, 0 incoming, reorder point 5, 9 to spare in South"; got != want {
		t.Errorf("got the stock %q, want %q", got, want)
	}
	manager := s.As(&store.User{Name: "manager", Role: store.Manager, Warehouses: []string{"north"}})
	if _, shown := bulkRows(t, manager, b.ID); shown["p0000"].SourceID != "" || shown["p0000"].Before != "2 on hand, 0 incoming, reorder point 5" {
		t.Errorf("manager of North: got %+v, want no stock of South", shown["p0000"])
	}
	for _, of := range []store.Access{a, manager} {
		listed, err := of.BulkRows(t.Context(), b, store.BulkToDo, store.Page{Limit: 1})
		again, errAgain := of.BulkRowsFrom(t.Context(), b, 1, 1)
		if err = errors.Join(err, errAgain); err != nil || !reflect.DeepEqual(again, listed.Rows) {
			t.Errorf("form with an error: got the rows %+v, %v; want %+v", again, err, listed.Rows)
		}
	}
	// One product is sold out after the preview.
	if err := a.CountStock(t.Context(), store.StockForm{ProductID: "p0007", WarehouseID: "south", Seen: 1, Reason: "count"}, 1); err != nil {
		t.Fatal(err)
	}
	runInterrupted(t, db, clock, a, b.ID)
	b, rows := bulkRows(t, a, b.ID)
	if b.State != store.BulkDone || b.Failed != 1 || rows["p0007"].Outcome != store.BulkFailed || rows["p0007"].Why != "Only 1 in stock at South." {
		t.Errorf("got %+v and %+v, want one failure", b, rows["p0007"])
	}
	for id, row := range rows {
		north, err := a.StockItem(t.Context(), id, "north")
		if err != nil {
			t.Fatal(err)
		}
		south, err := a.StockItem(t.Context(), id, "south")
		if err != nil {
			t.Fatal(err)
		}
		transfers, err := a.TransfersToStock(t.Context(), id, "north", store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		sent := 0
		for i := range transfers.Rows {
			sent += transfers.Rows[i].InTransit()
		}
		want := ""
		if row.Outcome == store.BulkChanged {
			want = planned[id].After
		}
		if got := fmt.Sprint(sent); len(transfers.Rows) > 1 || got != want && sent > 0 || sent == 0 && want != "" {
			t.Errorf("%s: got %+v, want one transfer of %q", id, transfers.Rows, want)
		}
		if total := north.Quantity + south.Quantity + sent; total != 12 && id != "p0007" || south.Quantity <= south.ReorderPoint && row.Outcome == store.BulkChanged {
			t.Errorf("%s: got %d in the north, %d in the south and %d in transit, want 12 in total", id, north.Quantity, south.Quantity, sent)
		}
	}
}

// TestBulkChange_SparesEachPieceOnce previews transfers of the same products to two
// warehouses. The preview must not offer the same piece to both, even if it is interrupted
// and continued.
func TestBulkChange_SparesEachPieceOnce(t *testing.T) {
	t.Parallel()
	const products = 70
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadProducts(t, s, products)
	var entities []store.Entity
	for i, quantity := range []int{0, 0, 9} {
		id := fmt.Sprint("w", i)
		entities = append(entities, &store.Warehouse{ID: id, Name: id, Version: 1})
		for n := range products {
			entities = append(entities, &store.WarehouseItem{ProductID: fmt.Sprintf("p%04d", n), WarehouseID: id, Quantity: quantity, ReorderPoint: 5, Version: 1})
		}
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	a := s.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkTransfer}, nil, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	hooked := &hookedTable{DB: db, hook: func(n int64) {
		if n == 4 { // interrupt the preview before its end
			kill()
		}
	}}
	if err := runner(t, store.New(hooked, storetest.TableName, clock.Now), jobs.Record{}, nil).RunBulkChange(ctx, b.ID); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.Listed || b.Rows == 0 {
		t.Fatalf("got %+v, %v, want a part of the preview", b, err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.State != store.BulkReady || b.Rows != 2*products {
		t.Fatalf("got %+v, %v, want a preview of %d rows", b, err, 2*products)
	}
	sent, planned := map[string]string{}, 0
	for row, err := range store.Each(func(p store.Page) (store.List[store.BulkRow], error) {
		return a.BulkRows(t.Context(), b, store.BulkToDo, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Outcome == store.BulkToDo {
			planned++
			sent[row.ProductID] += row.After
		}
	}
	for id, quantity := range sent {
		if quantity != "3" {
			t.Errorf("%s: got the quantities %s, want 3 once", id, quantity)
		}
	}
	if planned != products {
		t.Errorf("got %d transfers, want %d", planned, products)
	}
}

// TestBulkChange_CoversOpenOrdersOnce previews expected deliveries of products that are
// low in two warehouses. Open orders need more of these products than there are. Only one
// of the two deliveries may include the pieces for the orders, even if the preview is
// interrupted and continued.
func TestBulkChange_CoversOpenOrdersOnce(t *testing.T) {
	t.Parallel()
	const products = 70
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadProducts(t, s, products)
	entities := []store.Entity{&store.Customer{ID: "c1", Name: "Customer", Version: 1}}
	for _, id := range []string{"w0", "w1"} {
		entities = append(entities, &store.Warehouse{ID: id, Name: id, Version: 1})
	}
	for n := range products {
		product, order := fmt.Sprintf("p%04d", n), fmt.Sprintf("o%04d", n)
		for _, id := range []string{"w0", "w1"} {
			entities = append(entities, &store.WarehouseItem{ProductID: product, WarehouseID: id, Quantity: 1, ReorderPoint: 2, Version: 1})
		}
		entities = append(
			entities,
			&store.Order{ID: order, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
			&store.OrderItem{OrderID: order, ProductID: product, CustomerID: "c1", Date: storetest.Now, Quantity: 10, Version: 1},
		)
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	a := s.As(admin)
	b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkDelivery, Due: due}, nil, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	hooked := &hookedTable{DB: db, hook: func(n int64) {
		if n == 4 { // interrupt the preview before its end
			kill()
		}
	}}
	if err := runner(t, store.New(hooked, storetest.TableName, clock.Now), jobs.Record{}, nil).RunBulkChange(ctx, b.ID); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	if b, err = a.BulkChange(t.Context(), b.ID); err != nil || b.Listed || b.Rows == 0 {
		t.Fatalf("got %+v, %v, want a part of the preview", b, err)
	}
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	planned := map[string][]string{}
	for row, err := range store.Each(func(p store.Page) (store.List[store.BulkRow], error) {
		return a.BulkRows(t.Context(), b, store.BulkToDo, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		planned[row.ProductID] = append(planned[row.ProductID], row.After)
	}
	for id, quantities := range planned {
		// With 2 on hand and 10 ordered, 8 are missing. Only the first row of a product
		// covers these 8. It needs 3 more to exceed its reorder point of 2. The second row
		// has 1 on hand, and needs 2 more to exceed its reorder point.
		if fmt.Sprint(quantities) != "[11 2]" {
			t.Errorf("%s: got the quantities %q, want 11 and 2", id, quantities)
		}
	}
	if len(planned) != products {
		t.Errorf("got %d products, want %d", len(planned), products)
	}
}

// TestBulkChange_OfStockStaysInScope checks that managers can select and see only stock of
// their own warehouses.
func TestBulkChange_OfStockStaysInScope(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	loadLowStock(t, s, 3)
	if err := s.AddUser(t.Context(), store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"north"}}, "a long password", "test"); err != nil {
		t.Fatal(err)
	}
	mia := s.As(&store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"north"}})
	for what, b := range map[string]store.BulkChange{
		"filter": {Kind: store.BulkDelivery, WarehouseID: "south", Due: due},
		"source": {Kind: store.BulkTransfer, SourceID: "south"},
		"sender": {Kind: store.BulkInvoiceReminder},
	} {
		if _, err := mia.AddBulkChange(t.Context(), b, nil, ""); store.KindOf(err) != store.Invalid && store.KindOf(err) != store.Forbidden {
			t.Errorf("%s: got error %v, want Invalid or Forbidden", what, err)
		}
	}
	if _, err := mia.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkDelivery, Due: due}, []string{"p0000#south"}, ""); store.KindOf(err) != store.Invalid {
		t.Errorf("selection: got %v, want Invalid", err)
	}
	b, err := mia.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkTransfer}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if b, rows := bulkRows(t, mia, b.ID); b.Rows != 3 || b.Skipped != 3 || rows["p0000"].SourceID != "" {
		t.Errorf("got %+v and %+v, want no warehouse that can send", b, rows)
	}
	moved := s.As(&store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"south"}})
	if _, err := moved.BulkChange(t.Context(), b.ID); store.KindOf(err) != store.NotFound {
		t.Errorf("got %v for the stock of another warehouse, want NotFound", err)
	}
}
