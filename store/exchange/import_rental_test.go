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

// TestImport_RentalHistory imports stores, kayaks, 16,000 valid rentals and two
// invalid ones. Only the invalid rentals must be rejected.
func TestImport_RentalHistory(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	stores := "StoreID,Name\ns1,One\ns2,Two\n"
	kayaks := "InventoryID,StoreID,Name,DailyRate,Status\n"
	for n := range 200 {
		kayaks += fmt.Sprintf("k%d,s%d,Boat %d,30,in\n", n, n%2+1, n)
	}
	people := "PersonID,Name\n"
	for n := range 500 {
		people += fmt.Sprintf("p%d,Kim\n", n)
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
	if _, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("stores.csv", stores), newFile("kayaks.csv", kayaks), newFile("people.csv", people)); len(rejected) > 0 {
		t.Fatal(rejected)
	}
	start := time.Now()
	result, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("rentals.csv", rentals.String()))
	t.Logf("%d rentals in %s", result.Added["rentalRelationship"], time.Since(start))
	if result.Added["rentalRelationship"] != history || len(rejected) != 2 {
		t.Fatalf("got %v added, rejected %q, want %d and two rejected", result.Added, rejected, history)
	}
	for _, want := range []string{"is before Out", "Unknown kayak nowhere"} {
		if !strings.Contains(rejected[0]+rejected[1], want) {
			t.Errorf("rejected %q, want %q", rejected, want)
		}
	}
	one, err := s.As(&store.User{Name: "a", Role: store.Admin}).RentalStore(t.Context(), "s1")
	if err != nil || one.In != 100 {
		t.Errorf("store s1: got %+v, %v, want 100 kayaks in", one, err)
	}
	if again, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("stores.csv", stores)); again.Unchanged != 2 || len(rejected) > 0 {
		t.Errorf("second import: got %+v, rejected %q, want 2 unchanged", again, rejected)
	}
}

// TestImport_RejectsInconsistentRentals imports kayaks, active rentals and rentals that
// contradict each other. The files are not in the order in which they must be imported. A
// dry run must reject the same rows as the import.
func TestImport_RejectsInconsistentRentals(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	files := func() []exchange.File {
		return []exchange.File{
			newFile("rentals.csv", `RentalID,StoreID,PersonID,InventoryID,Out,Due,Returned,Rate
r1,s1,p1,k1,2026-11-20T10:00:00Z,2026-11-25,,30
r2,s1,p1,k2,2026-11-20T10:00:00Z,2026-11-25,,30
r3,s1,p1,k2,2026-11-10T10:00:00Z,2026-11-11,2026-11-11T10:00:00Z,30
r4,,p1,k2,2026-11-10T10:00:00Z,2026-11-11,2026-11-11T10:00:00Z,30
`),
			newFile("active-rentals.csv", `StoreID,PersonID,InventoryID,RentalID,Out,Due,Rate
s1,p1,k1,r1,2026-11-20T10:00:00Z,2026-11-25,30
s1,p2,k1,r9,2026-11-20T10:00:00Z,2026-11-25,30
s1,p1,k2,r9,2026-11-20T10:00:00Z,2026-11-25,30
s2,p1,k3,r9,2026-11-20T10:00:00Z,2026-11-25,30
s1,p1,k3,r9,,2026-11-25,30
s1,p1,k9,r9,2026-11-20T10:00:00Z,2026-11-25,30
`),
			newFile("kayaks.csv", "StoreID,InventoryID,DailyRate,Status\ns1,k1,30,out\ns1,k2,30,\ns1,k3,30,out\ns2,k1,30,in\n"),
			newFile("stores.csv", "StoreID,Name\ns1,One\ns2,Two\n"),
			newFile("people.csv", "PersonID,Name\np1,Kim\np2,Lee\np3,Mo\n"),
		}
	}
	want := []string{
		"kayaks.csv 5: Kayak k1 is already at store s1. A kayak belongs to one store.",
		"active-rentals.csv 6: Out is missing.",
		"active-rentals.csv 3: Kayak k1 is already rented out to p1.",
		`active-rentals.csv 4: Kayak k2 has the status “in”. A kayak with an active rental needs the status “out”.`,
		"active-rentals.csv 5: Kayak k3 belongs to store s1, so it can't be rented out from store s2.",
		"active-rentals.csv 7: Unknown kayak k9. Import kayaks before their rentals.",
		"rentals.csv 5: StoreID is missing.",
		"rentals.csv 3: The rental has no Returned time, and no active rental of kayak k2 has this RentalID. Add a Returned time, or an active rental with this RentalID.",
	}
	for _, dryRun := range []bool{true, false} {
		if _, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: dryRun}, files()...); !slices.Equal(rejected, want) {
			t.Errorf("dry run %v: rejected\n%s\nwant\n%s", dryRun, strings.Join(rejected, "\n"), strings.Join(want, "\n"))
		}
	}
	again := newFile("active-rentals.csv", "StoreID,PersonID,InventoryID,RentalID,Out,Due,Rate\ns1,p3,k1,r8,2026-11-20,2026-11-25,30\n")
	if _, rejected := importFiles(t, s, exchange.ImportOptions{}, again); !slices.Equal(rejected, []string{"active-rentals.csv 2: Kayak k1 is already rented out to p1."}) {
		t.Errorf("kayak that is out in the table: rejected %q, want line 2 with the reason", rejected)
	}
}

// TestImport_MaxDailyRate imports daily rates at and above the maximum. Only the one
// above it must be rejected.
func TestImport_MaxDailyRate(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importFiles(t, s, exchange.ImportOptions{},
		newFile("stores.csv", "StoreID,Name\ns1,One\n"),
		newFile("kayaks.csv", "StoreID,InventoryID,DailyRate,Status\ns1,k1,9999999,in\ns1,k2,10000000,in\n"))
	if want := []string{"kayaks.csv 3: DailyRate is 10000000. It can be at most 9,999,999."}; !slices.Equal(rejected, want) {
		t.Errorf("got rejected %q, want %q", rejected, want)
	}
}

// TestImport_KayakWithoutStatus imports kayaks with an empty status. The import must
// store the status "in".
func TestImport_KayakWithoutStatus(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importFiles(t, s, exchange.ImportOptions{},
		newFile("stores.csv", "StoreID,Name\ns1,One\n"),
		newFile("kayaks.csv", "StoreID,InventoryID,DailyRate,Status\ns1,k1,30,\n"))
	if rejected != nil {
		t.Fatalf("got rejected %v, want none", rejected)
	}
	kayaks, err := s.KnownKayaks(t.Context(), []string{"k1"})
	if err != nil || len(kayaks) != 1 || kayaks[0].Status != store.KayakIn {
		t.Errorf("got %+v, error %v; want k1 in", kayaks, err)
	}
}
