package demo_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

func TestBusiness_RentalsAreConsistent(t *testing.T) {
	business := business()
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
				t.Errorf("rental %s: got the unknown customer %s, want an existing one", e.ID, e.PersonID)
			}
			if e.Returned.IsZero() {
				continue
			}
			past++
			if e.Returned.After(now) {
				t.Errorf("rental %s: got the return at %s, want it before now", e.ID, e.Returned)
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
	if past != demo.Full.Stores*demo.Full.KayaksPerStore*demo.Full.RentalsPerKayak || out < 100 || overdue < 15 || late < 500 {
		t.Errorf("got %d past rentals, %d of them late, %d active, %d of them overdue, want %d, 500, 100 and 15 or more", past, late, out, overdue, demo.Full.Stores*demo.Full.KayaksPerStore*demo.Full.RentalsPerKayak)
	}
	t.Logf("%d past, %d late, %d out, %d overdue", past, late, out, overdue)
}

// TestBusiness_StoreStaff checks that some people returned to a store and some work
// at two stores.
func TestBusiness_StoreStaff(t *testing.T) {
	employments, current := map[string]int{}, map[string]int{}
	returned, both := 0, 0
	people := map[string]bool{}
	for _, e := range business() {
		switch e := e.(type) {
		case *store.Employment:
			people[e.PersonID] = true
			if employments[e.PersonID+" "+e.StoreID]++; employments[e.PersonID+" "+e.StoreID] == 2 {
				returned++
			}
			if !e.To.IsZero() && e.To.Before(e.From) {
				t.Errorf("got %+v, want an end after the start", e)
			}
		case *store.StoreEmployee:
			if current[e.PersonID]++; current[e.PersonID] == 2 {
				both++
			}
		}
	}
	if len(people) < demo.Full.StoreStaff*9/10 || returned < 10 || both < 5 {
		t.Errorf("got %d people, %d returned to a store, %d at two stores, want at least %d, 10 and 5", len(people), returned, both, demo.Full.StoreStaff*9/10)
	}
}
