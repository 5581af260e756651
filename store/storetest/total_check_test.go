package storetest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// checkTotals runs a check of the totals. It returns the differences as text, and the
// result.
func checkTotals(t *testing.T, s *store.Store, rebuild bool) (differences []string, result store.TotalsResult) {
	t.Helper()
	result, err := s.CheckTotals(t.Context(), store.TotalsCheck{
		Rebuild: rebuild,
		Found:   func(d store.TotalDifference) { differences = append(differences, d.String()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return differences, result
}

// TestCheckTotals_RebuildsUncounted checks that a rebuild adds orders that were
// imported without counting them.
func TestCheckTotals_RebuildsUncounted(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		orders := []store.Entity{&store.Employee{ID: "e1", Name: "Rep", Version: 1}}
		for n := range 7 {
			id := fmt.Sprint("o", n)
			orders = append(orders,
				&store.Order{ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(30_00), AccountRepID: "e1", Version: 1},
				&store.OrderItem{OrderID: id, ProductID: "p1", CustomerID: "c1", Date: storetest.Now, Price: store.MinorUnits(10_00), Quantity: 3, Shipped: 3, Returned: n % 2, Version: 1})
		}
		orders = append(orders,
			&store.Total{Kind: store.TotalOrders, Day: storetest.Now.AddDate(0, 0, -3).Truncate(24 * 60 * 60 * 1e9), Shard: 2, Count: 1, Amount: store.MinorUnits(5_00).Sum(), Version: 4},
			&store.Quota{EmployeeID: "e1", Period: store.QuarterOf(storetest.Now), Orders: -1, OrderTotal: store.MinorUnits(-30_00).Sum(), Version: 3})
		if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		want := fmt.Sprint([]string{
			"orders of 2026-11-18: stored 1 (5), correct 0 (0)",
			"orders of 2026-11-21: stored 0 (0), correct 7 (180)",
			"quota of e1 for 2026-Q4: stored -1 (-30), correct 7 (180)",
		})
		for range 2 {
			if got, result := checkTotals(t, s, false); fmt.Sprint(got) != want || result.Different != 3 || result.Rebuilt != 0 || result.Changing != 0 {
				t.Errorf("check: got %q, %+v, want %s, 3 different and none rebuilt", got, result, want)
			}
		}
		if got, result := checkTotals(t, s, true); fmt.Sprint(got) != want || result.Rebuilt != 3 || result.Changing != 0 {
			t.Errorf("rebuild: got %q, %+v; want 3 rebuilt", got, result)
		}
		if got, result := checkTotals(t, s, false); len(got) > 0 || result.Different != 0 || result.Compared != 3 {
			t.Errorf("check of the rebuilt table: got %q, %+v, want no differences in 3 totals", got, result)
		}
	})
}

// TestCheckTotals_WhileOrdersArePlaced rebuilds correct totals while orders are
// placed. The totals must stay correct.
func TestCheckTotals_WhileOrdersArePlaced(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, db *store.Store, shop storetest.Shop) {
		s := &selling{t, db, db.As(admin), shop}
		checkTotals(t, db, true)
		ctx, stop := context.WithCancel(t.Context())
		var placing sync.WaitGroup
		placing.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.admin.PlaceOrder(t.Context(), s.sampleOrder(), s.store.NewToken()); err != nil {
					t.Error(err)
					return
				}
			}
		})
		for range 5 {
			checkTotals(t, db, true)
		}
		stop()
		placing.Wait()
		if got, result := checkTotals(t, db, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want no differences", got, result)
		}
	})
}

// placingDB is a table in which an order is placed before each page of a scan, while
// left is greater than 0.
type placingDB struct {
	store.DB
	mu    sync.Mutex
	left  int
	place func()
}

func (p *placingDB) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left > 0 {
		p.left--
		p.place()
	}
	return p.DB.Scan(ctx, in, options...)
}

// TestCheckTotals_OrdersPlacedWhileReading places orders while the table is being
// read. The check must report no difference, although the totals no longer match the
// rows that it has read.
func TestCheckTotals_OrdersPlacedWhileReading(t *testing.T) {
	storetest.ShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		placing := &placingDB{DB: db}
		reading := store.New(placing, table, clock.Now)
		s := &selling{t, reading, reading.As(admin), storetest.NewShop()}
		checkTotals(t, reading, true)
		placing.left, placing.place = 12, func() {
			if _, err := s.admin.PlaceOrder(t.Context(), s.sampleOrder(), s.store.NewToken()); err != nil {
				t.Error(err)
			}
		}
		if got, result := checkTotals(t, reading, true); len(got) > 0 || result.Rebuilt > 0 {
			t.Errorf("got %q, %+v; want nothing rebuilt", got, result)
		}
		placing.left = 0
		if got, result := checkTotals(t, reading, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want no differences", got, result)
		}
	})
}

// TestCheckTotals_OrderPlacedBeforeWrite places an order between the read of a wrong
// total and its correction. The corrected total must include the order.
func TestCheckTotals_OrderPlacedBeforeWrite(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, db *store.Store, shop storetest.Shop) {
		s := &selling{t, db, db.As(admin), shop}
		checkTotals(t, db, true)
		loadOrdersOfDay(t, db, "uncounted", store.LoadOptions{TotalsIncluded: true})
		var once sync.Once
		result, err := db.CheckTotals(t.Context(), store.TotalsCheck{Rebuild: true, Found: func(store.TotalDifference) {
			once.Do(func() {
				if _, err := s.admin.PlaceOrder(t.Context(), s.sampleOrder(), s.store.NewToken()); err != nil {
					t.Error(err)
				}
			})
		}})
		if err != nil || result.Rebuilt == 0 || result.Changing != 0 {
			t.Errorf("got %+v, %v; want rebuilt totals", result, err)
		}
		if got, result := checkTotals(t, db, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want no differences", got, result)
		}
	})
}

// loadOrdersOfDay loads 20 orders of one day.
func loadOrdersOfDay(t *testing.T, s *store.Store, prefix string, options store.LoadOptions) {
	t.Helper()
	var orders []store.Entity
	for n := range 20 {
		orders = append(orders, &store.Order{
			ID: fmt.Sprint(prefix, n), CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(30_00), AccountRepID: "e1", Version: 1,
		})
	}
	if loaded, err := s.Load(t.Context(), orders, options); err != nil || len(loaded.Rejected) > 0 {
		t.Error(err, loaded.Rejected)
	}
}

// TestCheckTotals_WhileShardsChange checks that CheckTotals returns Conflict if the number
// of shards changes while it reads the table, or after the first difference.
func TestCheckTotals_WhileShardsChange(t *testing.T) {
	for name, atFound := range map[string]bool{"first reading": false, "first difference": true} {
		for _, rebuild := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, rebuild %t", name, rebuild), func(t *testing.T) {
				storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
					reshard := func(shards int) {
						if _, err := s.Reshard(t.Context(), shards, store.Resharding{Wait: func(context.Context, time.Duration) error {
							clock.Advance(time.Minute)
							return nil
						}}); err != nil {
							t.Error(err)
						}
					}
					reshard(1)
					loadOrdersOfDay(t, s, "uncounted", store.LoadOptions{TotalsIncluded: true})
					var once sync.Once
					reported := 0
					change := func() {
						once.Do(func() {
							reshard(4)
							loadOrdersOfDay(t, s, "counted", store.LoadOptions{})
						})
					}
					how := store.TotalsCheck{
						Rebuild: rebuild,
						Found:   func(store.TotalDifference) { reported++ },
					}
					if atFound {
						how.Found = func(store.TotalDifference) { change() }
					} else {
						how.Progress = func(int) { change() }
					}
					if result, err := s.CheckTotals(t.Context(), how); store.KindOf(err) != store.Conflict || result.Rebuilt > 0 || reported > 0 {
						t.Errorf("got %+v, %d differences reported, error %v; want Conflict", result, reported, err)
					}
					checkTotals(t, s, true)
					days, err := s.As(admin).Totals(t.Context(), store.TotalOrders, store.DateRange{From: storetest.Now, To: storetest.Now})
					if err != nil || len(days) != 1 || days[0].Count != 40 {
						t.Errorf("got the day's totals %+v, %v; want 40 orders", days, err)
					}
				})
			})
		}
	}
}

// TestTotalDifference_Text checks that the text of a difference names the day, but not for the
// total of current subscriptions, which does not depend on a day.
func TestTotalDifference_Text(t *testing.T) {
	for want, d := range map[string]store.TotalDifference{
		"current subscriptions: stored 2": {Kind: store.TotalRecurring, Day: "1970-01-01", Count: 2},
		"payments due of 2026-11-21: ":    {Kind: store.TotalDue, Day: "2026-11-21"},
		"quota of e1 for 2026-Q4: ":       {RepID: "e1", Period: "2026-Q4"},
	} {
		if got := d.String(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
