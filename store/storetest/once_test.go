package storetest_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestAFormIsDoneOnceForWhatItSaid sends forms again as they were, and again
// with other values.
func TestAFormIsDoneOnceForWhatItSaid(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop()
		shop.Load(t, s)
		admin := s.As(&store.User{Name: "admin", Role: store.Admin})
		token := s.NewToken()
		note := func(text, once string) error { return admin.NoteOnCustomer(t.Context(), "c07", text, once) }
		for range 2 {
			if err := note("rang", token+".1"); err != nil {
				t.Fatal(err)
			}
		}
		err := note("rang twice", token+".2")
		if store.KindOf(err) != store.Conflict || !strings.Contains(err.Error(), "was sent before") {
			t.Errorf("the same form with another note: %v", err)
		}
		events, err := admin.EventsOfCustomer(t.Context(), "c07", store.Page{})
		if err != nil || len(events.Rows) != 1 || events.Rows[0].Why != "rang" {
			t.Errorf("noted: %+v, %v", events.Rows, err)
		}
	})
}
