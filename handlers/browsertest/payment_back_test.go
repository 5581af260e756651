package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPaymentForm_BackAfterError submits a payment with an invalid reference and presses
// Back. Both pages must show the entered amount, and not the whole balance due.
func TestPaymentForm_BackAfterError(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 1280, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")
			b.visit("/orders/new?customer=c07")
			b.fill("product-1", "p05")
			b.fill("quantity-1", "1")
			b.button("Review total")
			b.button("Place order")
			b.follow(chromedp.Click(chromedp.CSS(`main h3 a[href^="/invoices/"]`)))
			b.link("Record payment")
			b.fill("rest-amount", "0.5")
			b.fill("rest-reference", "12")
			b.button("Record payment")
			b.wantText("Enter only the last four digits")
			wantAmount := func(page string) {
				if got := run(b, chromedp.Value(field("rest-amount"))); got != "0.5" {
					t.Errorf("%s: got the amount %q, want 0.5", page, got)
				}
			}
			wantAmount("error")
			b.follow(chromedp.NavigateBack())
			wantAmount("Back")
		})
	}
}
