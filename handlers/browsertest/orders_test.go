package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// judge holds the open page to axe-core, which is a script, and to the width of
// the screen.
func (b *tab) judge(what string, l look) {
	b.Helper()
	if !l.noScript {
		b.audit(what)
	}
	b.overflows(what)
}

// shows expects words on the open page.
func (b *tab) shows(words ...string) {
	b.Helper()
	text := b.text("main")
	for _, want := range words {
		if !strings.Contains(text, want) {
			b.Errorf("%s does not show %q:\n%s", b.path(), want, text)
		}
	}
}

// set puts a value into a field.
func (b *tab) set(name, value string) {
	b.Helper()
	b.do(chromedp.SetValue(field(name), value))
}

// TestAnOrderFromBasketToReturn takes an order, ships it from two warehouses,
// has it paid by gift card and card, and takes a part of it back: on a desk,
// with and without scripts, and in the hand in the dark.
func TestAnOrderFromBasketToReturn(t *testing.T) {
	for _, l := range []look{{width: 1280}, {width: 1280, noScript: true}, {width: 390, dark: true}} {
		t.Run(l.String(), func(t *testing.T) {
			b := open(t, serve(t), l)
			b.logIn("admin")

			b.visit("/orders/new?customer=c07")
			b.judge("a new order", l)
			b.set("product-1", "SKU-10")
			b.set("quantity-1", "3")
			b.set("product-2", "p12")
			b.set("quantity-2", "1")
			b.button("Review total")
			b.shows("€4.42", "Place order")
			b.judge("what it comes to", l)
			b.button("Place order")
			order := b.path()
			b.shows("Order placed.", "€4.42", "Unpaid")
			b.judge("an order to work on", l)

			b.visit(order + "/ship?warehouse=w0")
			b.judge("a parcel", l)
			b.set("quantity-1", "2")
			b.set("carrier", "DHL")
			b.button("Pack shipment")
			b.shows("Shipment packed.", "Partly shipped")
			b.visit(order + "/ship?warehouse=w1")
			b.button("Pack shipment")
			b.shows("Shipped")

			b.follow(chromedp.Click(chromedp.CSS(`main h3 a[href^="/invoices/"]`)))
			b.link("Record payment")
			b.judge("a payment", l)
			b.set("voucher-code", "GC-77")
			b.set("voucher-amount", "2")
			b.set("card-digits", "1234")
			b.set("card-amount", "2.42")
			b.button("Record payment")
			b.shows("Payment recorded.", "Paid")

			b.visit(order + "/return")
			b.judge("a return", l)
			b.set("quantity-1", "1")
			b.do(chromedp.SetValue(field("warehouse"), "w0"))
			b.set("why", "broken on the way")
			b.button("Record return")
			b.shows("Return recorded.", "Gift card, GC-77", "Visa, •••• 1234", "broken on the way", "€1.10 to refund")

			b.follow(chromedp.Click(chromedp.CSS(`main h3 a[href^="/invoices/"]`)))
			b.link("Refund")
			b.judge("a refund", l)
			b.do(chromedp.Click(chromedp.CSS(`main [name="payment"]`)), chromedp.SendKeys(chromedp.CSS(`main [name="payment"]`), "2"))
			b.set("why", "it came back broken")
			b.button("Record refund")
			b.shows("Refund recorded.", "−€1.10")
		})
	}
}
