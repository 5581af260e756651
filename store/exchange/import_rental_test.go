package exchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// takeCSV imports one file and returns what was refused, by its reason.
func takeCSV(t *testing.T, s *store.Store, name, text string) (exchange.Taken, []string) {
	t.Helper()
	sources, err := exchange.Open([]exchange.File{{Name: name, Content: strings.NewReader(text)}}, exchange.Naming{})
	if err != nil {
		t.Fatal(err)
	}
	var reasons []string
	taken := exchange.Taken{Written: map[string]int{}}
	for _, source := range sources {
		got, err := exchange.Take(t.Context(), s, source.Portions, exchange.Taking{Refused: func(refused []exchange.Refused) error {
			for _, r := range refused {
				reasons = append(reasons, r.Reason)
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		for kind, n := range got.Written {
			taken.Written[kind] += n
		}
		taken.Present += got.Present
	}
	return taken, reasons
}

// TestAHistoryOfRentalsIsImported brings in stores, kayaks and 16,000 rentals,
// of which those that cannot be are refused with their reason.
func TestAHistoryOfRentalsIsImported(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	stores := "StoreID,Name\ns1,One\ns2,Two\n"
	kayaks := "InventoryID,StoreID,Name,DailyRate,Status\n"
	for n := range 200 {
		kayaks += fmt.Sprintf("k%d,s%d,Boat %d,30,in\n", n, n%2+1, n)
	}
	rentals := strings.Builder{}
	rentals.WriteString("RentalID,StoreID,PersonID,InventoryID,Out,Due,Returned,Rate,Charge\n")
	const history = 16_000
	for n := range history {
		out := storetest.Now.Add(-time.Duration(n/200+1) * 48 * time.Hour)
		fmt.Fprintf(&rentals, "r%d,s%d,p%d,k%d,%s,%s,%s,30,30\n", n, n%2+1, n%500, n%200, out.Format(time.RFC3339), out.Format(time.DateOnly), out.Add(5*time.Hour).Format(time.RFC3339))
	}
	rentals.WriteString("rA,s1,p1,k0,2026-01-02T10:00:00Z,2026-01-02,2026-01-01T10:00:00Z,30,30\n")
	rentals.WriteString("rB,s1,p1,nowhere,2026-01-02T10:00:00Z,2026-01-02,2026-01-03T10:00:00Z,30,30\n")
	for name, text := range map[string]string{"stores.csv": stores, "kayaks.csv": kayaks} {
		if _, refused := takeCSV(t, s, name, text); len(refused) > 0 {
			t.Fatal(name, refused)
		}
	}
	began := time.Now()
	taken, refused := takeCSV(t, s, "rentals.csv", rentals.String())
	t.Logf("%d rentals in %s", taken.Written["rentalRelationship"], time.Since(began))
	if taken.Written["rentalRelationship"] != history || len(refused) != 2 {
		t.Fatalf("written %v, refused %q", taken.Written, refused)
	}
	for i, words := range []string{"before it went out", "the kayak nowhere"} {
		if !strings.Contains(refused[0]+refused[1], words) {
			t.Errorf("refusal %d does not say %q: %q", i, words, refused)
		}
	}
	one, err := s.As(&store.User{Name: "a", Role: store.Admin}).RentalStore(t.Context(), "s1")
	if err != nil || one.In != 100 {
		t.Errorf("the store counts %+v, %v", one, err)
	}
	if again, refused := takeCSV(t, s, "stores.csv", stores); again.Present != 2 || len(refused) > 0 {
		t.Errorf("again: %+v, %q", again, refused)
	}
}

// TestRentalsThatDoNotAgreeAreRefused brings in kayaks, what is out and a
// history, each with rows that speak against the others: from files in the
// wrong order, rehearsed first.
func TestRentalsThatDoNotAgreeAreRefused(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	files := func() []exchange.File {
		return []exchange.File{
			{Name: "rentals.csv", Content: strings.NewReader(`RentalID,StoreID,PersonID,InventoryID,Out,Due,Returned,Rate
r1,s1,p1,k1,2026-11-20T10:00:00Z,2026-11-25,,30
r2,s1,p1,k2,2026-11-20T10:00:00Z,2026-11-25,,30
r3,s1,p1,k2,2026-11-10T10:00:00Z,2026-11-11,2026-11-11T10:00:00Z,30
r4,,p1,k2,2026-11-10T10:00:00Z,2026-11-11,2026-11-11T10:00:00Z,30
`)},
			{Name: "active-rentals.csv", Content: strings.NewReader(`StoreID,PersonID,InventoryID,RentalID,Out,Due,Rate
s1,p1,k1,r1,2026-11-20T10:00:00Z,2026-11-25,30
s1,p2,k1,r9,2026-11-20T10:00:00Z,2026-11-25,30
s1,p1,k2,r9,2026-11-20T10:00:00Z,2026-11-25,30
s2,p1,k3,r9,2026-11-20T10:00:00Z,2026-11-25,30
s1,p1,k3,r9,,2026-11-25,30
s1,p1,k9,r9,2026-11-20T10:00:00Z,2026-11-25,30
`)},
			{Name: "kayaks.csv", Content: strings.NewReader("StoreID,InventoryID,DailyRate,Status\ns1,k1,30,out\ns1,k2,30,\ns1,k3,30,out\ns2,k1,30,in\n")},
			{Name: "stores.csv", Content: strings.NewReader("StoreID,Name\ns1,One\ns2,Two\n")},
		}
	}
	want := []string{
		"kayaks.csv 5: The kayak k1 is at the store s1 already, and a kayak is at one store.",
		"active-rentals.csv 6: It does not say its Out.",
		"active-rentals.csv 3: The kayak k1 is out to p1 already.",
		"active-rentals.csv 4: The kayak k2 has the Status \"in\", not \"out\", so nobody can have it.",
		"active-rentals.csv 5: The kayak k3 is at the store s1, so it cannot be out from s2.",
		"active-rentals.csv 7: It is of the kayak k9, which nobody knows: import kayaks before their rentals.",
		"rentals.csv 5: It does not say its StoreID.",
		"rentals.csv 3: It does not say when the kayak k2 came back, and no active rental says that it is out.",
	}
	for _, rehearse := range []bool{true, false} {
		all := files()
		sources, err := exchange.Open(all, exchange.Naming{})
		if err != nil {
			t.Fatal(err)
		}
		fleet := exchange.NewFleet()
		var reasons []string
		for _, source := range sources {
			_, err := exchange.Take(t.Context(), s, source.Portions, exchange.Taking{Rehearse: rehearse, Fleet: fleet, Refused: func(refused []exchange.Refused) error {
				for _, r := range refused {
					reasons = append(reasons, fmt.Sprintf("%s %d: %s", all[source.File].Name, r.Number, r.Reason))
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(reasons, want) {
			t.Errorf("rehearsal %v: refused\n%s", rehearse, strings.Join(reasons, "\n"))
		}
	}
	if again, refused := takeCSV(t, s, "active-rentals.csv", "StoreID,PersonID,InventoryID,RentalID,Out,Due,Rate\ns1,p3,k1,r8,2026-11-20,2026-11-25,30\n"); len(refused) != 1 || refused[0] != "The kayak k1 is out to p1 already." {
		t.Errorf("what is out in the table goes out again: %+v, %q", again, refused)
	}
}
