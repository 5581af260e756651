package ui_test

import (
	"testing"

	"stockroom/views/ui"
)

// TestIsolate isolates texts that change the direction of text. The change must end with
// the text.
func TestIsolate(t *testing.T) {
	for text, want := range map[string]string{
		"Called.":            "Called.",
		"\u202ereversed":     "\u2068\u202ereversed\u2069",
		"\u2069\u202eescape": "\u2068\u202eescape\u2069",
		"\u202e\u2066twice":  "\u2068\u202etwice\u2069",
		"\u05e9\u05dc":       "\u2068\u05e9\u05dc\u2069",
		"two\nlines":         "\u2068two\nlines\u2069",
	} {
		if got := ui.Isolate(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
