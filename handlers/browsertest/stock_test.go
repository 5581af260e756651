package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestStock_DoubleClickAdjustsOnce submits a stock adjustment with a double click. The
// ledger must show one adjustment.
func TestStock_DoubleClickAdjustsOnce(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("manager")
			b.visit("/warehouses/w1")
			b.link("c-product 7")
			if b.path() != "/products/p07/stock/w1" {
				t.Fatalf("inventory link: got %s, want /products/p07/stock/w1", b.path())
			}
			b.link("Adjust")
			b.fill("quantity", "-3")
			b.fill("reason", "broken in the aisle")
			b.follow(chromedp.DoubleClick(named("button", "Adjust stock")))
			if b.path() != "/products/p07/stock/w1" {
				t.Fatalf("after adjusting: got %s, want /products/p07/stock/w1", b.path())
			}
			for _, want := range []string{"Stock adjusted by -3.", "14 → 11", "broken in the aisle", "manager", "11 pieces"} {
				if got := b.text("body"); !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant %q", got, want)
				}
			}
			if got := b.text("main"); strings.Contains(got, "11 → 8") {
				t.Errorf("got two adjustments, want one:\n%s", got)
			}
			b.checkWidth("ledger")
		})
	}
}

// TestStock_ConcurrentCountsConflict lets a manager and an admin count the same stock at
// the same time. The second one must see a conflict and the entered values, and be able to
// save these.
func TestStock_ConcurrentCountsConflict(t *testing.T) {
	baseURL := serve(t)
	first, second := open(t, baseURL, screen{width: 1280}), open(t, baseURL, screen{width: 390, dark: true})
	first.signIn("manager")
	second.signIn("admin")
	for b, counted := range map[*tab]string{first: "12", second: "15"} {
		b.visit("/products/p07/stock/w1/count")
		b.fill("quantity", counted)
		b.fill("reason", "yearly count")
	}
	first.button("Save count")
	second.button("Save count")
	main := second.text("main")
	for _, want := range []string{"Someone else changed this first.", "by manager", "yearly count", "Currently: 12 pieces in stock"} {
		if !strings.Contains(main, want) {
			t.Errorf("second count: got\n%s\nwant %q", main, want)
		}
	}
	for name, want := range map[string]string{"quantity": "15", "reason": "yearly count"} {
		if got := run(second, chromedp.Value(field(name))); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	second.audit("count conflict")
	second.checkWidth("count conflict")
	second.button("Save count")
	if got := second.text("main"); !strings.Contains(got, "12 → 15") || !strings.Contains(got, "14 → 12") {
		t.Errorf("ledger: got\n%s\nwant 14 → 12 and 12 → 15", got)
	}
}
