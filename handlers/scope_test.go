package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestManager_WithoutPlaces opens pages as a manager without warehouses and stores. The
// pages must say so, and must offer no changes of stock.
func TestManager_WithoutPlaces(t *testing.T) {
	b := open(t, openOrder()...)
	if err := b.store.AddUser(t.Context(), store.User{Name: "newcomer", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	newcomer := b.browser(t)
	newcomer.signIn("newcomer", password)
	const warehouses, stores = "No warehouses are assigned to you.", "No stores are assigned to you."
	for path, want := range map[string]string{
		"/": "No warehouses or stores are assigned to you.", "/warehouses": warehouses, "/shipments": warehouses, "/employees": warehouses,
		"/stock/low": warehouses, "/deliveries": warehouses, "/transfers": warehouses, "/counts": warehouses, "/stores": stores, "/rentals/overdue": stores,
		"/counts/new": warehouses, "/deliveries/new": warehouses, "/orders/open/ship": warehouses,
	} {
		got := newcomer.get(path)
		if got.status != http.StatusOK || !strings.Contains(got.body, want) || strings.Contains(b.as(t, "manager").get(path).body, want) {
			t.Errorf("%s: got status %d, want %q, but not for a manager with warehouses: %s", path, got.status, want, content(got.body))
		}
	}
	for path, button := range map[string]string{"/orders/open": `href="/orders/open/ship"`, "/deliveries": `href="/deliveries/new`, "/counts": `href="/counts/new"`} {
		if strings.Contains(newcomer.get(path).body, button) || !strings.Contains(b.as(t, "manager").get(path).body, button) {
			t.Errorf("%s: got the button %s, or a manager with warehouses did not get it", path, button)
		}
	}
}

// TestManager_SeesNameOfRep opens a customer whose account rep works at a warehouse of
// another manager. The page must show the name of the rep without a link.
func TestManager_SeesNameOfRep(t *testing.T) {
	b := open(t,
		&store.Employee{ID: "rep", Name: "Ida Rep", Email: "ida@example.com", WarehouseID: "w2", Version: 1},
		&store.Customer{ID: "led", Name: "Led", AccountRepID: "rep", Version: 1},
		&store.Order{ID: "led", CustomerID: "led", AccountRepID: "rep", Status: store.OrderOpen, Version: 1},
	)
	for name, linked := range map[string]bool{"manager": false, "outsider": true, "admin": true} {
		for _, path := range []string{"/customers/led", "/orders/led"} {
			got := b.as(t, name).get(path).body
			if !strings.Contains(got, "Ida Rep") || strings.Contains(got, `href="/employees/rep"`) != linked || name == "manager" && strings.Contains(got, "ida@example.com") {
				t.Errorf("%s: %s: got no name of the account rep, or a wrong link; want a link: %v: %s", name, path, linked, content(got))
			}
		}
	}
}

// TestManager_SeesNamesOfPlaces opens the page Account, and a transfer to a warehouse of
// another manager. The pages must show the names of places. Of the other manager's
// warehouse, they must show nothing but the name.
func TestManager_SeesNamesOfPlaces(t *testing.T) {
	b := open(t, &store.Transfer{ID: "t1", ProductID: "p07", SourceID: "w1", TargetID: "w2", Name: "Lamp", Sent: storetest.Now.Truncate(24 * time.Hour), Quantity: 2, Version: 1})
	admin := b.store.As(&store.User{Role: store.Admin})
	here, err := admin.Warehouse(t.Context(), "w1")
	if err != nil {
		t.Fatal(err)
	}
	there, err := admin.Warehouse(t.Context(), "w2")
	if err != nil {
		t.Fatal(err)
	}
	kayaks, err := admin.RentalStore(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	manager := b.as(t, "manager")
	for path, names := range map[string][]string{
		"/account": {here.Name + "</a>", kayaks.Name + "</a>"}, "/transfers?show=sent": {here.Name, there.Name},
		"/transfers.json": nil, "/transfers.json?show=sent": {`"SourceName":"` + here.Name, `"TargetName":"` + there.Name},
	} {
		got := manager.get(path).body
		for _, name := range names {
			if !strings.Contains(strings.ReplaceAll(got, `": "`, `":"`), name) {
				t.Errorf("%s: got no %q: %s", path, name, content(got))
			}
		}
		if city := there.Address.City; city != "" && strings.Contains(got, city) && !strings.Contains(there.Name, city) {
			t.Errorf("%s: got the address of another manager's warehouse: %s", path, content(got))
		}
	}
}
