package storetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestHistory_Filters(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		var entities []store.Entity
		for n := range 60 {
			entities = append(entities, &store.Event{
				ID: fmt.Sprintf("01EVENT%03d", n), Partition: fmt.Sprintf("o#%d", n%3), When: clock.Now().Add(-time.Duration(60-n) * 8 * time.Hour),
				By: []string{"kim", "mia", store.Program}[n%3], What: "noted", Before: "a", After: "b",
			})
		}
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		a := s.As(admin)
		for name, tt := range map[string]struct {
			filter store.EventFilter
			wanted func(n int, e *store.Event) bool
		}{
			"all":     {store.EventFilter{}, func(int, *store.Event) bool { return true }},
			"a user":  {store.EventFilter{By: "KIM"}, func(n int, _ *store.Event) bool { return n%3 == 0 }},
			"program": {store.EventFilter{By: "Stockroom"}, func(n int, _ *store.Event) bool { return n%3 == 2 }},
			"a thing": {store.EventFilter{About: "o#1"}, func(n int, _ *store.Event) bool { return n%3 == 1 }},
			"days": {store.EventFilter{Days: store.DateRange{From: day(2026, 11, 10), To: day(2026, 11, 12)}}, func(_ int, e *store.Event) bool {
				return !e.When.Before(day(2026, 11, 10)) && e.When.Before(day(2026, 11, 13))
			}},
			"days to come": {store.EventFilter{Days: store.DateRange{From: day(2026, 11, 30)}}, func(int, *store.Event) bool { return false }},
		} {
			var want, got []string
			for n := range entities {
				if e := entities[len(entities)-1-n].(*store.Event); tt.wanted(len(entities)-1-n, e) {
					want = append(want, e.ID)
				}
			}
			page := store.Page{Limit: 7}
			for {
				found, err := a.Events(t.Context(), tt.filter, page)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range found.Rows {
					got = append(got, e.ID)
				}
				if found.Next == nil {
					break
				}
				page.At = found.Next
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
	})
}

func TestSettings_RequireTheVersionRead(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx, a := t.Context(), s.As(admin)
		to := func(currency string) store.Settings {
			settings := store.DefaultSettings()
			settings.Currency, settings.Shards = currency, 7
			return settings
		}
		if err := a.ChangeSettings(ctx, to("SEK"), "t1"); err != nil {
			t.Fatal(err)
		}
		if err := a.ChangeSettings(ctx, to("SEK"), "t1"); err != nil {
			t.Errorf("same form again: got %v, want success", err)
		}
		if err := a.ChangeSettings(ctx, to("NOK"), "t2"); store.KindOf(err) != store.Conflict {
			t.Errorf("old version: got %v, want Conflict", err)
		}
		saved, err := a.CurrentSettings(ctx)
		if err != nil || saved.Currency != "SEK" || saved.Version != 1 || saved.Shards != store.DefaultSettings().Shards {
			t.Errorf("got settings %+v, %v, want SEK, version 1 and the default number of shards", saved, err)
		}
		history, err := a.Events(ctx, store.EventFilter{About: "settings"}, store.Page{})
		if err != nil || len(history.Rows) != 1 || history.Rows[0].Before != "currency EUR" || history.Rows[0].After != "currency SEK" {
			t.Errorf("got history %+v, %v, want one event: currency EUR to SEK", history.Rows, err)
		}
	})
}
