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
