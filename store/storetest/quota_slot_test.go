package storetest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
)

var quarter = store.QuarterOf(storetest.Now)

func placeForRep(t *testing.T, s *store.Store) (orderID string) {
	t.Helper()
	basket := store.Basket{Customer: "c08", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}
	id, err := s.As(admin).PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(330)}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// rankedOrders returns how many orders the ranking shows for an account rep.
func rankedOrders(t *testing.T, s *store.Store, rep string) int {
	t.Helper()
	for q, err := range store.Each(func(p store.Page) (store.List[store.Quota], error) {
		return s.As(admin).RankedReps(t.Context(), quarter, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if q.EmployeeID == rep {
			return q.Orders
		}
	}
	return 0
}

// quotaNow returns the quota of this quarter that the page of an account rep shows.
func quotaNow(t *testing.T, s *store.Store, rep string) store.Quota {
	t.Helper()
	found, err := s.As(admin).QuotasOfRep(t.Context(), rep, store.Page{Limit: 1})
	if err != nil || len(found.Rows) != 1 || found.Rows[0].Period != quarter {
		t.Fatalf("got quotas %+v, %v; want one of %s", found.Rows, err, quarter)
	}
	return found.Rows[0]
}

// TestQuotas_AreRankedOncePerMinute places orders of one account rep. A sale changes the
// ranked quota at most once a minute. Other sales are first stored in separate items,
// called slots, until a fold adds them to the quota. The page of the rep must show each
// order at once.
func TestQuotas_AreRankedOncePerMinute(t *testing.T) {
	shops[2].OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		checkTotals(t, s, true) // adds the totals, because the shop is loaded without them
		details, err := s.As(admin).Customer(ctx, "c08")
		if err != nil {
			t.Fatal(err)
		}
		rep := details.AccountRepID
		before := quotaNow(t, s, rep)
		want := func(of, ranked int) {
			t.Helper()
			q := quotaNow(t, s, rep)
			if got := q.Orders - before.Orders; got != of || q.OrderTotal.Compare(before.OrderTotal.Plus(store.MinorUnits(int64(330*of)).Sum())) != 0 {
				t.Errorf("got quota %+v, want %d orders more than %+v", q, of, before)
			}
			if got := rankedOrders(t, s, rep) - before.Orders; got != ranked {
				t.Errorf("got %d new orders in the ranking, want %d", got, ranked)
			}
			if different, result := checkTotals(t, s, false); len(different) > 0 || result.Changing > 0 {
				t.Errorf("got differences %q, %+v, want none", different, result)
			}
		}
		var last string
		for range 5 {
			last = placeForRep(t, s)
		}
		want(5, 1)
		order, err := s.As(admin).Order(ctx, last)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.As(admin).CancelOrder(ctx, store.Cancellation{OrderID: last, Version: order.Version, Why: "test"}, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		want(4, 1)
		for range 2 {
			if err := s.FoldNewSales(ctx); err != nil {
				t.Fatal(err)
			}
			want(4, 4)
		}
		placeForRep(t, s) // goes into a slot, because the fold has just changed the quota
		want(5, 4)
		clock.Advance(time.Minute)
		placeForRep(t, s)
		want(6, 5)
		if err := s.FoldNewSales(ctx); err != nil {
			t.Fatal(err)
		}
		want(6, 6)
	})
}

// TestQuotas_AfterKilledServer places orders on a server that is then killed. Another
// server must add the killed server's slots to the quotas, also in the next quarter.
func TestQuotas_AfterKilledServer(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		ctx := t.Context()
		killed := store.New(db, table, clock.Now)
		checkTotals(t, killed, true) // adds the totals, because the shop is loaded without them
		details, err := killed.As(admin).Customer(ctx, "c08")
		if err != nil {
			t.Fatal(err)
		}
		rep := details.AccountRepID
		before := quotaNow(t, killed, rep).Orders
		for _, wait := range []time.Duration{0, 60 * 24 * time.Hour} {
			for range 3 {
				placeForRep(t, killed)
			}
			sold := quotaNow(t, killed, rep)
			clock.Advance(wait)
			s := store.New(db, table, clock.Now)
			found, _ := checkBusiness(t, s, store.BusinessCheck{})
			for _, f := range found {
				if f.Rule == store.CheckQuota {
					t.Errorf("before the fold: got finding %+v, want none of quotas", f)
				}
			}
			loadQuota(t, s, sold, store.OutcomeUnchanged)
			if err := s.FoldNewSales(ctx); err != nil {
				t.Fatal(err)
			}
			if got := rankedOrders(t, s, rep) - before; got != 1 {
				t.Errorf("got %d new orders in the ranking, want 1", got)
			}
			servers, ctx := errgroup.WithContext(ctx)
			for range 4 {
				servers.Go(func() error { return s.FoldQuotas(ctx) })
			}
			if err := servers.Wait(); err != nil {
				t.Fatal(err)
			}
			if got := rankedOrders(t, s, rep) - before; got != 3 {
				t.Errorf("got %d new orders in the ranking, want 3", got)
			}
			if different, result := checkTotals(t, s, false); len(different) > 0 || result.Changing > 0 {
				t.Errorf("got differences %q, %+v, want none", different, result)
			}
			before += 3
			clock.Advance(time.Minute)
		}
	})
}

// loadQuota loads a quota in a dry run and checks the outcome.
func loadQuota(t *testing.T, s *store.Store, q store.Quota, want store.Outcome) {
	t.Helper()
	loaded, err := s.Load(t.Context(), []store.Entity{&q}, store.LoadOptions{DryRun: true})
	if err != nil || len(loaded.Rejected) > 0 || len(loaded.Outcomes) != 1 || loaded.Outcomes[0] != want {
		t.Errorf("dry run with quota %+v: got %+v, %v; want outcome %v", q, loaded, err, want)
	}
}

// TestCheckTotals_RebuildsQuotaWithSlots checks that a rebuild corrects a quota that has
// slots.
func TestCheckTotals_RebuildsQuotaWithSlots(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		wrong := []store.Entity{
			&store.Employee{ID: "e1", Name: "Kim", Version: 1},
			&store.Quota{EmployeeID: "e1", Period: quarter, Orders: 2, OrderTotal: store.MinorUnits(5_00).Sum(), Version: 1},
			&store.QuotaSlot{EmployeeID: "e1", Period: quarter, Slot: 2, Orders: 1, OrderTotal: store.MinorUnits(5_00).Sum(), Version: 4},
			&store.QuotaSlot{EmployeeID: "e1", Period: quarter, Slot: 3, Orders: -1, OrderTotal: store.MinorUnits(-1_00).Sum(), Version: 4},
		}
		if loaded, err := s.Load(t.Context(), wrong, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		const want = "quota of e1 for 2026-Q4: stored 2 (9), correct 0 (0)"
		if got, result := checkTotals(t, s, true); len(got) != 1 || got[0] != want || result.Rebuilt != 1 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want %q rebuilt", got, result, want)
		}
		if got, result := checkTotals(t, s, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("after rebuilding: got %q, %+v, want no differences", got, result)
		}
	})
}

// hookedDB is a table that calls beforeWrite ahead of the next transaction, and afterSlots
// after the next query of a quota's slots.
type hookedDB struct {
	store.DB
	beforeWrite, afterSlots func()
}

func (h *hookedDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if call := h.beforeWrite; call != nil {
		h.beforeWrite = nil
		call()
	}
	return h.DB.TransactWriteItems(ctx, in, options...)
}

func (h *hookedDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := h.DB.Query(ctx, in, options...)
	for _, value := range in.ExpressionAttributeValues {
		text, _ := value.(*types.AttributeValueMemberS)
		if call := h.afterSlots; call != nil && text != nil && strings.HasPrefix(text.Value, "sold#") {
			h.afterSlots = nil
			call()
		}
	}
	return out, err
}

// openHooked opens the shop with a hookedDB and complete totals. It also returns the
// account rep of customer c08.
func openHooked(t *testing.T, db store.DB, table string, clock *storetest.Clock) (s *store.Store, hooked *hookedDB, rep string) {
	t.Helper()
	hooked = &hookedDB{DB: db}
	s = store.New(hooked, table, clock.Now)
	checkTotals(t, s, true) // adds the totals, because the shop is loaded without them
	details, err := s.As(admin).Customer(t.Context(), "c08")
	if err != nil {
		t.Fatal(err)
	}
	return s, hooked, details.AccountRepID
}

// TestFoldNewSales_DuringSale calls FoldNewSales just before a sale is written. The next
// call must find this sale.
func TestFoldNewSales_DuringSale(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s, hooked, rep := openHooked(t, db, table, clock)
		fold := func() {
			if err := s.FoldNewSales(t.Context()); err != nil {
				t.Error(err)
			}
		}
		placeForRep(t, s)
		before := rankedOrders(t, s, rep)
		hooked.beforeWrite = fold
		placeForRep(t, s)
		fold()
		if got := rankedOrders(t, s, rep); got != before+1 {
			t.Errorf("got %d orders in the ranking, want %d", got, before+1)
		}
	})
}

// TestFoldQuotas_OnTwoServers folds the slots on a second server, right after the first
// server has read them. Each sale must be added to the quota once.
func TestFoldQuotas_OnTwoServers(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s, hooked, rep := openHooked(t, db, table, clock)
		before := rankedOrders(t, s, rep)
		for range 5 {
			placeForRep(t, s)
		}
		hooked.afterSlots = func() {
			if err := store.New(db, table, clock.Now).FoldQuotas(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := s.FoldQuotas(t.Context()); err != nil {
			t.Fatal(err)
		}
		if hooked.afterSlots != nil {
			t.Error("got no read of slots, want one")
		}
		if got := rankedOrders(t, s, rep); got != before+5 {
			t.Errorf("got %d orders in the ranking, want %d", got, before+5)
		}
	})
}

// TestPlaceOrder_DamagedQuota places an order of an account rep whose quota of an earlier
// quarter cannot be read. The ranking of this quarter must count the order.
func TestPlaceOrder_DamagedQuota(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s, _, rep := openHooked(t, db, table, clock)
		damaged, err := store.Encode(&store.Quota{EmployeeID: rep, Period: store.QuarterOf(storetest.Day(2020, time.January, 1)), Version: 1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		damaged["OrderTotal"] = textValue("damaged")
		write := types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: damaged}}
		if _, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{write}}); err != nil {
			t.Fatal(err)
		}
		before := rankedOrders(t, s, rep)
		placeForRep(t, s)
		if got := rankedOrders(t, s, rep); got != before+1 {
			t.Errorf("got %d orders in the ranking, want %d", got, before+1)
		}
	})
}
