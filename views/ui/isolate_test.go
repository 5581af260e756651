package ui_test

import (
	"strings"
	"testing"

	"stockroom/views/ui"
)

// TestTimeline_SeparatesLines checks that the lines of a note and the name of its author
// are separate.
func TestTimeline_SeparatesLines(t *testing.T) {
	var got strings.Builder
	about := ui.Isolate("\u05e9\u05dc\u05d5\u05dd\ncall first") + " By kim"
	if err := ui.Timeline([]ui.TimelineEntry{{What: "Note", About: about}}).Render(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	if want := `<p><span class="lines" dir="auto">שלום` + "\ncall first" + `</span>By kim</p>`; !strings.Contains(got.String(), want) {
		t.Errorf("got %s, want %s", got.String(), want)
	}
}

// TestIsolate checks that text with another direction does not change the direction of the
// text after it.
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
