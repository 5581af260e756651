package views_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

func TestNewOrder_WarnsAboutMissingAddress(t *testing.T) {
	const warning = "The order has no delivery address."
	for _, tt := range []struct {
		address store.Address
		warns   bool
	}{{store.Address{}, true}, {store.Address{Country: "Denmark"}, true}, {store.Address{City: "Aarhus"}, false}} {
		quote := &store.Quote{Customer: &store.Customer{ID: "C1", Address: tt.address}}
		if text := rendered(t, views.NewOrderPage(views.NewOrder{Page: signedIn(), Quote: quote})).text(); strings.Contains(text, warning) != tt.warns {
			t.Errorf("address %+v: got %s, want a warning: %v", tt.address, text, tt.warns)
		}
	}
}
