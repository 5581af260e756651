package views_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

func TestOrderCancel_OffersToKeepOrder(t *testing.T) {
	p := views.OrderCancel{Page: signedIn()}
	p.Order.Items = []store.OrderItem{{ProductID: "P1", Quantity: 1}}
	page := rendered(t, views.OrderCancelPage(p))
	if page.link(t, "Keep order").attr("href") != "/orders/" {
		t.Errorf("got %s, want a link to the order", page.text())
	}
}

func TestSubscriptionCancel_OffersToKeepSubscription(t *testing.T) {
	for action, want := range map[views.SubscriptionAction]string{views.SubscriptionCancel: "Keep subscription", views.SubscriptionPause: "Cancel"} {
		p := views.SubscriptionChanging{Page: signedIn(), Action: action, Subscription: store.Subscription{ID: "S1", Status: store.SubscriptionActive}}
		if got := markup(t, views.SubscriptionPage(p)); !strings.Contains(got, ">"+want+"</a>") {
			t.Errorf("%s: got no link %q", action, want)
		}
	}
}

func TestOrder_ShowsInvoiceNumberAndNothingToShip(t *testing.T) {
	p := views.Order{Page: signedIn()}
	p.Order.Items = []store.OrderItem{{ProductID: "P1", Quantity: 1, Cancelled: true}}
	p.Order.Invoices = []store.Invoice{{ID: "501561", Number: 1561, Status: store.InvoiceVoid}}
	text := rendered(t, views.OrderPage(p)).text()
	if strings.Contains(text, "Invoice 501561") || strings.Count(text, "Invoice INV-1561") != 2 {
		t.Errorf("got %s, want the number of the invoice in its card and in the timeline", text)
	}
	if !strings.Contains(text, "Nothing to ship") || strings.Contains(text, "0 of 0") || strings.Contains(text, "Not shipped") {
		t.Errorf("got %s, want nothing to ship", text)
	}
}
