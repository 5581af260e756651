package storetest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// expecting is a shop in which warehouse w1 has fourteen of product p07 and expects a
// delivery of twenty.
type expecting struct {
	*testing.T
	s     *store.Store
	admin store.Access
	id    string
}

func expect(t *testing.T, test func(*expecting)) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		e := &expecting{T: t, s: s, admin: s.As(admin)}
		e.id = e.add(20, storetest.Day(2026, time.November, 21))
		test(e)
	})
}

func (e *expecting) add(quantity int, due time.Time) (id string) {
	e.Helper()
	id, err := e.admin.AddDelivery(e.Context(), store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Quantity: quantity, Due: due, Supplier: " Acme "}, e.s.NewToken())
	if err != nil {
		e.Fatal(err)
	}
	return id
}

func (e *expecting) stored() *store.ExpectedDelivery {
	e.Helper()
	d, err := e.admin.DeliveryForChange(e.Context(), "p07", "w1", e.id)
	if err != nil {
		e.Fatal(err)
	}
	return d
}

func (e *expecting) form() store.DeliveryForm {
	e.Helper()
	return store.DeliveryForm{ProductID: "p07", WarehouseID: "w1", ID: e.id, Seen: e.stored().Version, Token: e.s.NewToken(), Reason: "r"}
}

// requireLevel checks the quantity of p07 on hand in w1, its incoming quantity, and
// the number of its open deliveries.
func (e *expecting) requireLevel(what string, onHand, incoming, open int) {
	e.Helper()
	level, err := e.admin.StockLevelOf(e.Context(), "p07")
	if err != nil || level.Incoming != incoming {
		e.Errorf("%s: got %d incoming, %v; want %d", what, level.Incoming, err, incoming)
	}
	if item := stockOf(e.T, e.admin, "p07", "w1"); item.Quantity != onHand {
		e.Errorf("%s: got %d on hand, want %d", what, item.Quantity, onHand)
	}
	for name, list := range map[string]func() (store.List[store.ExpectedDelivery], error){
		"of the product": func() (store.List[store.ExpectedDelivery], error) {
			return e.admin.DeliveriesOfProduct(e.Context(), "p07", store.Page{})
		},
		"of the stock": func() (store.List[store.ExpectedDelivery], error) {
			return e.admin.DeliveriesOfStock(e.Context(), "p07", "w1", store.Page{})
		},
		"of the warehouses": func() (store.List[store.ExpectedDelivery], error) {
			return e.admin.ExpectedDeliveries(e.Context(), store.DeliveryFilter{Warehouses: []string{"w0", "w1"}}, store.Page{})
		},
	} {
		if l, err := list(); err != nil || len(l.Rows) != open {
			e.Errorf("%s: got %d deliveries %s, %v; want %d", what, len(l.Rows), name, err, open)
		}
	}
	requireLevels(e.T, e.s)
}

// TestDelivery_Received receives a delivery in two parts, the second of which is
// larger than expected. The stock must increase, and the delivery must end.
func TestDelivery_Received(t *testing.T) {
	expect(t, func(e *expecting) {
		e.requireLevel("expected", 14, 20, 1)
		if d := e.stored(); d.Supplier != "Acme" || d.Name == "" || d.Open() != 20 {
			e.Errorf("got %+v, want the name of the product and a trimmed supplier", d)
		}
		first := e.form()
		for range 2 { // the second submission must change nothing
			if err := e.admin.ReceiveDelivery(e.Context(), first, 12); err != nil {
				e.Fatal(err)
			}
		}
		e.requireLevel("part received", 26, 8, 1)
		if err := e.admin.ReceiveDelivery(e.Context(), e.form(), 9); err != nil {
			e.Fatal(err)
		}
		e.requireLevel("all received", 35, 0, 0)
		if err := e.admin.ReceiveDelivery(e.Context(), e.form(), 1); store.KindOf(err) != store.Conflict {
			e.Errorf("a third receipt: got %v, want Conflict", err)
		}
		if err := e.admin.CancelDelivery(e.Context(), e.form()); store.KindOf(err) != store.Conflict {
			e.Errorf("cancellation of a received delivery: got %v, want Conflict", err)
		}
		moves := ledger(e.T, e.admin, "p07", "w1")
		unbroken(e.T, moves, stockOf(e.T, e.admin, "p07", "w1"))
		if len(moves) != 2 {
			e.Errorf("got %d ledger entries, want 2", len(moves))
		}
	})
}

func TestDelivery_EditedAndCancelled(t *testing.T) {
	expect(t, func(e *expecting) {
		edited := *e.stored()
		edited.Quantity, edited.Due = 25, storetest.Day(2026, time.December, 1)
		token := e.s.NewToken()
		for range 2 {
			if err := e.admin.SaveDelivery(e.Context(), edited, token); err != nil {
				e.Fatal(err)
			}
		}
		e.requireLevel("edited", 14, 25, 1)
		if err := e.admin.SaveDelivery(e.Context(), edited, e.s.NewToken()); store.KindOf(err) != store.Conflict {
			e.Errorf("an edit of an earlier version: got %v, want Conflict", err)
		}
		if err := e.admin.ReceiveDelivery(e.Context(), e.form(), 10); err != nil {
			e.Fatal(err)
		}
		fewer := *e.stored()
		fewer.Quantity = 9
		if err := e.admin.SaveDelivery(e.Context(), fewer, e.s.NewToken()); store.KindOf(err) != store.Invalid {
			e.Errorf("fewer than received: got %v, want Invalid", err)
		}
		cancelled := e.form()
		for range 2 {
			if err := e.admin.CancelDelivery(e.Context(), cancelled); err != nil {
				e.Fatal(err)
			}
		}
		e.requireLevel("cancelled", 24, 0, 0)
		if err := e.admin.SaveDelivery(e.Context(), *e.stored(), e.s.NewToken()); store.KindOf(err) != store.Conflict {
			e.Errorf("an edit of a cancelled delivery: got %v, want Conflict", err)
		}
	})
}

func TestDelivery_Rejected(t *testing.T) {
	expect(t, func(e *expecting) {
		if loaded, err := e.s.Load(e.Context(), []store.Entity{
			&store.Product{ID: "gone", Name: "Gone", Archived: true, Version: 1}, &store.Warehouse{ID: "shut", Name: "Shut", Archived: true, Version: 1},
		}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			e.Fatal(err, loaded.Rejected)
		}
		day := storetest.Day(2026, time.November, 30)
		manager := e.s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2"}})
		for what, tt := range map[string]struct {
			by store.Access
			d  store.ExpectedDelivery
		}{
			"no quantity":        {e.admin, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Due: day}},
			"no day":             {e.admin, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Quantity: 1}},
			"past day":           {e.admin, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Quantity: 1, Due: storetest.Day(2026, time.November, 20)}},
			"no product":         {e.admin, store.ExpectedDelivery{WarehouseID: "w1", Quantity: 1, Due: day}},
			"no warehouse":       {e.admin, store.ExpectedDelivery{ProductID: "p07", Quantity: 1, Due: day}},
			"unknown product":    {e.admin, store.ExpectedDelivery{ProductID: "none", WarehouseID: "w1", Quantity: 1, Due: day}},
			"archived product":   {e.admin, store.ExpectedDelivery{ProductID: "gone", WarehouseID: "w1", Quantity: 1, Due: day}},
			"unknown warehouse":  {e.admin, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "none", Quantity: 1, Due: day}},
			"archived warehouse": {e.admin, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "shut", Quantity: 1, Due: day}},
			"another warehouse":  {manager, store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Quantity: 1, Due: day}},
		} {
			if _, err := tt.by.AddDelivery(e.Context(), tt.d, e.s.NewToken()); store.KindOf(err) != store.Invalid {
				e.Errorf("%s: got %v, want Invalid", what, err)
			}
		}
		for what, change := range map[string]func(context.Context) error{
			"save":    func(ctx context.Context) error { return manager.SaveDelivery(ctx, *e.stored(), e.s.NewToken()) },
			"receive": func(ctx context.Context) error { return manager.ReceiveDelivery(ctx, e.form(), 1) },
			"cancel":  func(ctx context.Context) error { return manager.CancelDelivery(ctx, e.form()) },
		} {
			if err := change(e.Context()); store.KindOf(err) != store.NotFound {
				e.Errorf("%s by the manager of another warehouse: got %v, want NotFound", what, err)
			}
		}
		if l, err := manager.DeliveriesOfProduct(e.Context(), "p07", store.Page{}); err != nil || len(l.Rows) != 0 {
			e.Errorf("manager of another warehouse: got %d deliveries, %v; want none", len(l.Rows), err)
		}
		e.requireLevel("rejected changes", 14, 20, 1)
	})
}

// TestDelivery_AddedTwiceByOneForm checks that a form adds only one delivery, even if it is
// submitted again for another warehouse.
func TestDelivery_AddedTwiceByOneForm(t *testing.T) {
	expect(t, func(e *expecting) {
		d := store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w1", Quantity: 3, Due: storetest.Day(2026, time.November, 21)}
		token := e.s.NewToken()
		first, err := e.admin.AddDelivery(e.Context(), d, token+".a")
		if err != nil {
			e.Fatal(err)
		}
		if again, err := e.admin.AddDelivery(e.Context(), d, token+".a"); err != nil || again != first {
			e.Errorf("the same values again: got %s, %v; want %s", again, err, first)
		}
		d.WarehouseID = "w2"
		if _, err := e.admin.AddDelivery(e.Context(), d, token+".b"); store.KindOf(err) != store.Conflict {
			e.Errorf("another warehouse: got %v, want Conflict", err)
		}
		e.requireLevel("added once", 14, 23, 2)
	})
}

// TestDelivery_ReceivedOnceByTwoForms submits two forms that receive the same delivery at
// once. One of them must get a conflict.
func TestDelivery_ReceivedOnceByTwoForms(t *testing.T) {
	expect(t, func(e *expecting) {
		forms := []store.DeliveryForm{e.form(), e.form()}
		errs := make([]error, len(forms))
		var both sync.WaitGroup
		for i := range forms {
			both.Go(func() { errs[i] = e.admin.ReceiveDelivery(e.Context(), forms[i], 20) })
		}
		both.Wait()
		kinds := fmt.Sprint(store.KindOf(errs[0]), store.KindOf(errs[1]))
		if (errs[0] == nil) == (errs[1] == nil) || !strings.Contains(kinds, fmt.Sprint(store.Conflict)) {
			e.Errorf("got %v and %v, want one Conflict", errs[0], errs[1])
		}
		e.requireLevel("received once", 34, 0, 0)
	})
}

// TestDeliveries_AreListedByDay checks that the deliveries of two warehouses are listed by
// warehouse and day, also with a filter for those due until a day.
func TestDeliveries_AreListedByDay(t *testing.T) {
	expect(t, func(e *expecting) {
		for _, day := range []int{25, 22, 24} {
			e.add(day, storetest.Day(2026, time.November, day))
		}
		if _, err := e.admin.AddDelivery(e.Context(), store.ExpectedDelivery{ProductID: "p01", WarehouseID: "w0", Quantity: 30, Due: storetest.Day(2026, time.November, 30)}, e.s.NewToken()); err != nil {
			e.Fatal(err)
		}
		quantities := func(f store.DeliveryFilter, limit int) string {
			var all []string
			page := store.Page{Limit: limit}
			for {
				l, err := e.admin.ExpectedDeliveries(e.Context(), f, page)
				if err != nil {
					e.Fatal(err)
				}
				for i := range l.Rows {
					all = append(all, fmt.Sprint(l.Rows[i].WarehouseID, " ", l.Rows[i].Quantity))
				}
				if page.At = l.Next; page.At == nil {
					return strings.Join(all, ", ")
				}
			}
		}
		both := []string{"w0", "w1"}
		if got, want := quantities(store.DeliveryFilter{Warehouses: both}, 2), "w0 30, w1 20, w1 22, w1 24, w1 25"; got != want {
			e.Errorf("got %s, want %s", got, want)
		}
		if got, want := quantities(store.DeliveryFilter{Warehouses: both, Until: storetest.Day(2026, time.November, 22)}, 0), "w1 20, w1 22"; got != want {
			e.Errorf("until 22 November: got %s, want %s", got, want)
		}
	})
}
