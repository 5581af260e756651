package browsertest

import (
	"strings"
	"testing"

	"stockroom/store"
)

// TestEnter_BooksKayak fills in the form for a booking and presses Enter in the note, with
// and without scripts. Enter must book the kayak, and not only show the availability.
func TestEnter_BooksKayak(t *testing.T) {
	for _, noScript := range []bool{false, true} {
		sc := screen{width: 1280, noScript: noScript}
		t.Run(sc.String(), func(t *testing.T) {
			b := serveStaff(
				t, sc, store.User{Name: "siv", Role: store.Manager, Stores: []string{"s1"}},
				&store.RentalStore{ID: "s1", Name: "Djurgården", In: 1, Version: 1},
				&store.Kayak{ID: "k1", StoreID: "s1", Name: "Heron", Kind: "Sea", Status: store.KayakIn, Version: 1},
			)
			b.visit("/stores/s1/book")
			b.fill("person", "c90")
			b.fill("kayak", "k1")
			b.follow(typeKeys(field("note"), "Calls before noon\r"))
			if at := b.path(); !strings.HasPrefix(at, "/bookings/") {
				t.Errorf("got %s, want the new booking; the page says:\n%s", at, b.text("main"))
			}
		})
	}
}
