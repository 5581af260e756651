package store

import (
	"testing"
	"time"
)

// TestStockCover computes the cover of ledgers of different lengths, newest entry first.
func TestStockCover(t *testing.T) {
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	shipped := func(daysAgo, n int) StockMove {
		return StockMove{When: now.AddDate(0, 0, -daysAgo), Delta: -n, OrderID: "o"}
	}
	received := func(daysAgo int) StockMove { return StockMove{When: now.AddDate(0, 0, -daysAgo), Delta: 50} }
	for name, tt := range map[string]struct {
		entries []StockMove
		want    StockCover
		days    int
		ok      bool
	}{
		"whole period":         {[]StockMove{shipped(1, 2), received(30), shipped(89, 7), shipped(91, 100)}, StockCover{9, 90}, 100, true},
		"young ledger":         {[]StockMove{shipped(1, 2), received(20)}, StockCover{2, 20}, 100, true},
		"returned to stock":    {[]StockMove{shipped(1, -1), shipped(2, 2), received(100)}, StockCover{1, 90}, 900, true},
		"more than in stock":   {[]StockMove{shipped(1, 1000), received(100)}, StockCover{1000, 90}, 0, true},
		"nothing shipped":      {[]StockMove{received(100)}, StockCover{0, 90}, 0, false},
		"too short":            {[]StockMove{shipped(1, 3), received(6)}, StockCover{3, 0}, 0, false},
		"all returned":         {[]StockMove{shipped(1, -3), shipped(5, 3), received(100)}, StockCover{0, 90}, 0, false},
		"entry of the future":  {[]StockMove{shipped(-1, 3)}, StockCover{3, 0}, 0, false},
		"more returned to it":  {[]StockMove{shipped(1, -5), received(100)}, StockCover{-5, 90}, 0, false},
		"last day of a period": {[]StockMove{shipped(90, 1), received(100)}, StockCover{1, 90}, 900, true},
	} {
		got := coverOf(tt.entries, now)
		if days, ok := got.Days(10); got != tt.want || days != tt.days || ok != tt.ok {
			t.Errorf("%s: got %+v and %d days (%v), want %+v and %d days (%v)", name, got, days, ok, tt.want, tt.days, tt.ok)
		}
	}
}
