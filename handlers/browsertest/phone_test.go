package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTabs_ShowCurrent opens a list with its last tab on a phone. The whole tab must be
// visible, although the row of tabs is wider than the screen.
func TestTabs_ShowCurrent(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("admin")
	for _, path := range []string{"/orders?status=CANCELLED", "/invoices?status=VOID", "/orders"} {
		b.visit(path)
		visible := `(() => {
			const tab = document.querySelector(".tabs [aria-current]").getBoundingClientRect();
			return tab.left >= 0 && tab.right <= innerWidth && scrollY === 0;
		})()`
		if !run(b, chromedp.Evaluate[bool](visible)) {
			t.Errorf("%s: the current tab is not visible", path)
		}
	}
}

// TestOrderList_ShowsStatesOnPhones lists orders on a phone. Each row must show the states of
// payment and shipment, whose columns are hidden.
func TestOrderList_ShowsStatesOnPhones(t *testing.T) {
	b := open(t, serve(t, &store.Order{
		ID: "4GCRK33DTN", CustomerID: "c01", CustomerName: "Åsa 1", Date: storetest.Now, Status: store.OrderOpen,
		PaymentState: store.InvoicePartial, ShipmentState: store.PartlyShipped, Version: 1,
	}), screen{width: 390})
	b.signIn("admin")
	b.visit("/orders")
	row := run(b, chromedp.Evaluate[string](`document.querySelector("a[href='/orders/4GCRK33DTN']").closest("tr").innerText`))
	for _, want := range []string{"Partly paid", "Partly packed"} {
		if !strings.Contains(row, want) {
			t.Errorf("got the row %q, want %q", row, want)
		}
	}
	b.check("orders on a phone", screen{width: 390})
}

// TestCheckIn_ButtonOnPhones opens the charge of a kayak on a phone. The text of the button
// that checks them in must fit into one line.
func TestCheckIn_ButtonOnPhones(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("admin")
	b.visit("/stores/s1/return?kayaks=k04")
	lines := run(b, chromedp.Evaluate[int](`(() => {
		const text = document.createRange();
		text.selectNodeContents(document.querySelector("form[method=post] .btn.primary"));
		return new Set(Array.from(text.getClientRects(), line => line.top)).size;
	})()`))
	if lines != 1 {
		t.Errorf("got the button %q on %d lines, want one line", b.text("form[method=post] .btn.primary"), lines)
	}
}
