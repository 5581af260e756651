package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOrder_PlaceShipPayReturnRefund checks that an order can be placed, shipped from
// two warehouses (from one of them again after unpacking), paid by gift card and card,
// returned and refunded.
func TestOrder_PlaceShipPayReturnRefund(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 1280, noScript: true}, {width: 390, dark: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")

			b.visit("/orders/new?customer=c07")
			b.check("new order", sc)
			b.fill("product-1", "SKU-10")
			b.fill("quantity-1", "3")
			b.fill("product-2", "p12")
			b.fill("quantity-2", "1")
			b.button("Review total")
			b.wantText("€4.42", "Place order")
			b.check("order total", sc)
			b.button("Place order")
			order := b.path()
			b.wantText("Order placed.", "€4.42", "Unpaid")
			b.check("order", sc)

			b.visit(order + "/ship?warehouse=w0")
			b.check("shipment form", sc)
			b.fill("quantity-1", "2")
			b.fill("carrier", "DHL")
			b.button("Pack shipment")
			b.wantText("Shipment packed.", "2 of 4 packed or shipped")

			b.follow(chromedp.Click(chromedp.CSS(`main a[href$="/unpack"]`)))
			b.check("unpack form", sc)
			b.fill("why", "wrong box")
			b.button("Unpack shipment")
			b.wantText("unpacked.", "Unpacked", "wrong box", "0 of 4 shipped")
			b.check("order with an unpacked shipment", sc)
			b.visit(order + "/ship?warehouse=w0")
			b.fill("quantity-1", "2")
			b.button("Pack shipment")
			b.wantText("2 of 4 packed or shipped")
			b.visit(order + "/ship?warehouse=w1")
			b.button("Pack shipment")
			b.wantText("4 of 4 packed or shipped")
			b.visit(order + "/return")
			b.check("return form of packed items", sc)
			b.wantText("Packed items haven't left the warehouse")
			b.follow(chromedp.Click(chromedp.CSS(`main .alert a[href^="/shipments/"]`)))
			b.link("Packing slip")
			b.check("packing slip of a shipment", sc)
			b.wantText("in this box.", "In other shipments:")
			b.link("Back to shipment")
			b.link("Mark as shipped")
			b.button("Mark as shipped")
			b.wantText("Shipment updated.")
			b.visit(order)

			b.follow(chromedp.Click(chromedp.CSS(`main h3 a[href^="/invoices/"]`)))
			b.link("Record payment")
			b.check("payment form", sc)
			b.fill("voucher-code", "GC-77")
			b.fill("voucher-amount", "2")
			b.fill("rest-reference", "1234")
			b.fill("rest-amount", "2.42")
			b.button("Record payment")
			b.wantText("Payment recorded.", "Paid")

			b.visit(order + "/return")
			b.check("return form", sc)
			b.fill("quantity-1", "1")
			b.fill("warehouse", "w0")
			b.fill("why", "broken in transit")
			b.button("Record return")
			b.wantText("Return recorded.", "Gift card, GC-77", "Visa, •••• 1234", "broken in transit", "€1.10 to refund")

			b.follow(chromedp.Click(chromedp.CSS(`main h3 a[href^="/invoices/"]`)))
			b.link("Refund")
			b.check("refund form", sc)
			b.do(chromedp.Click(chromedp.CSS(`main [name="payment"]`)), typeKeys(chromedp.CSS(`main [name="payment"]`), "2"))
			b.fill("why", "returned broken")
			b.button("Record refund")
			b.wantText("Refund recorded.", "−€1.10")
		})
	}
}

// TestPickList_AlignsField checks that the field for the warehouse begins below the
// heading.
func TestPickList_AlignsField(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.visit("/orders/pick?order=o0000&order=o0003")
	if indent := retry(b, chromedp.Evaluate[int](`Math.round(document.querySelector(".sheet .field").getBoundingClientRect().left - document.querySelector(".sheet h1").getBoundingClientRect().left)`)); indent != 0 {
		b.Errorf("the field is indented by %d px, want 0", indent)
	}
}
