package handlers

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"stockroom/store"
	"stockroom/store/exchange"
)

// published lists the access patterns of Amazon's online-shop design, in the published
// order. For each pattern, it contains the page that uses it, and the results for
// Amazon's sample data.
var published = []struct {
	pattern string
	path    string
	want    []string // strings that the page must contain, in this order
}{
	{"getCustomerByCustomerId", "/customers/12345", []string{"Samaneh", "samaneh@example.com"}},
	{"getProductByProductId", "/products/12345", []string{"Options Open", "€100.00", "The latest album"}},
	{"getWarehouseByWarehouseId", "/warehouses/12376", []string{"RiverStreet 20", "11111 Boras", "Vastra Gotaland", "Sweden"}},
	{"getProductInventoryByProductId", "/products/99887", []string{"The Book", "8 pieces in all warehouses", "12345", "4", "12376", "4"}},
	{"getOrderDetailsByOrderId", "/orders/12345", []string{"Order 12345", "Options Open", "The Book", "55443", "88899", "98765"}},
	{"getProductByOrderId", "/orders/12345/items", []string{"Options Open", "€100.00", "2", "€200.00", "The Book", "€40.00", "5", "€200.00"}},
	{"getInvoiceByOrderId", "/orders/12345/invoices", []string{"55443", "21 Jun 2020", "€400.00"}},
	{"getShipmentByOrderId", "/orders/12345/shipments", []string{"88899", "12376", "98765", "12345"}},
	{"getOrderByProductIdForDateRange", "/products/99887?from=2020-06-01&to=2020-06-30", []string{"Orders", "12345", "21 Jun 2020", "5"}},
	{"getInvoiceByInvoiceId", "/invoices/55443", []string{"Invoice 55443", "Paid", "Amount €400.00", "Paid €400.00", "Balance due €0.00", "Gift", "€100.00", "Master", "€300.00"}},
	{"getPaymentByInvoiceId", "/invoices/55443/payments", []string{"GiftCard data here", "€100.00", "Payment data here", "€300.00"}},
	{"getShipmentDetailsByShipmentId", "/shipments/88899", []string{"Shipment 88899", "The Book", "2", "Slanbarsvagen 111", "98765 Goteborg", "Warehouse", "12376"}},
	{"getShipmentDetailsByShipmentId", "/shipments/98765", []string{"Shipment 98765", "Options Open", "2", "The Book", "3", "Warehouse", "12345"}},
	{"getShipmentByWarehouseId", "/warehouses/12376/shipments", []string{"Shipments", "88899"}},
	{"getShipmentByWarehouseId", "/shipments?warehouse=12345", []string{"98765"}},
	{"getProductInventoryByWarehouseId", "/warehouses/12345/stock", []string{"Options Open", "50", "The Book", "4"}},
	{"getProductInventoryByWarehouseId", "/warehouses/12376", []string{"The Book", "4"}},
	{"getInvoiceByCustomerIdForDateRange", "/customers/12345?from=2020-06-01&to=2020-06-30", []string{"Invoices", "55443", "€400.00"}},
	{"getInvoiceByCustomerIdForDateRange", "/customers/12345?from=2020-07-01", []string{"No invoices"}},
	{"getProductsByCustomerIdForDateRange", "/customers/12345?from=2020-06-01&to=2020-06-30", []string{"Products bought", "The Book", "Options Open"}},
}

// TestPublishedPatterns_HavePages checks that, with Amazon's sample data, the page
// of every published pattern shows the expected results.
func TestPublishedPatterns_HavePages(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../store/exchange/testdata/AnOnlineShop.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sample, err := exchange.ReadModel("AnOnlineShop.json", file)
	if err != nil || len(sample.Rejected) > 0 {
		t.Fatal(err, sample.Rejected)
	}
	b := serveOnly(t, sample.Entities...)
	browser := b.as(t, "admin")
	used := map[string]bool{}
	for _, tt := range published {
		used[tt.pattern] = true
		page := browser.get(tt.path)
		if page.status != http.StatusOK || !strings.Contains(page.body, ">"+tt.pattern+"<") {
			t.Errorf("%s: got status %d, want 200 and %s in the footer", tt.path, page.status, tt.pattern)
		}
		rest := text(content(page.body))
		for _, want := range tt.want {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Errorf("%s (%s): got no %q in %s", tt.path, tt.pattern, want, rest)
				break
			}
			rest = after
		}
	}
	for _, p := range store.Patterns {
		if p.System == "online shop" && !used[p.Name] {
			t.Errorf("got no page for %s, want one in the list", p.Name)
		}
	}
}

// text returns the text of a page, without tags and with single spaces.
func text(page string) string {
	var words []string
	for z := html.NewTokenizer(strings.NewReader(strings.ReplaceAll(page, "<wbr>", ""))); ; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " ")
		case html.TextToken:
			words = append(words, strings.Fields(html.UnescapeString(string(z.Raw())))...)
		}
	}
}
