package handlers

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTakings_AreInOrderOfTime lists two payments. The earlier one has the greater ID, but
// must come first. On phones, the first column must also contain the time.
func TestTakings_AreInOrderOfTime(t *testing.T) {
	payment := func(id string, minute int) *store.RentalPayment {
		at := storetest.Day(2026, 3, 5).Add(9*time.Hour + time.Duration(minute)*time.Minute)
		return &store.RentalPayment{
			ID: id, StoreID: "s1", PersonID: "c01", PersonName: id, Day: storetest.Day(2026, 3, 5), At: at, Kind: store.RentalCharge, Method: "CASH",
			Amount: store.MinorUnits(100), By: "clerk", Rentals: []store.PaidRental{{RentalID: "r", KayakID: "k10", Amount: store.MinorUnits(100)}}, Version: 1,
		}
	}
	b := open(t, payment("a-late", 30), payment("b-early", 10))
	manager := b.as(t, "manager")
	page := content(manager.get("/stores/s1/takings?day=2026-03-05").body)
	for format, body := range map[string]string{
		"page": page, "CSV": manager.get("/stores/s1/takings.csv?day=2026-03-05").body, "JSON": manager.get("/stores/s1/takings.json?day=2026-03-05").body,
	} {
		early, late := strings.Index(body, "b-early"), strings.Index(body, "a-late")
		if early < 0 || late < early {
			t.Errorf("%s: got %s, want the earlier payment first", format, body)
		}
	}
	if !strings.Contains(page, `<span class="sub m">5 Mar 2026`) {
		t.Errorf("got %s, want the time below the name", page)
	}
}
