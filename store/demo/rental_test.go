package demo_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

func TestRentalsAgree(t *testing.T) {
	business := demo.Business(now)
	for _, fault := range storetest.RentalFaults(business) {
		t.Error(fault)
	}
	past, out, overdue, late := 0, 0, 0, 0
	last := now.AddDate(0, 0, -1)
	customers := map[string]bool{}
	for _, e := range business {
		switch e := e.(type) {
		case *store.Customer:
			customers[e.ID] = true
		case *store.Rental:
			if !customers[e.PersonID] {
				t.Errorf("rental %s is of nobody: %s", e.ID, e.PersonID)
			}
			if e.Returned.IsZero() {
				continue
			}
			past++
			if e.Returned.After(now) {
				t.Errorf("rental %s comes back %s", e.ID, e.Returned)
			}
			if store.LateDays(e.Due, e.Returned, now.Location()) > 0 {
				late++
			}
		case *store.ActiveRental:
			out++
			if e.Due.Before(last) {
				overdue++
			}
		}
	}
	if past != demo.PastRentals || out < 100 || overdue < 15 || late < 500 {
		t.Errorf("%d rentals are past, %d of them were late; %d are out, %d overdue", past, late, out, overdue)
	}
	t.Logf("%d past, %d late, %d out, %d overdue", past, late, out, overdue)
}

// TestStaffMovesAbout finds people who came back to a store, and who work at
// two at once.
func TestStaffMovesAbout(t *testing.T) {
	times, works := map[string]int{}, map[string]int{}
	returned, both := 0, 0
	people := map[string]bool{}
	for _, e := range demo.Business(now) {
		switch e := e.(type) {
		case *store.Employment:
			people[e.PersonID] = true
			if times[e.PersonID+" "+e.StoreID]++; times[e.PersonID+" "+e.StoreID] == 2 {
				returned++
			}
			if !e.To.IsZero() && e.To.Before(e.From) {
				t.Errorf("employment %+v", e)
			}
		case *store.StoreEmployee:
			if works[e.PersonID]++; works[e.PersonID] == 2 {
				both++
			}
		}
	}
	if len(people) < demo.StoreStaff*9/10 || returned < 10 || both < 5 {
		t.Errorf("%d people, %d of whom came back and %d work at two stores", len(people), returned, both)
	}
}
