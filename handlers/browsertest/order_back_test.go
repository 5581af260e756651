package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOrderForm_BackAfterPlacing places an order and presses Back. The browser must show
// a page of the program, and must not ask whether to submit the form again.
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
	if got := b.text("h1"); b.path() != "/orders/new" || got != "New order" {
		t.Errorf("Back: got %s with the heading %q, want the form", b.path(), got)
	}
}
