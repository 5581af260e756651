package views_test

import (
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// TestCheckInPage_ListsErrorsInOrderOfFields shows a form with errors in its first field and in
// its last one, in which more kayaks are entered.
func TestCheckInPage_ListsErrorsInOrderOfFields(t *testing.T) {
	quote := store.CheckInQuote{Lines: []store.CheckInLine{{ActiveRental: store.ActiveRental{KayakID: "k1"}}}}
	page := rendered(t, views.CheckInPage(views.CheckIn{
		RentalForm: views.RentalForm{Page: signedIn(), Kayaks: ui.Input{Error: "Enter an ID."}},
		Quote:      &quote, States: []views.KayakState{{Damage: ui.Input{Error: "Too long."}}},
	}))
	var fields []string
	for _, link := range page.one(t, "role", "alert").all("a") {
		fields = append(fields, link.attr("href"))
	}
	if want := []string{"#field-damage-1", "#field-kayaks"}; !slices.Equal(fields, want) {
		t.Errorf("got the errors of %q, want those of %q", fields, want)
	}
}
