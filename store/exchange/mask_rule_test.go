package exchange

import (
	"maps"
	"slices"
	"testing"

	"stockroom/store"
)

// TestMaskRules_Complete requires a rule for every attribute of every entity,
// because masked exports omit attributes without one.
func TestMaskRules_Complete(t *testing.T) {
	for i := range sheets {
		s := &sheets[i]
		want := map[string]bool{}
		addLeaves(want, "", s.definition.Attributes())
		if got := maskRules[s.entityType]; !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
			t.Errorf("%s:\n got rules for %q\nwant %q", s.entityType, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	if len(maskRules) != len(sheets) {
		t.Errorf("got rules for %d entities, want %d", len(maskRules), len(sheets))
	}
}

// TestMaskState_KeepsStatusesOfBookings compares the masked values of an event of a booking.
func TestMaskState_KeepsStatusesOfBookings(t *testing.T) {
	for state, want := range map[string]string{"BOOKED": "BOOKED", "NO_SHOW": "NO_SHOW", "Åsa": masked} {
		if got := maskState(nil, maskedText{}, state); got != want {
			t.Errorf("%s: got %s, want %s", state, got, want)
		}
	}
}

func addLeaves(all map[string]bool, path string, attributes []store.Attribute) {
	for _, a := range attributes {
		if len(a.Parts) > 0 {
			addLeaves(all, path+a.Name+".", a.Parts)
		} else {
			all[path+a.Name] = true
		}
	}
}
