package storetest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

// checkBusiness returns what a check finds.
func checkBusiness(t *testing.T, s *store.Store, how store.BusinessCheck) (found []store.CheckFinding, result store.CheckResult) {
	t.Helper()
	how.Found = func(f store.CheckFinding) { found = append(found, f) }
	result, err := s.CheckBusiness(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	return found, result
}

// TestCheckBusiness_FindsNothingInTheDemo checks the demo business.
func TestCheckBusiness_FindsNothingInTheDemo(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	if err := demo.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	found, result := checkBusiness(t, s, store.BusinessCheck{})
	for i, f := range found[:min(40, len(found))] {
		t.Errorf("%d: %s: %s (%s / %s)", i, f.Rule, f.Text, f.PK, f.SK)
	}
	if len(found) > 0 || result.Changing > 0 || result.Items < 50_000 {
		t.Errorf("got %d findings in %d items, %+v; want none", len(found), result.Items, result.Findings)
	}
}

// TestCheckBusiness_WhileTheBusinessGoesOn checks a business while orders, shipments,
// payments, stock changes and rentals change it, with pages so small that most of them
// happen between two pages.
func TestCheckBusiness_WhileTheBusinessGoesOn(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		storetest.NewBusiness().Load(t, s)
		ctx, stop := context.WithCancel(t.Context())
		var working sync.WaitGroup
		work := func(what string, once func(a store.Access) error) {
			working.Go(func() {
				for ctx.Err() == nil {
					clock.Advance(time.Second)
					if err := once(s.As(admin)); err != nil && store.KindOf(err) != store.Conflict {
						t.Errorf("%s: %v", what, err)
						return
					}
				}
			})
		}
		for range 2 {
			work("sell", func(a store.Access) error { return sellAndReturn(t.Context(), s, a) })
		}
		work("rent", func(a store.Access) error { return rentAndReturn(t.Context(), s, a) })
		for range 8 {
			found, result := checkBusiness(t, s, store.BusinessCheck{PageSize: 3})
			for _, f := range found {
				t.Errorf("%s: %s (%s / %s)", f.Rule, f.Text, f.PK, f.SK)
			}
			if result.Items == 0 {
				t.Error("nothing was read")
			}
		}
		stop()
		working.Wait()
		if found, result := checkBusiness(t, s, store.BusinessCheck{}); len(found) > 0 || result.Changing > 0 {
			t.Errorf("after the work: got %+v, %+v; want nothing", found, result)
		}
	})
}

// sellAndReturn takes an order through its life.
func sellAndReturn(ctx context.Context, s *store.Store, a store.Access) error {
	basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 2}, {Product: "p2", Quantity: 1}}}
	id, err := a.PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: store.MinorUnits(22_00)}, s.NewToken())
	if err != nil {
		return err
	}
	order := func() *store.OrderDetails {
		d, readErr := a.OrderForChange(ctx, id)
		if readErr != nil {
			err = readErr
			return &store.OrderDetails{Invoices: make([]store.Invoice, 1)}
		}
		return d
	}
	item, err := a.StockItem(ctx, "p1", "w1")
	if err != nil {
		return err
	}
	err = a.ReceiveStock(ctx, store.StockForm{ProductID: "p1", WarehouseID: "w1", Seen: item.Version, Token: s.NewToken(), Reason: "delivery"}, 2)
	if err != nil {
		return err
	}
	i := order().Invoices[0]
	for _, step := range []func() error{
		func() error { return err },
		func() error {
			return a.RecordPayment(ctx, store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Card: store.Payment{Type: "Visa", Amount: i.Amount, Data: "1234"}}, s.NewToken())
		},
		func() error {
			return a.ShipItems(ctx, store.ShipmentRequest{OrderID: id, Version: order().Version, WarehouseID: "w1", Quantities: map[string]int{"p1": 2}}, s.NewToken())
		},
		func() error {
			return a.ReturnItems(ctx, store.ReturnRequest{OrderID: id, Version: order().Version, Quantities: map[string]int{"p1": 1}, WarehouseID: "w1", Why: "broken"}, s.NewToken())
		},
		func() error {
			return a.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: order().Version, Why: "no bulbs"}, s.NewToken())
		},
		func() error {
			i := order().Invoices[0]
			return a.Refund(ctx, store.RefundRequest{InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: store.MinorUnits(12_00), Why: "broken"}, s.NewToken())
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return err
}

// rentAndReturn checks a kayak out and in again.
func rentAndReturn(ctx context.Context, s *store.Store, a store.Access) error {
	today, err := a.Today(ctx)
	if err != nil {
		return err
	}
	if _, err := a.CheckOut(ctx, store.CheckOut{StoreID: "s1", Person: "c1", KayakIDs: []string{"k2"}, Due: today.AddDate(0, 0, 1)}, s.NewToken()); err != nil {
		return err
	}
	quote, err := a.QuoteCheckIn(ctx, "s1", []string{"k2"})
	if err != nil {
		return err
	}
	_, err = a.CheckIn(ctx, "s1", []string{"k2"}, quote.Total, s.NewToken())
	return err
}

// TestCheckBusiness_Resumes stops checks of a damaged business after a few pages
// until one is complete. Its findings are those of a check that was not stopped.
func TestCheckBusiness_Resumes(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop() // its sums do not agree
		shop.Load(t, s)
		want, whole := checkBusiness(t, s, store.BusinessCheck{})
		if len(want) < 100 {
			t.Fatalf("got %d findings, want a damaged business", len(want))
		}
		file := filepath.Join(t.TempDir(), "position")
		runs := 0
		for {
			runs++
			ctx, kill := context.WithCancel(t.Context())
			var got []store.CheckFinding
			pages := 0
			result, err := s.CheckBusiness(ctx, store.BusinessCheck{
				Resume: file, PageSize: 150,
				Progress: func(int) {
					if pages++; pages == 5 {
						kill()
					}
				},
				Found: func(f store.CheckFinding) {
					if got = append(got, f); len(got) == 60 && runs%2 == 0 {
						kill() // while findings are reported
					}
				},
			})
			kill()
			if err == nil {
				if !reflect.DeepEqual(got, want) || result.Items != whole.Items || !reflect.DeepEqual(result.Findings, whole.Findings) {
					t.Errorf("got %d findings, %+v; want %d, %+v", len(got), result, len(want), whole)
				}
				break
			}
			if !errors.Is(err, context.Canceled) || runs > 100 {
				t.Fatal(err)
			}
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
		}
		if runs < 4 {
			t.Errorf("got %d runs, want several", runs)
		}
		if left, err := filepath.Glob(file + "*"); err != nil || len(left) > 0 {
			t.Errorf("got the files %q, %v; want none", left, err)
		}
	})
}
