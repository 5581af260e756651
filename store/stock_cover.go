package store

import (
	"context"
	"time"
)

// Limits of a StockCover.
const (
	coverDays    = 90 // maximum length of the period, in days
	minCoverDays = 7  // minimum length of a complete ledger, in days
)

// StockCover says how much of a product a warehouse has shipped in a period of at most
// coverDays days; see CoverOf.
type StockCover struct {
	Shipped int // pieces shipped and not returned to stock
	Hours   int // length of the period in hours; 0 if the ledger is too short
}

// Days returns how many days a quantity lasts if the warehouse continues to ship at
// the same rate. ok is false if nothing has shipped or the ledger is too short.
func (c StockCover) Days(quantity int) (days int, ok bool) {
	if c.Shipped <= 0 || c.Hours == 0 {
		return 0, false
	}
	return max(0, quantity) * c.Hours / (24 * c.Shipped), true
}

// StockCover returns the cover of a product in a warehouse. It reads the newest MaxLimit
// entries of the stock ledger, with one request per pattern of productLedger. It returns
// the zero StockCover if there are no entries.
func (a Access) StockCover(ctx context.Context, productID, warehouseID string) (StockCover, error) {
	entries, err := a.StockMoves(ctx, productID, warehouseID, Page{Limit: MaxLimit, Partial: true})
	if err != nil || len(entries.Rows) == 0 {
		return StockCover{}, err
	}
	return CoverOf(entries.Rows, entries.Next == nil, a.store.now()), nil
}

// CoverOf computes the cover from entries of the ledger, newest first. It uses the entries
// of the last coverDays days, or all entries if they cover a shorter period. If the
// argument whole is true, the ledger has no older entries. CoverOf then returns no cover if
// the entries span less than minCoverDays.
func CoverOf(entries []StockMove, whole bool, now time.Time) StockCover {
	const day = 24 * time.Hour
	c := StockCover{Hours: coverDays * 24}
	start := now.Add(-coverDays * day)
	for i := range entries {
		if entries[i].When.Before(start) {
			break
		}
		if entries[i].OrderID != "" {
			c.Shipped -= entries[i].Delta
		}
	}
	if oldest := entries[len(entries)-1].When; oldest.After(start) {
		c.Hours = int(now.Sub(oldest) / time.Hour)
	}
	switch {
	case !whole:
		c.Hours = max(1, c.Hours)
	case c.Hours < minCoverDays*24:
		c.Hours = 0
	}
	return c
}
