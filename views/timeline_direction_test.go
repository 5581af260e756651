package views

import "testing"

// TestWithAuthor_KeepsDirection adds the author to notes that change the direction of text.
// The change must end before the author.
func TestWithAuthor_KeepsDirection(t *testing.T) {
	for text, want := range map[string]string{
		"Called":                   "Called, by mia",
		"Called.":                  "Called. By mia",
		"\u202ereversed":           "\u2068\u202ereversed\u2069, by mia",
		"\u2069\u202eescape.":      "\u2068\u202eescape.\u2069 By mia",
		"\u202e\u2066twice":        "\u2068\u202etwice\u2069, by mia",
		"\u05e9\u05dc\u05d5\u05dd": "\u05e9\u05dc\u05d5\u05dd, by mia",
	} {
		if got := withAuthor(text, "mia"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
