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
	"stockroom/store/table"
)

var costAdmin = &store.User{Name: "admin", Role: store.Admin}

// readAs reads the settings once, and adds the cost to the given source and role.
func readAs(ctx context.Context, s *store.Store, source string, role store.Role) error {
	var spending store.Spending
	defer s.EndSpending(&spending, source, role)
	_, err := s.As(costAdmin).CurrentSettings(store.WithSpending(ctx, &spending))
	return err
}

// TestWriteCosts_AddsServersUp lets several servers read at the same time, over connections
// that throttle requests and lose responses. Costs are stored in a few items, called slots,
// so several servers add to the same slot. Each server writes its costs after every few
// reads. Every successful read must be counted exactly once.
func TestWriteCosts_AddsServersUp(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		direct := storetest.OpenTable(t, db, table, clock)
		const servers, rounds, readsOfRound = 10, 4, 3
		source := store.SourceOfPage("GET", "/test")
		counted := 0 // half read units that the servers have counted for this page
		var mu sync.Mutex
		var running sync.WaitGroup
		for n := range servers {
			connection := storetest.NewUnreliable(db, 10, uint64(n))
			s := store.New(connection, table, clock.Now)
			s.ObserveCosts(func(of, _ string, _ store.Role, n store.Cost) {
				if of == source {
					mu.Lock()
					defer mu.Unlock()
					counted += n.HalfReads
				}
			})
			running.Go(func() {
				for range rounds {
					for range readsOfRound {
						_ = readAs(t.Context(), s, source, store.Admin) // a lost response is not counted
					}
					_ = s.WriteCosts(t.Context()) // the next call writes what this one could not
				}
				for try := 0; ; try++ {
					err := s.WriteCosts(t.Context())
					if err == nil {
						return
					}
					if try == 50 {
						t.Errorf("server %d: got error %v in 50 attempts, want none", n, err)
						return
					}
				}
			})
		}
		running.Wait()
		report, err := direct.As(costAdmin).Costs(t.Context(), clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Sources[store.CostCode(source)].HalfReads; got != counted || counted == 0 {
			t.Errorf("got %d half read units, want %d", got, counted)
		}
		if got := report.Roles[store.CostCode(string(store.Admin))].HalfReads; got != counted {
			t.Errorf("by role: got %d half read units, want %d", got, counted)
		}
	})
}

// TestWriteCosts_LostResponse loses the response of a write. All retries of the same call
// are throttled. The next calls must not add the same costs again.
func TestWriteCosts_LostResponse(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := &scriptedTable{DB: storetest.Embedded(t, clock)}
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	source := store.SourceOfPage("GET", "/test")
	if err := readAs(t.Context(), s, source, store.Admin); err != nil {
		t.Fatal(err)
	}
	db.outcomes = []outcome{lost, throttled}
	if err := s.WriteCosts(t.Context()); store.KindOf(err) != store.Unconfirmed {
		t.Fatalf("got %v, want an unknown outcome", err)
	}
	db.outcomes = nil
	for range 3 {
		if err := s.WriteCosts(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	report, err := s.As(costAdmin).Costs(t.Context(), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Sources[store.CostCode(source)]; got.Requests != 1 || got.HalfReads != 2 {
		t.Errorf("got %+v, want one consistent read", got)
	}
}

// TestWriteCosts_WritesOnlyNewCosts calls WriteCosts three times after 500 page views.
// The later calls find only the costs of the earlier calls, so only the first one may
// write.
func TestWriteCosts_WritesOnlyNewCosts(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	writes := 0
	s.ObserveCosts(func(_, _ string, _ store.Role, n store.Cost) {
		if n.WriteUnits > 0 {
			writes++
		}
	})
	for n := range 500 {
		if err := readAs(t.Context(), s, store.SourceOfPage("GET", fmt.Sprintf("/%d", n)), store.Viewer); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if err := s.WriteCosts(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if writes != 1 {
		t.Errorf("got %d writes for 500 pages, want 1", writes)
	}
}

// TestCosts_ByDay reads on two days (UTC) and in the next month. The report of a month
// must contain only the days and reads of that month.
func TestCosts_ByDay(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	source := store.SourceOfPage("GET", "/test")
	start := clock.Now().UTC()
	read := func(n int) {
		t.Helper()
		for range n {
			if err := readAs(t.Context(), s, source, store.Admin); err != nil {
				t.Fatal(err)
			}
		}
	}
	read(1)
	clock.Advance(24 * time.Hour)
	read(2)
	if err := s.WriteCosts(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(30 * 24 * time.Hour)
	read(3)
	if err := s.WriteCosts(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := s.As(costAdmin).Costs(t.Context(), start)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Days) != 2 || report.Sources[store.CostCode(source)].Requests != 3 {
		t.Errorf("got %+v and %+v, want two days and three reads", report.Days, report.Sources)
	}
	later, err := s.As(costAdmin).Costs(t.Context(), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if got := later.Sources[store.CostCode(source)].Requests; got != 3 || len(later.Days) != 1 {
		t.Errorf("next month: got %d reads on %d days, want 3 on one day", got, len(later.Days))
	}
}

// TestCosts_HideSecretKeys reads a customer by email address, and a session. The list of
// the most used keys must contain neither the email address nor the hash of the session.
func TestCosts_HideSecretKeys(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	admin := s.As(costAdmin)
	if _, err := admin.CustomersByEmail(t.Context(), "kim@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Session(t.Context(), "secret"); store.KindOf(err) != store.NotFound {
		t.Fatal(err)
	}
	_, _ = admin.Order(t.Context(), "12345")
	report, err := admin.Costs(t.Context(), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(report.Hot)
	for _, want := range []string{"GSI1 email#${email} (", "table session#${hash} (", "table o#12345 "} {
		if !strings.Contains(all, want) {
			t.Errorf("got no %q in the costs, want it:\n%s", want, all)
		}
	}
	if strings.Contains(all, "kim") {
		t.Errorf("got an email address in the costs, want none:\n%s", all)
	}
}

// TestCosts_HotKeys reads two orders often, between reads of many other orders. The keys of
// these two must be the most used keys of the table. Their numbers of uses may be too high
// by at most the stated error.
func TestCosts_HotKeys(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	admin := s.As(costAdmin)
	uses := map[string]int{}
	read := func(id string) {
		uses["o#"+id]++
		if _, err := admin.Order(t.Context(), id); store.KindOf(err) != store.NotFound {
			t.Fatal(err)
		}
	}
	for n := range 400 {
		read(fmt.Sprint("other", n))
		if n%2 == 0 {
			read("often")
		}
		if n%4 == 0 {
			read("sometimes")
		}
	}
	report, err := admin.Costs(t.Context(), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range report.Hot {
		if k.Index != table.TableIndex {
			continue
		}
		got = append(got, k.PK)
		if k.Uses < uses[k.PK] || k.Uses-k.Error > uses[k.PK] {
			t.Errorf("%s: got %d uses, at most %d too high; want %d", k.PK, k.Uses, k.Error, uses[k.PK])
		}
	}
	if len(got) < 2 || got[0] != "o#often" || got[1] != "o#sometimes" {
		t.Errorf("got %v, want first o#often and o#sometimes", got)
	}
}
