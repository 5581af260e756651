package handlers

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
)

// TestPages_LargeSums uses a currency without decimals, and a customer with an account
// rep. It places five orders of 2,500,000,000 on one day. Their sum exceeds the largest
// amount that an order can have. Pages and files must show it exactly.
func TestPages_LargeSums(t *testing.T) {
	t.Parallel()
	b := serveOnly(t,
		&store.Employee{ID: "7", Name: "Budi", Version: 1},
		&store.Customer{ID: "c1", Name: "Ani", AccountRepID: "7", Version: 1},
		&store.Product{ID: "p1", Name: "Server", Price: store.MinorUnits(25_000_000_00), Version: 1},
	)
	settings := store.DefaultSettings()
	settings.Version = 1 // the fixture has saved version 1
	settings.Shards, settings.ShardsRead, settings.Currency = 1, 1, "JPY"
	if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 100}}}
	for n := range 5 {
		_, err := b.store.As(&users[5]).PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(2_500_000_000_00)}, b.store.NewToken())
		if err != nil {
			t.Errorf("order %d: got %v, want it placed", n+1, err)
		}
	}
	browser := b.as(t, "admin")
	for path, want := range map[string]string{
		"/":             "¥12,500,000,000",
		"/reps":         "¥12,500,000,000",
		"/employees/7":  "¥12,500,000,000",
		"/reps.csv":     "12500000000",
		"/reps.json":    "12500000000",
		"/data/export":  "",
		"/customers/c1": "¥2,500,000,000",
		"/due":          "",
	} {
		got := browser.get(path)
		if path == "/" {
			got = wholeToday(browser)
		}
		if got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: got status %d, want 200 and %q", path, got.status, want)
		}
	}
}
