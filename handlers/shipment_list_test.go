package handlers

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
)

// TestShipments_ManagerWithoutWarehouses lists shipments as a manager without warehouses.
// The page must not show a filter by warehouse, because it would have no choices.
func TestShipments_ManagerWithoutWarehouses(t *testing.T) {
	b := open(t)
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	if page := content(b.as(t, "idle").get("/shipments").body); strings.Contains(page, `<select`) {
		t.Errorf("got %s, want no filter", page)
	}
}

// TestShipments_All lists the shipments of all statuses and warehouses, page by page and as a
// file. Each list must contain each shipment once. Managers must see only those of their own
// warehouses.
func TestShipments_All(t *testing.T) {
	b := open(t)
	want := map[string]bool{}
	for i := range b.shop.Orders {
		for _, s := range b.shop.Orders[i].Shipments {
			want[s.ID] = true
		}
	}
	admin := b.as(t, "admin")
	if page := admin.get("/shipments").body; !strings.Contains(page, `href="/shipments?status=ALL"`) {
		t.Errorf("got no tab for all shipments: %s", content(page))
	}
	if page := admin.get("/shipments?status=ALL").body; !strings.Contains(page, `Status: <b dir="auto">All</b>`) {
		t.Errorf("got no filter named All: %s", content(page))
	}
	for _, path := range []string{"/shipments?status=ALL", "/shipments?status=all&sort=reverse", "/shipments?status=ALL&from=2020-01-01"} {
		seen := map[string]bool{}
		for next, pages := path, 0; next != "" && pages < 50; pages++ {
			page := admin.get(next)
			if page.status != http.StatusOK {
				t.Fatalf("%s: got status %d: %s", next, page.status, content(page.body))
			}
			for _, id := range ids(page.body, shipmentLink) {
				if seen[id] {
					t.Errorf("%s: got %s twice", next, id)
				}
				seen[id] = true
			}
			next = neighbour(page.body, "next")
		}
		if !maps.Equal(seen, want) {
			t.Errorf("%s: got %d shipments, want %d", path, len(seen), len(want))
		}
	}
	if rows := strings.Count(admin.get("/shipments.csv?status=ALL").body, "\n"); rows != len(want)+1 {
		t.Errorf("CSV: got %d lines, want %d", rows, len(want)+1)
	}
	if file := b.as(t, "manager").get("/shipments.csv?status=ALL").body; strings.Contains(file, "so0002") || !strings.Contains(file, "so0001") {
		t.Errorf("manager: got %s, want only the shipments of w1", file)
	}
}
