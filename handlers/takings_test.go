package handlers

import (
	"fmt"
	"net/http"
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

// TestTakings_OfSeveralDays lists the payments of several days. The sums must not be in
// columns that phones hide.
func TestTakings_OfSeveralDays(t *testing.T) {
	var payments []store.Entity
	for day := 5; day <= 7; day++ {
		at := storetest.Day(2026, 3, day).Add(9 * time.Hour)
		payments = append(payments, &store.RentalPayment{
			ID: fmt.Sprintf("p%d", day), StoreID: "s1", PersonID: "c01", PersonName: fmt.Sprintf("Renter %d", day), Day: storetest.Day(2026, 3, day), At: at,
			Kind: store.RentalCharge, Method: "CASH", Amount: store.MinorUnits(1000), By: "clerk",
			Rentals: []store.PaidRental{{RentalID: "r", KayakID: "k10", Amount: store.MinorUnits(1000)}}, Version: 1,
		})
	}
	b := open(t, payments...)
	manager := b.as(t, "manager")
	page := manager.get("/stores/s1/takings?day=2026-03-05&to=2026-03-06")
	body := content(page.body)
	for _, want := range []string{"Taken 5–6 Mar 2026", "€20.00", "Renter 5", "Renter 6"} {
		if !strings.Contains(body, want) {
			t.Errorf("got %s, want %q", body, want)
		}
	}
	if strings.Contains(body, "Renter 7") {
		t.Errorf("got %s, want no payment of the next day", body)
	}
	if _, sums, found := strings.Cut(body, "Deposits returned"); !found || strings.Contains(sums, `"num p2"`) {
		t.Errorf("got the sums %s, want them also on phones", sums)
	}
	if csv := manager.get("/stores/s1/takings.csv?day=2026-03-05&to=2026-03-07").body; strings.Count(csv, "Renter") != 3 {
		t.Errorf("got the file %s, want three payments", csv)
	}
	for _, query := range []string{"day=2026-03-05&to=2026-03-04", "day=2026-03-05&to=2026-04-05", "day=2026"} {
		manager.get("/stores/s1/takings?"+query).want(t, http.StatusUnprocessableEntity, "at most 31 days")
	}
	manager.get("/stores/s1/takings?to=xyz").want(t, http.StatusUnprocessableEntity, `href="#field-to"`)
}
