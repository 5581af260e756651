package store_test

import (
	"testing"
	"time"

	"stockroom/store"
)

func TestStockCover(t *testing.T) {
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	shipped := func(daysAgo, n int) store.StockMove {
		return store.StockMove{When: now.AddDate(0, 0, -daysAgo), Delta: -n, OrderID: "o"}
	}
	received := func(daysAgo int) store.StockMove {
		return store.StockMove{When: now.AddDate(0, 0, -daysAgo), Delta: 50}
	}
	for name, tt := range map[string]struct {
		entries []store.StockMove
		want    store.StockCover
		days    int
		ok      bool
	}{
		"whole period":               {[]store.StockMove{shipped(1, 2), received(30), shipped(89, 7), shipped(91, 100)}, store.StockCover{9, 90 * 24}, 100, true},
		"short ledger":               {[]store.StockMove{shipped(1, 2), received(20)}, store.StockCover{2, 20 * 24}, 100, true},
		"returned to stock":          {[]store.StockMove{shipped(1, -1), shipped(2, 2), received(100)}, store.StockCover{1, 90 * 24}, 900, true},
		"more than in stock":         {[]store.StockMove{shipped(1, 1000), received(100)}, store.StockCover{1000, 90 * 24}, 0, true},
		"nothing shipped":            {[]store.StockMove{received(100)}, store.StockCover{0, 90 * 24}, 0, false},
		"too short":                  {[]store.StockMove{shipped(1, 3), received(6)}, store.StockCover{3, 0}, 0, false},
		"all returned":               {[]store.StockMove{shipped(1, -3), shipped(5, 3), received(100)}, store.StockCover{0, 90 * 24}, 0, false},
		"entry in the future":        {[]store.StockMove{shipped(-1, 3)}, store.StockCover{3, 0}, 0, false},
		"more returned than shipped": {[]store.StockMove{shipped(1, -5), received(100)}, store.StockCover{-5, 90 * 24}, 0, false},
		"last day of a period":       {[]store.StockMove{shipped(90, 1), received(100)}, store.StockCover{1, 90 * 24}, 900, true},
	} {
		got := store.CoverOf(tt.entries, true, now)
		if days, ok := got.Days(10); got != tt.want || days != tt.days || ok != tt.ok {
			t.Errorf("%s: got %+v and %d days (%v), want %+v and %d days (%v)", name, got, days, ok, tt.want, tt.days, tt.ok)
		}
	}
}

// TestStockCover_OfFastProducts checks the cover if only the newest entries of a
// ledger are read.
func TestStockCover_OfFastProducts(t *testing.T) {
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	for every, want := range map[time.Duration]store.StockCover{
		30 * time.Minute: {store.MaxLimit, (store.MaxLimit - 1) / 2},
		time.Second:      {store.MaxLimit, 1},
		-time.Hour:       {store.MaxLimit, 1}, // the time of an entry is in the future, because a clock was wrong
	} {
		var entries []store.StockMove
		for n := range store.MaxLimit {
			entries = append(entries, store.StockMove{When: now.Add(-time.Duration(n) * every), OrderID: "o", Delta: -1})
		}
		got := store.CoverOf(entries, false, now)
		if days, ok := got.Days(480); got != want || !ok || days != 20*want.Hours/store.MaxLimit {
			t.Errorf("one piece every %s: got %+v and %d days (%v), want %+v", every, got, days, ok, want)
		}
	}
}
