package views_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

// TestShortMessage_CutsAfterSentence shortens a message with a link to every length. A short
// message must end with a whole sentence and contain whole links.
func TestShortMessage_CutsAfterSentence(t *testing.T) {
	changed := &store.ChangedBookings{Moved: []store.Booking{{ID: "b1", PersonName: "Dr. No", KayakName: "Heron 17"}}}
	first, link := "Checked in: Heron 10 (k10), Heron 11 (k11).", views.ChangedBookings(changed)
	message := first + link + " Deposit kept: €5.00."
	for limit := len(" …"); limit <= len(message); limit++ {
		got := views.ShortMessage(message, limit)
		if len(got) > limit {
			t.Fatalf("limit %d: got %d bytes", limit, len(got))
		}
		switch rest, _ := strings.CutSuffix(got, " …"); rest {
		case "", "Checked", "Checked in:", "Checked in: Heron", "Checked in: Heron 10", "Checked in: Heron 10 (k10),",
			"Checked in: Heron 10 (k10), Heron", "Checked in: Heron 10 (k10), Heron 11":
			if limit >= len(first)+len(" …") {
				t.Errorf("limit %d: got %q, want the first sentence", limit, got)
			}
		case first, first + link, message:
		default:
			t.Errorf("limit %d: got %q, want whole sentences and links", limit, got)
		}
	}
	if got := views.ShortMessage(message, len(message)); got != message {
		t.Errorf("got %q, want the whole message", got)
	}
}
