package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// fill types into a field in the place of what stands there.
func (b *tab) fill(name, value string) {
	b.Helper()
	b.do(chromedp.SetValue(field(name), value))
}

// TestStockIsAdjusted goes from a warehouse to the ledger, at a desk and in the
// hand, by an impatient click.
func TestStockIsAdjusted(t *testing.T) {
	for _, l := range []look{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(l.String(), func(t *testing.T) {
			b := open(t, serve(t), l)
			b.logIn("manager")
			b.visit("/warehouses/w1")
			b.link("c-product 7")
			if b.path() != "/products/p07/stock/w1" {
				t.Fatalf("the inventory leads to %s", b.path())
			}
			b.link("Adjust")
			b.fill("quantity", "-3")
			b.fill("reason", "broken in the aisle")
			b.follow(chromedp.DoubleClick(named("button", "Adjust")))
			if b.path() != "/products/p07/stock/w1" {
				t.Fatalf("the form leads to %s", b.path())
			}
			for _, want := range []string{"Adjusted by -3.", "14 → 11", "broken in the aisle", "manager", "11 pieces"} {
				if got := b.text("body"); !strings.Contains(got, want) {
					t.Errorf("the page lacks %q:\n%s", want, got)
				}
			}
			if got := b.text("main"); strings.Contains(got, "11 → 8") {
				t.Errorf("a double click adjusted twice:\n%s", got)
			}
			b.overflows("a ledger")
		})
	}
}

// TestTwoPeopleCountTheSame has a manager and an admin count what both saw.
func TestTwoPeopleCountTheSame(t *testing.T) {
	home := serve(t)
	first, second := open(t, home, look{width: 1280}), open(t, home, look{width: 390, dark: true})
	first.logIn("manager")
	second.logIn("admin")
	for b, counted := range map[*tab]string{first: "12", second: "15"} {
		b.visit("/products/p07/stock/w1/count")
		b.fill("quantity", counted)
		b.fill("reason", "yearly count")
	}
	first.button("Save count")
	if _, err := chromedp.RunResponse(second.ctx, chromedp.Click(named("button", "Save count"))); err != nil {
		t.Fatal(err)
	}
	main := second.text("main")
	for _, want := range []string{"Somebody else changed this first.", "by manager", "yearly count", "Now saved as: 12 pieces in stock"} {
		if !strings.Contains(main, want) {
			t.Errorf("the second is not told %q:\n%s", want, main)
		}
	}
	for name, typed := range map[string]string{"quantity": "15", "reason": "yearly count"} {
		if value := ask(second, chromedp.Value(field(name))); value != typed {
			t.Errorf("%s is %q, want %q", name, value, typed)
		}
	}
	second.audit("a conflict")
	second.overflows("a conflict")
	second.button("Save count")
	if got := second.text("main"); !strings.Contains(got, "12 → 15") || !strings.Contains(got, "14 → 12") {
		t.Errorf("the ledger is\n%s", got)
	}
}
