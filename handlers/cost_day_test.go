package handlers

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// costServer is a server in the test. It adds up the costs that its pages have shown, and
// the costs that it has counted, since it last wrote its costs to the table.
type costServer struct {
	*backOffice
	browsers map[string]*browser
	shown    map[string]float64 // read units shown in footers, by route
	changes  float64            // write units of notes, as shown in footers

	mu      sync.Mutex
	counted map[string]store.Cost // costs counted by the server, by source
}

func newCostServer(t *testing.T, db store.DB, clock *storetest.Clock, entities ...store.Entity) *costServer {
	t.Helper()
	s := &costServer{backOffice: serveTable(t, db, clock, entities...), browsers: map[string]*browser{}, shown: map[string]float64{}, counted: map[string]store.Cost{}}
	if err := s.store.WriteCosts(t.Context()); err != nil { // write the costs of starting the server
		t.Fatal(err)
	}
	s.store.ObserveCosts(func(source, _ string, _ store.Role, n store.Cost) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if source != store.SourceOfJob(store.CostCosts) {
			s.counted[source] = s.counted[source].Plus(n)
		}
	})
	return s
}

func (s *costServer) browser(t *testing.T, user string) *browser {
	t.Helper()
	if s.browsers[user] == nil {
		s.browsers[user] = s.as(t, user)
	}
	return s.browsers[user]
}

func (s *costServer) visit(t *testing.T, user, route, address string) {
	t.Helper()
	got := s.browser(t, user).get(address)
	read, _ := footerUnits(t, got.body)
	if read == 0 && !strings.Contains(got.body, "content from memory") {
		t.Errorf("%s: got status %d and no read units in the footer", address, got.status)
	}
	s.shown[route] += read
}

// costDay adds up the costs that all servers have shown and counted.
type costDay struct {
	shown   map[string]float64
	changes float64
	counted map[string]store.Cost
}

// write makes a server write its costs to the table. It then adds the costs that s has
// shown and counted to d, and clears them in s.
func (d *costDay) write(t *testing.T, s *costServer) {
	t.Helper()
	s.handling.Wait()
	if err := s.store.WriteCosts(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for route, units := range s.shown {
		d.shown[route] += units
	}
	for source, n := range s.counted {
		d.counted[source] = d.counted[source].Plus(n)
	}
	d.changes += s.changes
	clear(s.shown)
	clear(s.counted)
	s.changes = 0
}

// TestCosts_OfScriptedDay uses two servers for five hours, with pages, changes, jobs, a
// restart and a crash. Each server writes its costs once a minute. The stored costs of
// each page must be the sum of the costs in its footers. The stored costs of each source
// must be the costs that the servers counted. Only the last minute of the crashed server
// may be missing.
func TestCosts_OfScriptedDay(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := shopImage.Embedded(t, clock)
	servers := []*costServer{newCostServer(t, db, clock, openOrder()...), newCostServer(t, db, clock)}
	day := &costDay{shown: map[string]float64{}, counted: map[string]store.Cost{}}
	pages := map[string]string{
		"/orders": "/orders", "/orders/:id": "/orders/o0001", "/customers": "/customers?name=c", "/customers/:id": "/customers/c01", "/search": "/search?q=kim", "/warehouses/:id": "/warehouses/w1",
		"/products/:id": "/products/p12", "/invoices": "/invoices", "/kayaks/:id": "/kayaks/k04", "/compare": "/compare?of=/products/p07&from=2026-11-20", "/due": "/due", "/stores/:id/week": "/stores/s1/week",
	}
	routes := slices.Sorted(maps.Keys(pages))
	r := rand.New(rand.NewPCG(21, 4))
	lost, requests := 0.0, 0 // lost is the number of read units in the last minute before the crash
	const minutes = 300
	for minute := range minutes {
		clock.Advance(time.Minute)
		for n, s := range servers {
			if minute%60 == 0 {
				clear(s.browsers)
			}
			for range 1 + r.IntN(2) {
				route := routes[r.IntN(len(routes))]
				s.visit(t, []string{"viewer", "support", "admin"}[r.IntN(3)], route, pages[route])
				requests++
			}
			if minute%15 == n {
				s.visit(t, "support", "/customers/:id/notes", "/customers/c01/notes") // also extends the session
				user := s.browser(t, "support")
				if got := user.post("/customers/c01/notes", url.Values{"note": {"Note " + strconv.Itoa(minute)}, "once": {s.store.NewToken()}}); got.status != http.StatusSeeOther {
					t.Fatalf("got status %d, want 303: %s", got.status, got.body)
				}
				read, written := footerUnits(t, user.get("/customers/c01").body)
				s.shown["/customers/:id"] += read
				s.changes += written
				requests += 3
			}
			if minute%60 == 30+n {
				if _, err := s.site.jobs.Check(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if minute == 200 { // the second server crashes before it writes the costs of this minute
			s := servers[1]
			s.handling.Wait()
			for _, units := range s.shown {
				lost += units
			}
			servers[1] = newCostServer(t, db, clock)
		}
		for _, s := range servers {
			day.write(t, s)
		}
		if minute == 100 { // the first server stops and starts again
			servers[0] = newCostServer(t, db, clock)
		}
	}
	if requests < 500 || lost == 0 {
		t.Fatalf("got %d requests and %v lost units, want at least 500 and some", requests, lost)
	}
	report, err := servers[0].store.As(&store.User{Name: "admin", Role: store.Admin}).Costs(t.Context(), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	for route := range day.shown {
		if got := report.Sources[store.CostCode(store.SourceOfPage("GET", route))]; got.ReadUnits() != day.shown[route] || day.shown[route] == 0 {
			t.Errorf("%s: got %v read units, want %v as in the footers", route, got.ReadUnits(), day.shown[route])
		}
	}
	if got := report.Sources[store.CostCode(store.SourceOfPage("POST", "/customers/:id/notes"))]; float64(got.WriteUnits) != day.changes || day.changes == 0 {
		t.Errorf("notes: got %d write units, want %v as in the footers", got.WriteUnits, day.changes)
	}
	if day.counted[store.SourceOfJob(store.CostCheck)].IsZero() {
		t.Error("got no costs of the check, want some")
	}
	for source, want := range day.counted {
		if source == "" {
			continue // costs of starting the servers, and of sign-ins by the test
		}
		if got := report.Sources[store.CostCode(source)]; got != want {
			t.Errorf("%s: got %+v, want %+v", source, got, want)
		}
	}
	var patterns, roles store.Cost
	for n := range maps.Values(report.Patterns) {
		patterns = patterns.Plus(n)
	}
	for n := range maps.Values(report.Roles) {
		roles = roles.Plus(n)
	}
	if total := report.Total(); patterns != total || roles != total {
		t.Errorf("got %+v by pattern and %+v by role, want the total %+v", patterns, roles, total)
	}
}
