package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// tries are values of the fixture for what patterns ask.
var tries = map[string]string{
	"customerID": "c01", "productID": "p01", "warehouseID": "w1", "orderID": "o0001", "invoiceID": "io0001", "shipmentID": "so0001",
	"status": "PAID", "sku": "SKU-7", "category": "Chairs", "bucket": "m", "email": "Customer7@example.com", "month": "2026-11", "kind": "orders",
	"day": "2026-11-21", "partition": "o#o0001", "user": "viewer", "employeeID": "e01", "jobID": "j1", "period": "2026-Q4",
}

// finds are patterns that have to find something in the fixture.
var finds = []string{
	"getCustomerByCustomerId", "getProductByProductId", "getWarehouseByWarehouseId", "getOrderDetailsByOrderId", "getProductByOrderId",
	"getInvoiceByOrderId", "getShipmentByOrderId", "getOrderByProductIdForDateRange", "getInvoiceByInvoiceId", "getShipmentDetailsByShipmentId",
	"getShipmentByWarehouseId", "getProductInventoryByWarehouseId", "getInvoiceByCustomerIdForDateRange", "getOrdersByStatusForDateRange",
	"getProductBySKU", "getProductsByCategory", "getWarehouses", "getCustomers", "getCustomerByEmail", "getOrdersByMonth", "getPartition",
}

// TestEveryPatternCanBeTried asks each with values, and without any.
func TestEveryPatternCanBeTried(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	found := map[string]bool{}
	for i := range store.Patterns {
		p := &store.Patterns[i]
		path := "/data/patterns/" + p.Name
		if p.Secret || !p.Reads() {
			if got := browser.get(path); got.status != http.StatusOK || strings.Contains(got.body, "Ask the table") {
				t.Errorf("%s can be asked: %d", p.Name, got.status)
			}
			browser.expect(http.MethodGet, path+"?try=yes&"+missingNone(p), http.StatusForbidden)
			continue
		}
		if got := browser.get(path + "?try=yes&" + missingNone(p)); got.status != http.StatusOK || !strings.Contains(got.body, "What it found") {
			t.Errorf("%s with values is %d", p.Name, got.status)
		} else {
			found[p.Name] = !strings.Contains(got.body, "Nothing lies there.")
		}
		missing := p.Missing(nil)
		got := browser.get(path + "?try=yes")
		if want := http.StatusUnprocessableEntity; len(missing) > 0 && got.status != want {
			t.Errorf("%s without values is %d", p.Name, got.status)
		}
		for _, name := range missing {
			if !strings.Contains(got.body, `<li><a href="#field-`+name+`">`) {
				t.Errorf("%s does not say that %s is missing", p.Name, name)
			}
		}
	}
	for _, name := range finds {
		if !found[name] {
			t.Errorf("%s finds nothing", name)
		}
	}
}

// missingNone are values for all that a pattern cannot do without.
func missingNone(p *store.Pattern) string {
	values := url.Values{}
	for _, name := range p.Missing(nil) {
		values.Set(name, "none")
		if tries[name] != "" {
			values.Set(name, tries[name])
		}
	}
	return values.Encode()
}

// TestSecretItemsAreShownToNobody looks for them wherever items are shown raw.
func TestSecretItemsAreShownToNobody(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for address, withheld := range map[string]bool{
		"/data/partitions?pk=users&index=GSI1":                            true,
		"/data/partitions?pk=user%23viewer":                               true,
		"/data/partitions?pk=sessions%23admin&index=GSI1":                 true,
		"/data/partitions?pk=settings":                                    true,
		"/data/patterns/getPartition?try=yes&partition=user%23viewer":     true,
		"/data/patterns/getPartition?try=yes&partition=settings":          true,
		"/data/patterns/getPartitionOfGSI1?try=yes&partition=users":       true,
		"/data/patterns/getEventsOfThing?try=yes&partition=user%23viewer": false,
		"/admin/users/viewer":                                             false,
	} {
		got := browser.get(address)
		if got.status != http.StatusOK || strings.Contains(got.body, "Kept secret") != withheld {
			t.Errorf("%s is %d: %s", address, got.status, got.body)
		}
		for _, secret := range []string{"argon2id", "PasswordHash", "sessions#", "session#", "&#34;Keys&#34;"} {
			if shown := strings.ReplaceAll(got.body, htmlOf(address), ""); strings.Contains(shown, secret) && !strings.Contains(address, "sessions") {
				t.Errorf("%s shows %s", address, secret)
			}
		}
	}
}

// htmlOf is an address as it stands in a page.
func htmlOf(address string) string { return strings.ReplaceAll(address, "&", "&amp;") }

func TestPartitionsArePaged(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	first := browser.get("/data/partitions?pk=w%23w1&index=GSI2&limit=30")
	next := neighbour(first.body, "next")
	if next == "" || !strings.Contains(first.body, `aria-hidden="true">Wi</span> warehouseItem`) {
		t.Fatalf("a long partition has one page: %s", first.body)
	}
	if second := browser.get(next); second.status != http.StatusOK || second.body == first.body || !strings.Contains(second.body, "shipment") {
		t.Errorf("its second page is %d", second.status)
	}
	browser.expect(http.MethodGet, "/data/partitions?pk=x&index=GSI9", http.StatusUnprocessableEntity)
	if got := browser.get("/data/partitions?pk=o%23o0001").body; !strings.Contains(got, "/data/partitions?pk=c%23c01&amp;index=GSI2") {
		t.Error("an item does not lead to its other partitions")
	}
}

func TestModelIsOfferedAsJSON(t *testing.T) {
	b := open(t)
	got := b.as(t, "admin").get("/data/model.json")
	var model map[string]any
	if err := json.Unmarshal([]byte(got.body), &model); err != nil || model["accessPatterns"] == nil || model["online shop"] == nil {
		t.Errorf("%v: %s", err, got.body)
	}
}
