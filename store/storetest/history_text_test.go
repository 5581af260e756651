package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func lastEvent(t *testing.T, a store.Access, partition string) store.Event {
	t.Helper()
	found, err := a.Events(t.Context(), store.EventFilter{About: partition}, store.Page{Limit: 1})
	if err != nil || len(found.Rows) != 1 {
		t.Fatalf("got %+v, %v; want an event of %s", found.Rows, err, partition)
	}
	return found.Rows[0]
}

// TestHistory_SaysWhatChanged turns the scheduler on and off, and removes a
// description. The events must contain the values before and after.
func TestHistory_SaysWhatChanged(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		a := s.As(admin)
		for _, tt := range []struct {
			on            bool
			before, after string
		}{{true, "scheduler off", "scheduler on"}, {false, "scheduler on", "scheduler off"}} {
			if err := a.SetScheduler(t.Context(), tt.on); err != nil {
				t.Fatal(err)
			}
			if e := lastEvent(t, a, "settings"); e.Before != tt.before || e.After != tt.after {
				t.Errorf("got %q → %q, want %q → %q", e.Before, e.After, tt.before, tt.after)
			}
		}
		p, err := a.ProductForChange(t.Context(), product)
		if err != nil {
			t.Fatal(err)
		}
		p.Description = ""
		if err := a.SaveProduct(t.Context(), *p, ""); err != nil {
			t.Fatal(err)
		}
		if e := lastEvent(t, a, "p#"+product); e.Before != "description d" || e.After != "description removed" {
			t.Errorf("got %q → %q, want the description removed", e.Before, e.After)
		}
	})
}
