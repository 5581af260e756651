package exchange

import (
	"bytes"
	"errors"
	"testing"
)

// TestRejectedWriter_IsLimited checks that a full file contains only whole rows.
func TestRejectedWriter_IsLimited(t *testing.T) {
	var out bytes.Buffer
	w := NewRejectedWriter(&out, "items.jsonl")
	if w.limit != 128<<20 {
		t.Errorf("got a limit of %d bytes, want 128 MB", w.limit)
	}
	row := RejectedRow{Row: Row{raw: []byte(`{"PK":{"S":"c#1"}}`)}, Reason: "Unknown kind of item."}
	if err := w.Write(&row); err != nil {
		t.Fatal(err)
	}
	line := out.Len()
	w.limit = 2*line + line/2
	if err := w.Write(&row); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Write(&row); !errors.Is(err, ErrRejectedFull) {
			t.Errorf("got %v, want %v", err, ErrRejectedFull)
		}
	}
	if out.Len() != 2*line {
		t.Errorf("got %d bytes, want two rows of %d bytes", out.Len(), line)
	}
}
