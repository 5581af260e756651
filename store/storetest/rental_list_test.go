package storetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func rentalID(r store.Rental) string           { return r.ID }
func activeID(r store.ActiveRental) string     { return r.RentalID }
func kayakID(k store.Kayak) string             { return k.ID }
func employmentID(e store.Employment) string   { return e.ID }
func colleagueID(e store.StoreEmployee) string { return e.StoreID + "/" + e.PersonID }

// sorted returns the IDs of the rows for which fits returns true, sorted by key.
func sorted[T any](rows []T, id, key func(T) string, fits func(T) bool) []string {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r T) bool { return !fits(r) })
	slices.SortFunc(rows, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return pick(rows, id, func(T) bool { return true })
}

// rentalListings returns the lists of the kayak rental.
func rentalListings(a store.Access, r storetest.Rentals) []listing {
	at := func(rental store.Rental) bool { return rental.StoreID == "s1" }
	by := func(rental store.Rental) bool { return rental.PersonID == "c07" }
	byStore := func(rental store.Rental) string { return rental.StoreID + rental.Out.Format(time.RFC3339) }
	person := func(e store.Employment) string { return e.PersonID + e.From.Format(time.DateOnly) }
	from := func(e store.Employment) string { return e.From.Format(time.DateOnly) + e.ID }
	there := func(e store.Employment) bool { return e.StoreID == "s0" }
	person0 := func(e store.Employment) bool { return e.PersonID == "pp0" }
	place := func(e store.Employment) string { return e.StoreID + e.From.Format(time.DateOnly) }
	active := r.Active()
	return []listing{
		of("a store's inventory", kayakID, pick(r.Kayaks, kayakID, func(k store.Kayak) bool { return k.StoreID == "s1" }), func(ctx context.Context, p store.Page) (store.List[store.Kayak], error) {
			return a.KayaksOfStore(ctx, "s1", store.AlsoArchived, p)
		}),
		of("current employees of a store", colleagueID, pick(r.Employees(), colleagueID, func(e store.StoreEmployee) bool { return e.StoreID == "s0" }), func(ctx context.Context, p store.Page) (store.List[store.StoreEmployee], error) {
			return a.EmployeesOfStore(ctx, "s0", p)
		}),
		of("employments at a store, by person", employmentID, sorted(r.Employments, employmentID, person, there), func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
			return a.EmploymentsAtStore(ctx, "s0", store.EmploymentFilter{Grouped: true}, p)
		}),
		of("employments at a store, newest first", employmentID, reversed(sorted(r.Employments, employmentID, from, there)), func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
			return a.EmploymentsAtStore(ctx, "s0", store.EmploymentFilter{}, p)
		}),
		of("employments of a person, by store", employmentID, sorted(r.Employments, employmentID, place, person0), func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
			return a.EmploymentsOfPerson(ctx, "pp0", store.EmploymentFilter{Grouped: true}, p)
		}),
		of("employments of a person, newest first", employmentID, reversed(sorted(r.Employments, employmentID, from, person0)), func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
			return a.EmploymentsOfPerson(ctx, "pp0", store.EmploymentFilter{}, p)
		}),
		of("employments at a store in a year", employmentID, []string{"em1", "em3"}, func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
			return a.EmploymentsAtStore(ctx, "s0", store.EmploymentFilter{Year: 2027, Grouped: true}, p)
		}),
		of("active rentals of a store", activeID, pick(active, activeID, func(r store.ActiveRental) bool { return r.StoreID == "s1" }), func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return a.RentedFromStore(ctx, "s1", p)
		}),
		of("overdue rentals, earliest due day first", activeID, []string{"r0004", "r0005", "r0003"}, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return a.RentalsDue(ctx, time.Time{}, storetest.Day(2026, time.November, 20), p)
		}),
		of("rentals due on one day", activeID, []string{"r0004", "r0005"}, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return a.RentalsDue(ctx, storetest.Day(2026, time.November, 19), storetest.Day(2026, time.November, 19), p)
		}),
		of("a person's history at one store", rentalID, pick(r.All, rentalID, func(rental store.Rental) bool { return at(rental) && by(rental) }), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfPersonAtStore(ctx, "c07", "s1", p)
		}),
		of("a store's history with one person", rentalID, pick(r.All, rentalID, func(rental store.Rental) bool { return at(rental) && by(rental) }), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfStoreByPerson(ctx, "s1", "c07", p)
		}),
		of("a person's history, store by store", rentalID, reversed(sorted(r.All, rentalID, byStore, by)), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfPersonByStore(ctx, "c07", p)
		}),
		of("a person's history", rentalID, pick(r.All, rentalID, by), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfPerson(ctx, "c07", p)
		}),
		of("a store's history", rentalID, pick(r.All, rentalID, at), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfStore(ctx, "s1", p)
		}),
		of("a kayak's history", rentalID, pick(r.All, rentalID, func(rental store.Rental) bool { return rental.KayakID == "k05" }), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfKayak(ctx, "k05", p)
		}),
		of("a kayak's history with one person", rentalID, pick(r.All, rentalID, func(rental store.Rental) bool { return rental.KayakID == "k07" && by(rental) }), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
			return a.RentalsOfKayakByPerson(ctx, "k07", "c07", p)
		}),
	}
}

func TestRentalLists_PageBothWays(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, shop storetest.Shop) {
		for _, l := range rentalListings(a, shop.Rentals) {
			if len(l.want) < 2 {
				t.Fatalf("%s: got %d rows in the fixture, want at least 2", l.name, len(l.want))
			}
			for _, limit := range []int{1, 7, 200} {
				goThrough(t, l, limit)
			}
		}
	})
}

func TestStores_ByName(t *testing.T) {
	onEachEngine(t, 1, func(t *testing.T, a store.Access, shop storetest.Shop) {
		stores, err := a.RentalStores(t.Context(), store.NotArchived)
		if err != nil || len(stores) != len(shop.Rentals.Stores) {
			t.Fatalf("got %d stores, error %v, want %d", len(stores), err, len(shop.Rentals.Stores))
		}
		for i, want := range []int{1, 0, 2} {
			if stores[i] != shop.Rentals.Stores[want] {
				t.Errorf("store %d: got %+v, want %+v", i, stores[i], shop.Rentals.Stores[want])
			}
		}
		overdue, whole, err := a.Overdue(t.Context())
		if err != nil || !whole || fmt.Sprint(overdue) != "map[s0:1 s1:1 s2:1]" {
			t.Errorf("got overdue %v, complete %v, %v, want one at each store", overdue, whole, err)
		}
		late, err := a.OverdueAtStore(t.Context(), "s2", store.Page{})
		if err != nil || len(late.Rows) != 1 || !same(late.Rows[0], shop.Rentals.Active()[5]) {
			t.Errorf("overdue at s2: got %+v, %v, want only active rental 5", late, err)
		}
	})
}

func TestKayak_ByID(t *testing.T) {
	onEachEngine(t, 1, func(t *testing.T, a store.Access, shop storetest.Shop) {
		kayak, err := a.Kayak(t.Context(), "k05")
		if err != nil || !same(kayak, shop.Rentals.Kayaks[5]) {
			t.Errorf("got kayak %+v, %v, want kayak 5", kayak, err)
		}
		out, err := a.RentedByPerson(t.Context(), "c04", store.Page{})
		if err != nil || len(out.Rows) != 1 || !same(out.Rows[0], shop.Rentals.Active()[4]) {
			t.Errorf("active rentals of c04: got %+v, %v, want only active rental 4", out.Rows, err)
		}
		here, err := a.RentedByPersonFromStore(t.Context(), "c04", "s1", store.Page{})
		if err != nil || len(here.Rows) != 1 || !same(here.Rows[0], out.Rows[0]) {
			t.Errorf("active rentals of c04 from s1: got %+v, %v, want the same rental", here.Rows, err)
		}
		elsewhere, err := a.RentedByPersonFromStore(t.Context(), "c04", "s0", store.Page{})
		if err != nil || len(elsewhere.Rows) != 0 {
			t.Errorf("active rentals of c04 from s0: got %+v, %v, want none", elsewhere.Rows, err)
		}
	})
}

// TestRentals_ManyOfOneKayak records 500 rentals of one kayak by the same person at
// the same store. Every list must return all of them in order, in both directions.
func TestRentals_ManyOfOneKayak(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		entities := []store.Entity{
			&store.RentalStore{ID: "s", Name: "S", In: 1, Version: 1}, &store.Kayak{ID: "k", StoreID: "s", Name: "K", Status: store.KayakIn, Version: 1},
		}
		var want []string // newest first
		for n := range 500 {
			out := storetest.Now.Add(-time.Duration(n+1) * 3 * time.Hour)
			rental := &store.Rental{ID: fmt.Sprintf("r%03d", (n*263)%500), StoreID: "s", PersonID: "p", KayakID: "k", Out: out, Due: out, Returned: out.Add(time.Hour), Version: 1}
			entities, want = append(entities, rental), append(want, rental.ID)
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		a := s.As(admin)
		for name, ask := range map[string]func(context.Context, store.Page) (store.List[store.Rental], error){
			"the store": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfStore(ctx, "s", p)
			},
			"the person": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfPerson(ctx, "p", p)
			},
			"the person, by store": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfPersonByStore(ctx, "p", p)
			},
			"the person at the store": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfPersonAtStore(ctx, "p", "s", p)
			},
			"the store with the person": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfStoreByPerson(ctx, "s", "p", p)
			},
			"the kayak": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfKayak(ctx, "k", p)
			},
			"the kayak with the person": func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return a.RentalsOfKayakByPerson(ctx, "k", "p", p)
			},
		} {
			goThrough(t, of(name, rentalID, want, ask), 60)
		}
	})
}

// TestScope_HidesOtherStores checks that managers see only the kayaks, rentals and
// staff of their own stores.
func TestScope_HidesOtherStores(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, shop storetest.Shop) {
		r, ctx := shop.Rentals, t.Context()
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}})
		nobody := s.As(&store.User{Name: "n", Role: store.Manager})
		for name, err := range map[string]error{
			"store":                             second(manager.RentalStore(ctx, "s0")),
			"inventory":                         second(manager.KayaksOfStore(ctx, "s0", store.NotArchived, store.Page{})),
			"employees":                         second(manager.EmployeesOfStore(ctx, "s0", store.Page{})),
			"employments":                       second(manager.EmploymentsAtStore(ctx, "s0", store.EmploymentFilter{}, store.Page{})),
			"history":                           second(manager.RentalsOfStore(ctx, "s0", store.Page{})),
			"of a person":                       second(manager.RentalsOfPersonAtStore(ctx, "c00", "s0", store.Page{})),
			"with one":                          second(manager.RentalsOfStoreByPerson(ctx, "s0", "c00", store.Page{})),
			"out":                               second(manager.RentedFromStore(ctx, "s0", store.Page{})),
			"out to one":                        second(manager.RentedByPersonFromStore(ctx, "c00", "s0", store.Page{})),
			"overdue":                           second(manager.OverdueAtStore(ctx, "s0", store.Page{})),
			"utilisation":                       second(manager.Utilisation(ctx, &r.Stores[0])),
			"kayak":                             second(manager.Kayak(ctx, "k00")),
			"its history":                       second(manager.RentalsOfKayak(ctx, "k00", store.Page{})),
			"its events":                        second(manager.EventsOfKayak(ctx, "k00", store.Page{})),
			"a note on it":                      manager.NoteOnKayak(ctx, "k00", "x", ""),
			"store of a manager without stores": second(nobody.RentalStore(ctx, "s1")),
			"kayak, none":                       second(nobody.Kayak(ctx, "k01")),
			"no such":                           second(s.As(admin).RentalStore(ctx, "s9")),
			"no kayak":                          second(s.As(admin).Kayak(ctx, "k99")),
			"empty":                             second(s.As(admin).Kayak(ctx, "")),
			"store of all":                      second(s.As(admin).KayaksOfStore(ctx, "", store.NotArchived, store.Page{})),
		} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("%s of another store: got %v, want NotFound", name, err)
			}
		}
		own := func(rental store.Rental) bool { return rental.StoreID == "s1" && rental.PersonID == "c07" }
		for _, ask := range []func(context.Context, string, store.Page) (store.List[store.Rental], error){manager.RentalsOfPerson, manager.RentalsOfPersonByStore} {
			goThrough(t, of("own history of a person", rentalID, pick(r.All, rentalID, own), func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return ask(ctx, "c07", p)
			}), 1)
		}
		stores, err := manager.RentalStores(ctx, store.NotArchived)
		if err != nil || len(stores) != 1 || stores[0].ID != "s1" {
			t.Errorf("manager of one store: got stores %+v, %v, want only s1", stores, err)
		}
		stores, err = nobody.RentalStores(ctx, store.NotArchived)
		if err != nil || len(stores) != 0 {
			t.Errorf("manager of no store: got stores %+v, %v, want none", stores, err)
		}
		for _, l := range []listing{
			of("due", activeID, []string{"r0004", "r0001"}, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
				return manager.RentalsDue(ctx, time.Time{}, storetest.Now.AddDate(0, 0, 9), p)
			}),
			of("due on one day", activeID, []string{"r0001"}, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
				return manager.RentalsDue(ctx, storetest.Now, storetest.Now.AddDate(0, 0, 9), p)
			}),
			of("due, no store", activeID, nil, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
				return nobody.RentalsDue(ctx, time.Time{}, storetest.Now.AddDate(0, 0, 9), p)
			}),
			of("out to c04, from s1", activeID, []string{"r0004"}, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
				return manager.RentedByPerson(ctx, "c04", p)
			}),
			of("out to c05, from s2", activeID, nil, func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
				return manager.RentedByPerson(ctx, "c05", p)
			}),
			of("history, no store", rentalID, nil, func(ctx context.Context, p store.Page) (store.List[store.Rental], error) {
				return nobody.RentalsOfPerson(ctx, "c07", p)
			}),
			of("pp0 at s1", employmentID, []string{"em2"}, func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
				return manager.EmploymentsOfPerson(ctx, "pp0", store.EmploymentFilter{}, p)
			}),
			of("pp1 elsewhere", employmentID, nil, func(ctx context.Context, p store.Page) (store.List[store.Employment], error) {
				return manager.EmploymentsOfPerson(ctx, "pp1", store.EmploymentFilter{}, p)
			}),
		} {
			goThrough(t, l, 5)
		}
	})
}

// TestScope_HidesNoticesOfOtherStores stores notices to a customer who has rented kayaks
// at two stores. Managers must see only the kayaks of their own stores, and no notice
// that lists none of these kayaks.
func TestScope_HidesNoticesOfOtherStores(t *testing.T) {
	onEachShop(t, 1, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, day := t.Context(), storetest.Now.Truncate(24*time.Hour)
		rented := func(storeID string) store.Entity {
			return &store.ActiveRental{
				StoreID: storeID, StoreName: "Store " + storeID, PersonID: "renter", KayakID: "kayak-" + storeID, KayakName: "Kayak " + storeID,
				RentalID: "rental-" + storeID, Out: day.AddDate(0, 0, -9), Due: day.AddDate(0, 0, -1), Version: 1,
			}
		}
		load := func(entities ...store.Entity) {
			t.Helper()
			if loaded, err := s.Load(ctx, entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
				t.Fatal(err, loaded.Rejected)
			}
		}
		queue := func(id string, sections int) {
			t.Helper()
			n, err := s.RentalNotice(ctx, "renter", day)
			if err != nil || len(n.Sections) != sections {
				t.Fatalf("got %+v, %v, want a notice with %d section", n, err, sections)
			}
			load(&store.Email{ID: id, Kind: n.Kind, To: n.To, CustomerID: "renter", Status: store.EmailSent, Created: day, At: day, Notice: n.EmailNotice, Version: 1})
		}
		load(&store.Customer{ID: "renter", Name: "Renter", Email: "renter@example.com", Version: 1}, rented("far"))
		queue("01KBA0000000000000000000F1", 1)
		load(rented("near"))
		queue("01KBA0000000000000000000F2", 1)
		for _, tt := range []struct {
			user   store.User
			emails string
			far    bool
		}{
			{store.User{Name: "m", Role: store.Manager, Stores: []string{"near"}}, "01KBA0000000000000000000F2", false},
			{store.User{Name: "n", Role: store.Manager}, "", false},
			{store.User{Name: "s", Role: store.Support}, "01KBA0000000000000000000F2 01KBA0000000000000000000F1", true},
		} {
			a := s.As(&tt.user)
			found, err := a.EmailsOfCustomer(ctx, "renter", store.Page{})
			var ids []string
			for i := range found.Rows {
				ids = append(ids, found.Rows[i].ID)
			}
			shown := fmt.Sprintf("%+v", found.Rows)
			if err != nil || strings.Join(ids, " ") != tt.emails || strings.Contains(shown, "far") != tt.far || strings.Contains(shown, "near") != (tt.emails != "") {
				t.Errorf("%s: got %s, %v, want the emails %s, other stores %v", tt.user.Name, shown, err, tt.emails, tt.far)
			}
			for _, id := range []string{"01KBA0000000000000000000F1", "01KBA0000000000000000000F2"} {
				e, err := a.Email(ctx, id)
				if !strings.Contains(tt.emails, id) {
					if store.KindOf(err) != store.NotFound {
						t.Errorf("%s, email %s: got %v, want NotFound", tt.user.Name, id, err)
					}
				} else if err != nil || strings.Contains(fmt.Sprintf("%+v", e), "far") != tt.far {
					t.Errorf("%s, email %s: got %+v, %v, other stores %v", tt.user.Name, id, e, err, tt.far)
				}
			}
		}
	})
}

// same compares values as text, because equal amounts can have different
// representations.
func same(a, b any) bool {
	one, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && string(one) == string(other)
}

// TestOverdueAtStore_Pages reads the overdue rentals of a store forwards, backwards,
// and from positions before the first row and after the last one.
func TestOverdueAtStore_Pages(t *testing.T) {
	onEachShop(t, 1, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx, a := t.Context(), s.As(admin)
		day := storetest.Now.Truncate(24 * time.Hour)
		var rented []store.Entity
		for i := range 7 {
			rented = append(rented, &store.ActiveRental{StoreID: "late", PersonID: "c07", KayakID: fmt.Sprint("L", i), RentalID: fmt.Sprint("R", i), Out: day.AddDate(0, 0, -9), Due: day.AddDate(0, 0, -2), Version: 1})
		}
		if _, err := s.Load(ctx, rented, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		page := func(at *store.Position) (store.List[store.ActiveRental], string) {
			t.Helper()
			l, err := a.OverdueAtStore(ctx, "late", store.Page{Limit: 3, At: at})
			if err != nil {
				t.Fatal(err)
			}
			return l, strings.Join(pick(l.Rows, activeID, func(store.ActiveRental) bool { return true }), " ")
		}
		first, ids1 := page(nil)
		second, ids2 := page(first.Next)
		third, ids3 := page(second.Next)
		if got := ids1 + "|" + ids2 + "|" + ids3; got != "R0 R1 R2|R3 R4 R5|R6" || third.Next != nil || first.Prev != nil {
			t.Errorf("got pages %s, next %v, previous %v, want R0 to R6 on three pages, no next and no previous page", got, third.Next, first.Prev)
		}
		back, ids := page(third.Prev)
		if ids != ids2 || back.Next == nil || back.Prev == nil {
			t.Errorf("back from the third page: got %s, next %v, previous %v; want %s", ids, back.Next, back.Prev, ids2)
		}
		if start, ids := page(back.Prev); ids != ids1 || start.Prev != nil || start.Next == nil {
			t.Errorf("back from the second page: got %s, previous %v, next %v; want %s", ids, start.Prev, start.Next, ids1)
		}
		if end, ids := page(&store.Position{SK: "2026-99-99"}); ids != "" || end.Next != nil || end.Prev == nil {
			t.Errorf("after the last row: got %s, next %v, previous %v; want no rows and a previous page", ids, end.Next, end.Prev)
		}
		if start, ids := page(&store.Position{SK: "2000-01-01", Back: true}); ids != ids1 || start.Prev != nil || start.Next == nil {
			t.Errorf("before the first row: got %s, previous %v, next %v; want %s", ids, start.Prev, start.Next, ids1)
		}
	})
}

func TestEmployments_OfYear(t *testing.T) {
	onEachEngine(t, 1, func(t *testing.T, a store.Access, _ storetest.Shop) {
		for _, tt := range []struct {
			year int
			want string
		}{{2024, ""}, {2025, "em0"}, {2026, "em3 em1"}, {2030, "em3 em1"}} {
			found, err := a.EmploymentsAtStore(t.Context(), "s0", store.EmploymentFilter{Year: tt.year}, store.Page{})
			if got := strings.Join(pick(found.Rows, employmentID, func(store.Employment) bool { return true }), " "); err != nil || got != tt.want {
				t.Errorf("%d: got %q, %v, want %q", tt.year, got, err, tt.want)
			}
		}
	})
}
