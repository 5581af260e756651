package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
)

// TestPickList_AddsUpOrdersByBin prints the pick list of two orders that need the same
// product. It must have one line for each product, with the quantity of each order, and
// the lines must be sorted by bin. Before a warehouse is chosen, it must ask for one.
// Managers of other warehouses must get no list.
func TestPickList_AddsUpOrdersByBin(t *testing.T) {
	line := func(order, product string, quantity, shipped int) store.Entity {
		return &store.OrderItem{OrderID: order, ProductID: product, CustomerID: "c01", Name: "Thing " + product, Price: store.MinorUnits(100), Quantity: quantity, Shipped: shipped}
	}
	order := func(id string, items int) store.Entity {
		return &store.Order{ID: id, CustomerID: "c01", CustomerName: `<b>Åsa</b>`, Status: store.OrderOpen, ItemCount: items}
	}
	stock := func(product, bin string, quantity int) store.Entity {
		return &store.WarehouseItem{ProductID: product, WarehouseID: "w1", Name: "Thing " + product, Quantity: quantity, Bin: bin, Version: 1}
	}
	b := open(
		t, order("pick1", 5), order("pick2", 4), line("pick1", "x1", 3, 1), line("pick1", "x2", 2, 0), line("pick2", "x1", 3, 0), line("pick2", "x3", 1, 0),
		stock("x1", "B-02", 4), stock("x2", "A-01", 9),
		&store.Product{ID: "x1", Name: "Thing x1", Version: 1}, &store.Product{ID: "x2", Name: "Thing x2", Version: 1}, &store.Product{ID: "x3", Name: "Thing x3", Version: 1},
	)
	viewer := b.as(t, "viewer")
	if got := viewer.get("/orders/bulk?do=pick&order=pick1%23c01&order=pick2%23c01"); got.location != "/orders/pick?order=pick1%23c01&order=pick2%23c01" {
		t.Errorf("got redirect to %s, want the pick list", got.location)
	}
	if page := viewer.get("/orders/pick?order=pick1&order=pick2").body; !strings.Contains(page, "Choose a warehouse") || strings.Contains(page, `class="paper"`) {
		t.Errorf("got %s, want the choice of a warehouse", page)
	}
	page := viewer.get("/orders/pick?order=pick1%23c01&order=pick2&warehouse=w1").body
	rest := page
	for _, want := range []string{"A-01", "Thing x2", "2 × pick1", "B-02", "Thing x1", "4 of 5 on hand", "2 × pick1", "3 × pick2", "Thing x3", "None on hand", "1 × pick2", "3 products, 8 pieces (6 on hand), 2 orders."} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("got no %q in this place: %s", want, page)
		}
		rest = after
	}
	for _, address := range []string{"/orders/pick?order=pick1&warehouse=w1&status=PAID", "/orders/slips?order=pick1&status=PAID"} {
		if page := viewer.get(address).body; !strings.Contains(page, `href="/orders?status=PAID"`) {
			t.Errorf("%s: got no link back to the filtered list in %s", address, page)
		}
	}
	if page := viewer.get("/orders/pick?order=pick1&status=PAID").body; !strings.Contains(page, `name="status" value="PAID"`) || !strings.Contains(page, `name="order" value="pick1"`) {
		t.Errorf("got no order or filter in the form: %s", content(page))
	}
	if strings.Contains(page, "<b>Åsa</b>") {
		t.Error("got the customer's name unescaped")
	}
	if got := b.as(t, "outsider").get("/orders/pick?order=pick1&warehouse=w1"); got.status != http.StatusNotFound {
		t.Errorf("outsider: got status %d, want 404", got.status)
	}
	var tooMany strings.Builder
	for n := range maxPrinted + 1 {
		fmt.Fprintf(&tooMany, "&order=%d", n)
	}
	if got := viewer.get("/orders/pick?warehouse=w1" + tooMany.String()); got.status != http.StatusUnprocessableEntity {
		t.Errorf("%d orders: got status %d, want 422", maxPrinted+1, got.status)
	}
}
