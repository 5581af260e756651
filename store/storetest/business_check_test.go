package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

// atOnce replaces BusinessCheck.Wait in tests. It returns at once.
func atOnce(context.Context, time.Duration) error { return nil }

// checkBusiness runs a check and returns its findings and its result.
func checkBusiness(t *testing.T, s *store.Store, how store.BusinessCheck) (found []store.CheckFinding, result store.CheckResult) {
	t.Helper()
	how.Found = func(f store.CheckFinding) { found = append(found, f) }
	result, err := s.CheckBusiness(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	return found, result
}

// TestCheckBusiness_FindsNothingInTheDemo checks a small demo business. A test of
// package cli checks the full demo business.
func TestCheckBusiness_FindsNothingInTheDemo(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	if err := demo.Load(t.Context(), s, demo.Small); err != nil {
		t.Fatal(err)
	}
	found, result := checkBusiness(t, s, store.BusinessCheck{})
	for i, f := range found[:min(40, len(found))] {
		t.Errorf("%d: %s: %s (%s / %s)", i, f.Rule, f.Text, f.PK, f.SK)
	}
	if len(found) > 0 || result.Changing > 0 || result.Items < 5000 {
		t.Errorf("got %d findings in %d items, %+v; want none", len(found), result.Items, result.Findings)
	}
}

// TestCheckBusiness_WhileTheBusinessGoesOn checks a business while other goroutines change
// orders, stock and rentals. After each page of the check, they make at least one change.
// The check must report nothing.
func TestCheckBusiness_WhileTheBusinessGoesOn(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		storetest.NewBusiness().Load(t, s)
		ctx, stop := context.WithCancel(t.Context())
		changes := make(chan struct{})
		d := clerk{s, s.As(admin), func() {
			clock.Advance(time.Second)
			select {
			case changes <- struct{}{}:
			case <-ctx.Done():
			}
		}}
		var working sync.WaitGroup
		for name, work := range map[string]func(context.Context) error{"sell": d.sell, "sell more": d.sell, "rent": d.rent} {
			working.Go(func() {
				for ctx.Err() == nil {
					if err := work(t.Context()); err != nil && store.KindOf(err) != store.Conflict {
						t.Errorf("%s: %v", name, err)
						stop()
					}
				}
			})
		}
		for range 6 {
			found, _ := checkBusiness(t, s, store.BusinessCheck{PageSize: 5, Progress: func(int) {
				select {
				case <-changes:
				case <-ctx.Done():
				}
			}})
			for _, f := range found {
				t.Errorf("%s: %s (%s / %s)", f.Rule, f.Text, f.PK, f.SK)
			}
		}
		stop()
		working.Wait()
		found, result := checkBusiness(t, s, store.BusinessCheck{})
		if len(found) > 0 || result.Changing > 0 || result.Items < 100 {
			t.Errorf("after all changes: got %+v, %+v; want no findings", found, result)
		}
	})
}

// TestCheckBusiness_ReportsOnlyMissingNumbers checks series with missing numbers. In some
// cases, a credit note is added after the scan. The findings must contain only numbers
// that are missing.
func TestCheckBusiness_ReportsOnlyMissingNumbers(t *testing.T) {
	for _, tt := range []struct {
		name        string
		last, added int // the numbers of the second credit note, and of the one that is added
		want        string
	}{
		{"one", 3, 0, "The number CN-2 is missing."},
		{"several", 9, 0, "The numbers CN-2 to CN-8 are missing."},
		{"added in the middle", 9, 5, "The numbers CN-2 to CN-4 are missing. Other numbers up to CN-8 may be missing too."},
		{"added at the end", 9, 8, "The numbers CN-2 to CN-7 are missing."},
		{"added at the start", 9, 2, "The numbers CN-3 to CN-8 are missing."},
		{"added instead of the only one", 3, 2, ""},
		{"many", 1000, 0, "The numbers CN-2 to CN-21 are missing. Other numbers up to CN-999 may be missing too."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := storetest.Open(t, storetest.NewClock())
			add := func(number int) {
				id := fmt.Sprintf("cn%d", number)
				note := store.CreditNote{ID: id, Number: number, OrderID: "o1", CustomerID: "c1", InvoiceID: "i1", Date: storetest.Now, Reason: store.CreditReturned, Amount: store.MinorUnits(1_00), Version: 1}
				if loaded, err := s.Load(t.Context(), []store.Entity{&note}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
			}
			add(1)
			add(tt.last)
			scanned := func(context.Context, time.Duration) error {
				if tt.added > 0 {
					add(tt.added)
					tt.added = 0
				}
				return nil
			}
			found, _ := checkBusiness(t, s, store.BusinessCheck{Wait: scanned})
			var texts []string
			for _, f := range found {
				if f.Rule == store.CheckNumberGap {
					texts = append(texts, f.Text)
				}
			}
			if got := strings.Join(texts, " | "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// clerk sells and rents, and calls changed after each change.
type clerk struct {
	store   *store.Store
	admin   store.Access
	changed func()
}

// all makes changes one after the other, until one fails.
func (c clerk) all(changes ...func() error) error {
	for _, change := range changes {
		if err := change(); err != nil {
			return err
		}
		c.changed()
	}
	return nil
}

// sell places an order and receives stock. It then pays, ships, returns and cancels items,
// and makes a refund.
func (c clerk) sell(ctx context.Context) error {
	var order store.OrderDetails
	read := func() error {
		found, err := c.admin.OrderForChange(ctx, order.ID)
		if err == nil {
			order = *found
		}
		return err
	}
	return c.all(
		func() (err error) {
			basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 2}, {Product: "p2", Quantity: 1}}}
			order.ID, err = c.admin.PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: store.MinorUnits(22_00)}, c.store.NewToken())
			return errors.Join(err, read())
		},
		func() error {
			item, err := c.admin.StockItem(ctx, "p1", "w1")
			if err != nil {
				return err
			}
			return c.admin.ReceiveStock(ctx, store.StockForm{ProductID: "p1", WarehouseID: "w1", Seen: item.Version, Token: c.store.NewToken(), Reason: "delivery"}, 2)
		},
		func() error {
			i := order.Invoices[0]
			card := store.Payment{Type: "Visa", Amount: i.Amount, Data: "1234"}
			return errors.Join(c.admin.RecordPayment(ctx, store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Rest: card}, c.store.NewToken()), read())
		},
		func() error {
			shipped := store.ShipmentRequest{OrderID: order.ID, Version: order.Version, WarehouseID: "w1", Quantities: map[string]int{"p1": 2}}
			return errors.Join(c.admin.ShipItems(ctx, shipped, c.store.NewToken()), read())
		},
		func() error {
			s := order.Shipments[0]
			sent := store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: store.ShipmentSent}
			return errors.Join(c.admin.AdvanceShipment(ctx, sent, c.store.NewToken()), read())
		},
		func() error {
			returned := store.ReturnRequest{OrderID: order.ID, Version: order.Version, Quantities: map[string]int{"p1": 1}, WarehouseID: "w1", Why: "broken"}
			return errors.Join(c.admin.ReturnItems(ctx, returned, c.store.NewToken()), read())
		},
		func() error {
			return errors.Join(c.admin.CancelOrder(ctx, store.Cancellation{OrderID: order.ID, Version: order.Version, Why: "no bulbs"}, c.store.NewToken()), read())
		},
		func() error {
			i := order.Invoices[0]
			return c.admin.Refund(ctx, store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: store.MinorUnits(12_00), Credit: i.RefundCredit(store.MinorUnits(12_00)), Why: "broken"}, c.store.NewToken())
		},
	)
}

// rent checks a kayak out and then in.
func (c clerk) rent(ctx context.Context) error {
	return c.all(
		func() error {
			today, err := c.admin.Today(ctx)
			if err != nil {
				return err
			}
			_, err = c.admin.CheckOut(ctx, store.CheckOut{StoreID: "s1", Person: "c1", KayakIDs: []string{"k2"}, Due: today.AddDate(0, 0, 1)}, c.store.NewToken())
			return err
		},
		func() error {
			quote, err := c.admin.QuoteCheckIn(ctx, "s1", []string{"k2"})
			if err != nil {
				return err
			}
			_, err = c.admin.CheckIn(ctx, checkIn("s1", quote.Total, []string{"k2"}), c.store.NewToken())
			return err
		},
	)
}

// TestCheckBusiness_Resumes checks a damaged business. It interrupts each run after five
// pages, and every second run also after 60 findings, until a run is complete. The
// findings must be those of an uninterrupted check.
func TestCheckBusiness_Resumes(t *testing.T) {
	storetest.ShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		// The shop is loaded with wrong sums, so the check reports findings.
		want, whole := checkBusiness(t, s, store.BusinessCheck{Wait: atOnce})
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
						kill() // interrupt while findings are being reported
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

// lateIndex is a table to which a program adds an item after a check has scanned it.
// Indexes show the item later than the table.
type lateIndex struct {
	*storetest.Lagging
	late    string // keyText of the item
	scanned bool   // the first scan has ended
}

func (l *lateIndex) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := l.Lagging.Scan(ctx, in, options...)
	if err == nil && !l.scanned {
		out.Items = slices.DeleteFunc(out.Items, func(item store.Item) bool { return keyText(item) == l.late })
	}
	return out, err
}

// TestCheckBusiness_WaitsForIndexes checks a business to which a kayak or a numbered
// credit note is added after the scan. The indexes contain it only after a second. The
// check must report nothing.
func TestCheckBusiness_WaitsForIndexes(t *testing.T) {
	t.Parallel()
	b := storetest.NewBusiness()
	note := store.CreditNote{ID: "cn1", Number: 1, OrderID: "o1", CustomerID: "c1", InvoiceID: "i1", InvoiceNumber: 1, Date: storetest.Now, Reason: store.CreditReturned, Amount: store.MinorUnits(1_00), Version: 1}
	next := note
	next.ID, next.Number = "cn2", 2
	entities := append(b.Entities(), &note, &next)
	for what, late := range map[string]store.Entity{"kayak": &b.In, "credit note": &next} {
		t.Run(what, func(t *testing.T) {
			clock := storetest.NewClock()
			item, err := store.Encode(late, 1)
			if err != nil {
				t.Fatal(err)
			}
			db := &lateIndex{Lagging: storetest.NewLagging(storetest.Embedded(t, clock), storetest.Embedded(t, clock)), late: keyText(item)}
			load := func(s *store.Store, entities ...store.Entity) {
				if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
			}
			load(storetest.OpenTable(t, db.DB, storetest.TableName, clock), entities...)
			indexes := storetest.OpenTable(t, db.Behind, storetest.TableName, clock)
			load(indexes, slices.DeleteFunc(slices.Clone(entities), func(e store.Entity) bool { return e == late })...)
			var waited time.Duration
			found, _ := checkBusiness(t, store.New(db, storetest.TableName, clock.Now), store.BusinessCheck{Wait: func(_ context.Context, pause time.Duration) error {
				db.scanned = true
				if waited += pause; waited > time.Second {
					load(indexes, late)
				}
				return nil
			}})
			if len(found) > 0 || waited == 0 {
				t.Errorf("after %v: got findings %+v, want a pause and no findings", waited, found)
			}
		})
	}
}

// TestCheckBusiness_EventsWithoutUser checks events of users who are not in the table. The
// check must accept an imported event, because exports contain no users, and the event of
// an export on the command line. It must report any other event.
func TestCheckBusiness_EventsWithoutUser(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	imported := store.Event{ID: "01J0000000000000000000000A", Partition: "user#gone", When: storetest.Now, What: store.EventUserAdded, Imported: storetest.Now, ImportedBy: "kim"}
	own := store.Event{ID: "01J0000000000000000000000B", Partition: "user#lost", When: storetest.Now, What: store.EventUserAdded}
	if loaded, err := s.Load(t.Context(), []store.Entity{&imported, &own}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	if err := s.RecordDownload(t.Context(), store.Download{User: &store.User{Name: store.Program}, Name: "files", Kind: "files"}); err != nil {
		t.Fatal(err)
	}
	found, _ := checkBusiness(t, s, store.BusinessCheck{Wait: atOnce})
	if len(found) != 1 || found[0].Rule != store.CheckEvent || found[0].PK != "user#lost" {
		t.Errorf("got findings %+v, want only the event of the user lost", found)
	}
}
