package storetest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// counting is a fixture for tests of count sheets. Its warehouse "depot" has ten pieces
// each of the products q0001, q0002 and so on.
type counting struct {
	*testing.T
	s        *store.Store
	kim, lee store.Access
	clock    *storetest.Clock
}

func countStock(t *testing.T, products int, test func(*counting)) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		entities := []store.Entity{&store.Warehouse{ID: "depot", Name: "Depot", Version: 1}, &store.Warehouse{ID: "w2", Name: "Other", Version: 1}}
		for n := 1; n <= products; n++ {
			id := fmt.Sprintf("q%04d", n)
			entities = append(entities,
				&store.Product{ID: id, Name: "Product " + id, SKU: "S-" + id, Price: store.MinorUnits(int64(100 * n)), Version: 1},
				&store.WarehouseItem{ProductID: id, WarehouseID: "depot", Name: "Product " + id, Quantity: 10, Bin: fmt.Sprintf("%c-%04d", 'A'+(n-1)*5/products, n), Version: 1})
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		manager := func(name string) store.Access {
			return s.As(&store.User{Name: name, Role: store.Manager, Warehouses: []string{"depot"}})
		}
		test(&counting{T: t, s: s, kim: manager("kim"), lee: manager("lee"), clock: clock})
	})
}

func (f *counting) start(n store.Count) *store.Count {
	f.Helper()
	n.WarehouseID = "depot"
	id, err := f.kim.StartCount(f.Context(), n, f.s.NewToken())
	if err != nil {
		f.Fatal(err)
	}
	started, err := f.kim.Count(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	return started
}

func (f *counting) row(n *store.Count, number int) store.SheetRow {
	f.Helper()
	rows, err := f.kim.CountSheet(f.Context(), n, (number-1)/store.CountPage+1)
	if err != nil || len(rows) <= (number-1)%store.CountPage {
		f.Fatalf("got %d rows, %v; want row %d", len(rows), err, number)
	}
	return rows[(number-1)%store.CountPage]
}

// entry returns the number that a user enters in a row that the sheet has just shown.
func (f *counting) entry(n *store.Count, number, quantity int) store.CountEntry {
	f.Helper()
	row := f.row(n, number)
	return store.CountEntry{Number: number, Entered: true, Quantity: quantity, Base: row.Version, Seen: row.StockVersion}
}

func (f *counting) enter(by store.Access, n *store.Count, entries ...store.CountEntry) {
	f.Helper()
	for range 2 { // the second submission must change nothing
		if _, err := by.EnterCount(f.Context(), n.ID, entries); err != nil {
			f.Fatal(err)
		}
	}
}

// states returns the state of each row of a count, by row number.
func (f *counting) states(n *store.Count) map[int]store.CountState {
	f.Helper()
	results, err := f.kim.ReviewCount(f.Context(), n)
	if err != nil {
		f.Fatal(err)
	}
	states := map[int]store.CountState{}
	for i := range results {
		states[results[i].Number] = results[i].State
	}
	return states
}

func (f *counting) correction(n *store.Count, number int) store.CountCorrection {
	f.Helper()
	return store.CountCorrection{Number: number, Version: f.row(n, number).Version, Reason: "Lost"}
}

func (f *counting) quantity(number int) int {
	f.Helper()
	return stockOf(f.T, f.kim, fmt.Sprintf("q%04d", number), "depot").Quantity
}

// TestCount_Applied checks that a count changes the stock of counted products, but not of
// a product whose stock changed during the count. It also clears numbers, enters numbers
// in applied rows, starts a count of the products that were not counted today, and closes
// the count.
func TestCount_Applied(t *testing.T) {
	countStock(t, 10, func(f *counting) {
		n := f.start(store.Count{})
		if n.Rows != 10 || f.row(n, 1).ProductID != "q0001" || f.row(n, 10).SKU != "S-q0010" {
			f.Fatalf("got %d rows, first %+v; want 10 in the order of bins", n.Rows, f.row(n, 1))
		}
		moved := f.entry(n, 3, 7)
		item := stockOf(f.T, f.kim, "q0003", "depot")
		if err := f.kim.AdjustStock(f.Context(), formFor(f.s, item), -1); err != nil {
			f.Fatal(err)
		}
		f.enter(f.kim, n, f.entry(n, 1, 10), f.entry(n, 2, 7), moved)
		got := f.states(n)
		if got[1] != store.CountMatches || got[2] != store.CountDiffers || got[3] != store.CountMoved || got[4] != store.CountEmpty {
			f.Fatalf("got the states %v, want matches, differs, moved and empty", got)
		}
		all := []store.CountCorrection{f.correction(n, 1), f.correction(n, 2), f.correction(n, 3), f.correction(n, 4)}
		if _, _, err := f.kim.ApplyCount(f.Context(), n.ID, []store.CountCorrection{{Number: 2, Version: all[1].Version}}); store.KindOf(err) != store.Invalid || fieldOf(err) != "reason-2" {
			f.Errorf("no reason: got %v, want Invalid at reason-2", err)
		}
		applied, left, err := f.kim.ApplyCount(f.Context(), n.ID, all)
		slices.Sort(left)
		if err != nil || applied != 2 || fmt.Sprint(left) != "[3 4]" {
			f.Errorf("got %d applied, %v left out, %v; want 2 and rows 3 and 4", applied, left, err)
		}
		if applied, left, err := f.kim.ApplyCount(f.Context(), n.ID, all[:2]); err != nil || applied != 0 || len(left) != 0 {
			f.Errorf("applied again: got %d, %v, %v; want nothing", applied, left, err)
		}
		if f.quantity(1) != 10 || f.quantity(2) != 7 || f.quantity(3) != 9 {
			f.Errorf("got %d, %d and %d in stock; want 10, 7 and 9", f.quantity(1), f.quantity(2), f.quantity(3))
		}
		moves := ledger(f.T, f.kim, "q0002", "depot")
		if len(moves) != 1 || moves[0].Delta != -3 || moves[0].Reason != "Count: Lost" || moves[0].By != "kim" {
			f.Errorf("got the ledger %+v, want the difference with its reason", moves)
		}
		requireLevels(f.T, f.s)
		toClear := []store.CountCorrection{f.correction(n, 1), f.correction(n, 2), f.correction(n, 3)}
		f.enter(f.kim, n, f.entry(n, 3, 8))
		if cleared, err := f.kim.ClearCount(f.Context(), n.ID, toClear); err != nil || cleared != 0 {
			f.Errorf("clear applied rows and a row with a newer number: got %d, %v; want 0", cleared, err)
		}
		if got := f.row(n, 3); got.Quantity != 8 {
			f.Errorf("newer number: got %d, want 8", got.Quantity)
		}
		if cleared, err := f.kim.ClearCount(f.Context(), n.ID, []store.CountCorrection{f.correction(n, 2), f.correction(n, 3)}); err != nil || cleared != 1 {
			f.Errorf("clear: got %d, %v; want 1", cleared, err)
		}
		if got := f.states(n); got[2] != store.CountApplied || got[3] != store.CountEmpty {
			f.Errorf("after clearing: got %s and %s, want applied and empty", got[2], got[3])
		}
		if applied, err := f.kim.EnterCount(f.Context(), n.ID, []store.CountEntry{f.entry(n, 2, 1), f.entry(n, 5, 9)}); err != nil || fmt.Sprint(applied) != "[2]" || f.row(n, 5).Quantity != 9 {
			f.Errorf("entries in an applied row and another: got %v, %v, %d; want row 2 reported and 9 saved", applied, err, f.row(n, 5).Quantity)
		}
		rest := f.start(store.Count{NotSince: 1})
		if rest.Rows != 8 || f.row(rest, 1).ProductID != "q0003" {
			f.Errorf("not counted today: got %d rows, want the 8 others", rest.Rows)
		}
		token := f.s.NewToken()
		for range 2 {
			if err := f.kim.CloseCount(f.Context(), n.ID, n.Version, token); err != nil {
				f.Error(err)
			}
		}
		if _, err := f.kim.EnterCount(f.Context(), n.ID, []store.CountEntry{f.entry(n, 5, 1)}); store.KindOf(err) != store.Conflict {
			f.Errorf("entry in a closed count: got %v, want Conflict", err)
		}
	})
}

// TestCount_Disputed checks that a row is disputed if two users enter different numbers,
// and how the dispute ends.
func TestCount_Disputed(t *testing.T) {
	countStock(t, 5, func(f *counting) {
		n := f.start(store.Count{})
		same, kim, lee := f.entry(n, 1, 4), f.entry(n, 2, 5), f.entry(n, 2, 7)
		f.enter(f.kim, n, same, kim)
		f.enter(f.lee, n, same, lee)
		row := f.row(n, 2)
		if !row.Disputed || row.Quantity != 7 || row.By != "lee" || row.Other != 5 || row.OtherBy != "kim" || f.row(n, 1).Disputed {
			f.Fatalf("got %+v, want 7 by lee and 5 by kim, and no dispute about equal numbers", row)
		}
		applied, left, err := f.kim.ApplyCount(f.Context(), n.ID, []store.CountCorrection{f.correction(n, 2)})
		if err != nil || applied != 0 || len(left) != 1 {
			f.Errorf("got %d applied, %v, %v; want the disputed row left out", applied, left, err)
		}
		f.enter(f.kim, n, f.entry(n, 2, 7))
		if row := f.row(n, 2); row.Disputed || row.Quantity != 7 || f.states(n)[2] != store.CountDiffers {
			f.Errorf("got %+v, want the dispute ended", row)
		}
		kim, empty := f.entry(n, 3, 5), f.entry(n, 3, 0)
		empty.Entered = false
		f.enter(f.kim, n, kim)
		f.enter(f.lee, n, empty)
		if row, state := f.row(n, 3), f.states(n)[3]; state != store.CountDisputed || row.Other != 5 {
			f.Errorf("box emptied after another person counted: got %+v, %s; want the dispute with 5", row, state)
		}
		// A user who has seen the other number can correct it without a dispute.
		f.enter(f.lee, n, f.entry(n, 2, 8))
		if row := f.row(n, 2); row.Disputed || row.Quantity != 8 {
			f.Errorf("got %+v, want 8", row)
		}
	})
}

func TestCount_Scanned(t *testing.T) {
	countStock(t, 5, func(f *counting) {
		n := f.start(store.Count{})
		for range 2 {
			token := f.s.NewToken()
			for range 2 { // the second submission must add nothing
				if _, err := f.kim.ScanCount(f.Context(), n.ID, "q0003", token); err != nil {
					f.Fatal(err)
				}
			}
		}
		if row := f.row(n, 3); row.Quantity != 2 || !row.Entered || row.Seen != row.StockVersion {
			f.Errorf("got %+v, want 2", row)
		}
		if _, err := f.kim.ScanCount(f.Context(), n.ID, "none", f.s.NewToken()); store.KindOf(err) != store.Invalid || fieldOf(err) != "scan" {
			f.Errorf("another product: got %v, want Invalid at scan", err)
		}
		item := stockOf(f.T, f.kim, "q0003", "depot")
		if err := f.kim.AdjustStock(f.Context(), formFor(f.s, item), -1); err != nil {
			f.Fatal(err)
		}
		if _, err := f.kim.ScanCount(f.Context(), n.ID, "q0003", f.s.NewToken()); err != nil {
			f.Fatal(err)
		}
		if got := f.states(n)[3]; got != store.CountMoved {
			f.Errorf("scanned before and after the stock moved: got state %s, want moved", got)
		}
		f.enter(f.kim, n, f.entry(n, 4, 9_999_999))
		if _, err := f.kim.ScanCount(f.Context(), n.ID, "q0004", f.s.NewToken()); store.KindOf(err) != store.Invalid || fieldOf(err) != "scan" {
			f.Errorf("one piece more than the maximum: got %v, want Invalid at scan", err)
		}
	})
}

func TestCount_Started(t *testing.T) {
	countStock(t, 10, func(f *counting) {
		for what, tt := range map[string]struct {
			count store.Count
			want  string
		}{
			"all":     {store.Count{}, "q0001 q0002 q0003 q0004 q0005 q0006 q0007 q0008 q0009 q0010"},
			"range":   {store.Count{FromBin: " b", ToBin: "C "}, "q0003 q0004 q0005 q0006"},
			"from":    {store.Count{FromBin: "E"}, "q0009 q0010"},
			"up to":   {store.Count{ToBin: "a-0001"}, "q0001"},
			"not for": {store.Count{FromBin: "E", NotSince: 90}, "q0009 q0010"},
		} {
			n := f.start(tt.count)
			var got []string
			rows, err := f.kim.CountSheet(f.Context(), n, 1)
			for _, row := range rows {
				got = append(got, row.ProductID)
			}
			if err != nil || strings.Join(got, " ") != tt.want {
				f.Errorf("%s: got %v, %v; want %s", what, got, err, tt.want)
			}
		}
		token := f.s.NewToken()
		var ids []string
		for range 2 {
			id, err := f.kim.StartCount(f.Context(), store.Count{WarehouseID: "depot"}, token)
			if err != nil {
				f.Fatal(err)
			}
			ids = append(ids, id)
		}
		l, err := f.kim.Counts(f.Context(), []string{"depot"}, store.Page{})
		if err != nil || len(l.Rows) != 6 || ids[0] != ids[1] {
			f.Errorf("got %d counts, %v, IDs %v; want 6, one of the form that was submitted twice", len(l.Rows), err, ids)
		}
		if _, err := f.kim.StartCount(f.Context(), store.Count{WarehouseID: "depot", FromBin: "E", ToBin: "B"}, f.s.NewToken()); store.KindOf(err) != store.Invalid || fieldOf(err) != "to-bin" {
			f.Errorf("range in reverse: got %v, want Invalid at to-bin", err)
		}
		for field, n := range map[string]store.Count{
			"warehouse": {WarehouseID: "w2"}, "from-bin": {WarehouseID: "depot", FromBin: "Z"}, "to-bin": {WarehouseID: "depot", ToBin: strings.Repeat("x", 41)}, "days": {WarehouseID: "depot", NotSince: -1},
		} {
			if _, err := f.kim.StartCount(f.Context(), n, f.s.NewToken()); store.KindOf(err) != store.Invalid || fieldOf(err) != field {
				f.Errorf("%s: got %v at %q, want Invalid", field, err, fieldOf(err))
			}
		}
		other := f.s.As(&store.User{Name: "o", Role: store.Manager, Warehouses: []string{"w2"}})
		if _, err := other.Count(f.Context(), ids[0]); store.KindOf(err) != store.NotFound {
			f.Errorf("manager of another warehouse: got %v, want NotFound", err)
		}
	})
}

// TestCount_StockWithoutBin checks that a count includes stock without a bin, although
// the index by bin does not. Only a count that begins at a bin must omit it.
func TestCount_StockWithoutBin(t *testing.T) {
	countStock(t, 4, func(f *counting) {
		for _, product := range []string{"q0003", "q0002"} {
			item := stockOf(f.T, f.kim, product, "depot")
			form := formFor(f.s, item)
			if err := f.kim.SetReorderPoint(f.Context(), form, item.ReorderPoint, ""); err != nil {
				f.Fatal(err)
			}
		}
		for what, tt := range map[string]struct {
			count store.Count
			want  string
		}{
			"all":   {store.Count{}, "q0002 q0003 q0001 q0004"},
			"up to": {store.Count{ToBin: "a"}, "q0002 q0003 q0001"},
			"from":  {store.Count{FromBin: "a"}, "q0001 q0004"},
		} {
			n := f.start(tt.count)
			var got []string
			rows, err := f.kim.CountSheet(f.Context(), n, 1)
			for _, row := range rows {
				got = append(got, row.ProductID)
			}
			if err != nil || strings.Join(got, " ") != tt.want {
				f.Errorf("%s: got %v, %v; want %s", what, got, err, tt.want)
			}
		}
	})
}

func TestCount_TooManyProducts(t *testing.T) {
	countStock(t, store.MaxCountRows+1, func(f *counting) {
		for from, want := range map[string]string{"": "Enter the bin to begin with.", "a": "Choose fewer bins."} {
			_, err := f.kim.StartCount(f.Context(), store.Count{WarehouseID: "depot", FromBin: from}, f.s.NewToken())
			if store.KindOf(err) != store.Invalid || fieldOf(err) != "from-bin" || !strings.Contains(err.Error(), want) {
				f.Errorf("first bin %q: got %v, want %q", from, err, want)
			}
		}
	})
}

// TestCount_TooManyToSearch starts counts in a warehouse with more products than StartCount
// reads, of which only one matches. The message must not say that too many match.
func TestCount_TooManyToSearch(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	entities := []store.Entity{&store.Warehouse{ID: "depot", Name: "Depot", Version: 1}}
	for n := range 20_000 + 2*store.MaxLimit {
		entities = append(entities, &store.WarehouseItem{ProductID: fmt.Sprintf("q%05d", n), WarehouseID: "depot", Bin: "A", Counted: storetest.Now, Version: 1})
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	for from, want := range map[string]string{
		"":  "There are more than 20,000 products to search. Enter the bin to begin with.",
		"a": "There are more than 20,000 products in these bins. Choose fewer bins.",
	} {
		_, err := s.As(admin).StartCount(t.Context(), store.Count{WarehouseID: "depot", FromBin: from, NotSince: 90}, s.NewToken())
		if fieldOf(err) != "from-bin" || err.Error() != want {
			t.Errorf("first bin %q: got %v, want %q", from, err, want)
		}
	}
}

// TestCount_500RowsByTwo makes two users count 500 products at once, while the stock of
// some products changes. No number may get lost. The counted numbers of the products with
// other changes must not be applied.
func TestCount_500RowsByTwo(t *testing.T) {
	countStock(t, 500, func(f *counting) {
		n := f.start(store.Count{})
		var all sync.WaitGroup
		for who, by := range []store.Access{f.kim, f.lee} {
			all.Go(func() {
				for page := 1; page <= n.Pages(); page++ {
					rows, err := by.CountSheet(f.Context(), n, page)
					if err != nil {
						f.Error(err)
					}
					var entries []store.CountEntry
					for _, row := range rows {
						if row.Number%2 == who {
							entries = append(entries, store.CountEntry{Number: row.Number, Entered: true, Quantity: row.Number % 20, Base: row.Version, Seen: row.StockVersion})
						}
					}
					if page%3 == 0 { // change the stock between the display of the sheet and the save
						item := stockOf(f.T, by, fmt.Sprintf("q%04d", entries[0].Number), "depot")
						if err := by.AdjustStock(f.Context(), formFor(f.s, item), -2); err != nil {
							f.Error(err)
						}
					}
					if _, err := by.EnterCount(f.Context(), n.ID, entries); err != nil {
						f.Error(err)
					}
				}
			})
		}
		all.Wait()
		results, err := f.kim.ReviewCount(f.Context(), n)
		if err != nil || len(results) != 500 {
			f.Fatalf("got %d rows, %v; want 500", len(results), err)
		}
		var corrections []store.CountCorrection
		moved := 0
		for _, row := range results {
			if !row.Entered || row.Quantity != row.Number%20 || row.Disputed {
				f.Errorf("row %d: got %+v, want its number", row.Number, row.CountRow)
			}
			if row.State == store.CountMoved {
				moved++
			}
			corrections = append(corrections, store.CountCorrection{Number: row.Number, Version: row.Version, Reason: "Found"})
		}
		applied, left, err := f.kim.ApplyCount(f.Context(), n.ID, corrections)
		if err != nil || moved != 6 || applied != 494 || len(left) != 6 {
			f.Errorf("got %d moved, %d applied, %d left out, %v; want 6, 494 and 6", moved, applied, len(left), err)
		}
		for number := 1; number <= 500; number++ {
			want := number % 20
			if slices.Contains(left, number) {
				want = 8
			}
			if got := f.quantity(number); got != want {
				f.Errorf("q%04d: got %d, want %d", number, got, want)
			}
		}
		requireLevels(f.T, f.s)
	})
}

// TestCount_MatchingRowIsRecorded adjusts the stock of a product, counts the same quantity,
// and applies the count. The ledger entry must lead to an event that can be undone. The
// adjustment can be undone only after the count is undone.
func TestCount_MatchingRowIsRecorded(t *testing.T) {
	countStock(t, 2, func(f *counting) {
		u := &undoTest{T: f.T, store: f.s, access: f.kim}
		if err := f.kim.AdjustStock(f.Context(), formFor(f.s, stockOf(f.T, f.kim, "q0001", "depot")), -1); err != nil {
			f.Fatal(err)
		}
		adjusted := u.newest()
		n := f.start(store.Count{})
		f.enter(f.kim, n, f.entry(n, 1, 9))
		if applied, left, err := f.kim.ApplyCount(f.Context(), n.ID, []store.CountCorrection{{Number: 1, Version: f.row(n, 1).Version}}); err != nil || applied != 1 || len(left) > 0 {
			f.Fatalf("got %d applied, %v left out, %v; want 1", applied, left, err)
		}
		moves := ledger(f.T, f.kim, "q0001", "depot")
		last := moves[len(moves)-1]
		counted, err := f.kim.PlanUndo(f.Context(), adjusted.Partition, last.EventID)
		if err != nil || counted.Refusal != "" || counted.Event.What != store.EventStockCounted {
			f.Fatalf("undo of the ledger entry %+v: got %+v, %v; want a count that can be undone", last, counted, err)
		}
		if plan, err := f.kim.PlanUndo(f.Context(), adjusted.Partition, adjusted.ID); err != nil || plan.Refusal == "" {
			f.Errorf("undo of the adjustment: got %+v, %v; want a refusal because of the later count", plan, err)
		}
		if err := u.undo(&counted.Event); err != nil {
			f.Fatal(err)
		}
		if item := stockOf(f.T, f.kim, "q0001", "depot"); item.Quantity != 9 || !item.Counted.IsZero() {
			f.Errorf("after the undo of the count: got %+v, want 9 pieces that were never counted", item)
		}
		if err := u.undo(adjusted); err != nil {
			f.Errorf("undo of the adjustment after that of the count: got %v, want no error", err)
		}
		requireLevels(f.T, f.s)
	})
}
