package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOrderForm_BackAfterPlacing places an order and presses Back. The browser must show
// the form of a new order, and must not ask whether to submit the form again.
func TestOrderForm_BackAfterPlacing(t *testing.T) {
	baseURL := serve(t)
	b := open(t, baseURL, screen{width: 1280})
	b.signIn("admin")
	b.do(
		chromedp.Navigate(baseURL+"/orders/new"),
		chromedp.SetValue(field("customer"), "c07"),
		chromedp.SetValue(field("product-1"), "p05"),
		chromedp.SetValue(field("quantity-1"), "1"),
	)
	b.button("Review total")
	b.button("Place order")
	b.follow(chromedp.NavigateBack())
	if got := b.text("h1"); !strings.HasPrefix(b.path(), "/orders/new?") || got != "New order" {
		t.Errorf("Back: got %s with the heading %q, want the form", b.path(), got)
	}
}

// TestOrderForm_BackAfterReview adds a line, reviews the order and presses Back. The form
// must show all lines with the entered values.
func TestOrderForm_BackAfterReview(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 1280, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")
			b.visit("/orders/new?customer=c07")
			b.fill("product-1", "p05")
			b.fill("quantity-1", "3")
			b.button("Add a line")
			b.fill("product-5", "p12")
			b.fill("quantity-5", "2")
			b.button("Review total")
			b.wantText("Place order")
			b.follow(chromedp.NavigateBack())
			for name, want := range map[string]string{"quantity-1": "3", "product-5": "p12", "quantity-5": "2"} {
				if got := run(b, chromedp.Value(field(name))); got != want {
					t.Errorf("Back: got %s %q, want %q", name, got, want)
				}
			}
			b.button("Review total")
			b.wantText("Place order", "Order total")
		})
	}
}
