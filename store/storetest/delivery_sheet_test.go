package storetest_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestDeliverySheet_Received receives two lines of one product, one of them expected,
// and a product that was never in the warehouse. Submitting the form again must
// change nothing.
func TestDeliverySheet_Received(t *testing.T) {
	expect(t, func(e *expecting) {
		sheet := store.DeliverySheet{WarehouseID: "w1", Reason: "note 12", Token: e.s.NewToken(), Lines: []store.SheetLine{
			{ProductID: "p07", Quantity: 15, DeliveryID: e.id, Seen: e.stored().Version, Bin: " B-2 "},
			{ProductID: "p07", Quantity: 2},
			{ProductID: "p02", Quantity: 4, Bin: "C-1"},
			{ProductID: "p01", Bin: "skipped"},
		}}
		for range 2 {
			if err := e.admin.ReceiveSheet(e.Context(), sheet); err != nil {
				e.Fatal(err)
			}
		}
		e.requireLevel("sheet received", 31, 5, 1)
		if item := stockOf(e.T, e.admin, "p07", "w1"); item.Bin != "B-2" {
			e.Errorf("got the bin %q, want B-2", item.Bin)
		}
		added := stockOf(e.T, e.admin, "p02", "w1")
		if added.Quantity != 4 || added.Bin != "C-1" || added.Name != "c-product 2" {
			e.Errorf("got %+v, want 4 with the name of the product", added)
		}
		moves := ledger(e.T, e.admin, "p07", "w1")
		if len(moves) != 2 || moves[0].Delta != 15 || moves[0].DeliveryID != e.id || moves[0].Reason != "note 12" || moves[1].Delta != 2 || moves[1].DeliveryID != "" {
			e.Errorf("got the ledger %+v, want one entry for each line, and the expected delivery of 15", moves)
		}
		// Without a bin in the line, the product keeps its bin.
		again := store.DeliverySheet{WarehouseID: "w1", Reason: "r", Token: e.s.NewToken(), Lines: []store.SheetLine{{ProductID: "p07", Quantity: 1}}}
		if err := e.admin.ReceiveSheet(e.Context(), again); err != nil || stockOf(e.T, e.admin, "p07", "w1").Bin != "B-2" {
			e.Errorf("a line without a bin: got %v, bin %q, want no error and bin B-2", err, stockOf(e.T, e.admin, "p07", "w1").Bin)
		}
	})
}

// TestDeliverySheet_SubmittedTwice submits a sheet without expected deliveries three
// times at once, and then again. It must be received once.
func TestDeliverySheet_SubmittedTwice(t *testing.T) {
	expect(t, func(e *expecting) {
		token := e.s.NewToken()
		receive := func() error {
			return e.admin.ReceiveSheet(e.Context(), store.DeliverySheet{WarehouseID: "w1", Reason: "r", Token: token, Lines: []store.SheetLine{{ProductID: "p07", Quantity: 3}}})
		}
		errs := make([]error, 3)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = receive() })
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			e.Error(err)
		}
		if err := receive(); err != nil {
			e.Error(err)
		}
		e.requireLevel("submitted four times", 17, 20, 1)
	})
}

// TestDeliverySheet_Largest checks that the largest delivery sheet fits into one
// transaction: the maximum number of lines, all expected and new in the warehouse,
// each with a bin.
func TestDeliverySheet_Largest(t *testing.T) {
	expect(t, func(e *expecting) {
		entities := []store.Entity{&store.Warehouse{ID: "new", Name: "New", Version: 1}}
		sheet := store.DeliverySheet{WarehouseID: "new", Reason: "r", Token: e.s.NewToken()}
		for n := range store.MaxSheetLines {
			product, id := fmt.Sprintf("p%02d", n), fmt.Sprintf("d%02d", n)
			entities = append(entities, &store.ExpectedDelivery{ID: id, ProductID: product, WarehouseID: "new", Due: storetest.Now, Quantity: 1, Version: 1})
			sheet.Lines = append(sheet.Lines, store.SheetLine{ProductID: product, Quantity: 1, Bin: "A-1", DeliveryID: id, Seen: 1})
		}
		if loaded, err := e.s.Load(e.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			e.Fatal(err, loaded.Rejected)
		}
		if err := e.admin.ReceiveSheet(e.Context(), sheet); err != nil {
			e.Fatal(err)
		}
		requireLevels(e.T, e.s)
		sheet.Lines = append(sheet.Lines, store.SheetLine{ProductID: "p29", Quantity: 1})
		if err := e.admin.ReceiveSheet(e.Context(), sheet); store.KindOf(err) != store.Invalid {
			e.Errorf("one line more: got %v, want Invalid", err)
		}
	})
}

func TestDeliverySheet_Rejected(t *testing.T) {
	expect(t, func(e *expecting) {
		if loaded, err := e.s.Load(e.Context(), []store.Entity{&store.Product{ID: "gone", Name: "Gone", Archived: true, Version: 1}}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			e.Fatal(err, loaded.Rejected)
		}
		valid := store.SheetLine{ProductID: "p08", Quantity: 1}
		version := e.stored().Version
		for what, tt := range map[string]struct {
			line  store.SheetLine
			kind  store.Kind
			field string
		}{
			"negative quantity":  {store.SheetLine{ProductID: "p07", Quantity: -1}, store.Invalid, "quantity-2"},
			"unknown product":    {store.SheetLine{ProductID: "none", Quantity: 1}, store.Invalid, "quantity-2"},
			"archived product":   {store.SheetLine{ProductID: "gone", Quantity: 1}, store.Invalid, "quantity-2"},
			"invalid ID":         {store.SheetLine{ProductID: "a#b", Quantity: 1}, store.Invalid, "quantity-2"},
			"long bin":           {store.SheetLine{ProductID: "p07", Quantity: 1, Bin: fmt.Sprintf("%041d", 1)}, store.Invalid, "bin-2"},
			"bin of two lines":   {store.SheetLine{ProductID: "p08", Quantity: 1, Bin: "other"}, store.Invalid, "bin-2"},
			"too much":           {store.SheetLine{ProductID: "p07", Quantity: 9_999_999}, store.Invalid, "quantity-2"},
			"outdated delivery":  {store.SheetLine{ProductID: "p07", Quantity: 1, DeliveryID: e.id, Seen: version + 1}, store.Conflict, ""},
			"unknown delivery":   {store.SheetLine{ProductID: "p07", Quantity: 1, DeliveryID: "none", Seen: 1}, store.Conflict, ""},
			"another's delivery": {store.SheetLine{ProductID: "p01", Quantity: 1, DeliveryID: e.id, Seen: version}, store.Conflict, ""},
		} {
			first := valid
			first.Bin = "A-1"
			sheet := store.DeliverySheet{WarehouseID: "w1", Reason: "r", Token: e.s.NewToken(), Lines: []store.SheetLine{first, tt.line}}
			err := e.admin.ReceiveSheet(e.Context(), sheet)
			if rejected := fieldOf(err); store.KindOf(err) != tt.kind || tt.field != rejected {
				e.Errorf("%s: got %v at %q, want %v at %q", what, err, rejected, tt.kind, tt.field)
			}
		}
		if err := e.admin.ReceiveSheet(e.Context(), store.DeliverySheet{WarehouseID: "w1", Reason: "r"}); store.KindOf(err) != store.Invalid {
			e.Errorf("no lines: got %v, want Invalid", err)
		}
		manager := e.s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2"}})
		if err := manager.ReceiveSheet(e.Context(), store.DeliverySheet{WarehouseID: "w1", Reason: "r", Lines: []store.SheetLine{valid}}); store.KindOf(err) != store.NotFound {
			e.Errorf("another warehouse: got %v, want NotFound", err)
		}
		e.requireLevel("rejected sheets", 14, 20, 1)
	})
}

// TestDeliverySheet_TwoAtOnce submits two sheets at once. Both receive the same two
// deliveries and another product. One sheet must get a conflict, and none of its lines
// may be received.
func TestDeliverySheet_TwoAtOnce(t *testing.T) {
	expect(t, func(e *expecting) {
		second := e.add(7, storetest.Day(2026, time.November, 24))
		version := e.stored().Version
		sheets := make([]store.DeliverySheet, 2)
		for i := range sheets {
			sheets[i] = store.DeliverySheet{WarehouseID: "w1", Reason: "r", Token: e.s.NewToken(), Lines: []store.SheetLine{
				{ProductID: "p07", Quantity: 20, DeliveryID: e.id, Seen: version}, {ProductID: "p08", Quantity: 1}, {ProductID: "p07", Quantity: 7, DeliveryID: second, Seen: 1},
			}}
		}
		errs := make([]error, len(sheets))
		var both sync.WaitGroup
		for i := range sheets {
			both.Go(func() { errs[i] = e.admin.ReceiveSheet(e.Context(), sheets[i]) })
		}
		both.Wait()
		failed := slices.IndexFunc(errs, func(err error) bool { return err != nil })
		if failed < 0 || errs[1-failed] != nil || store.KindOf(errs[failed]) != store.Conflict {
			e.Errorf("got %v and %v, want one Conflict", errs[0], errs[1])
		}
		e.requireLevel("received once", 41, 0, 0)
		if item := stockOf(e.T, e.admin, "p08", "w1"); item.Quantity != 1 {
			e.Errorf("got %d of p08, want 1", item.Quantity)
		}
	})
}

func fieldOf(err error) string {
	var rejected *store.Error
	if errors.As(err, &rejected) {
		return rejected.Field
	}
	return ""
}
