package store

import "context"

// TryChange makes a change for tests: it writes a warehouse on the condition that
// its version is seen, adds an order to the totals, and records an event.
func TryChange(ctx context.Context, s *Store, warehouseID string, seen int, token string) error {
	c, err := s.As(&User{Name: "kim", Role: Admin}).change(ctx, token)
	if err != nil {
		return err
	}
	w := &Warehouse{ID: warehouseID, Name: "W", Version: seen + 1}
	if seen == 0 {
		c.Create(w)
	} else {
		c.Replace(w, seen)
	}
	c.addTotal(Tally{Kind: TotalOrders, At: s.now(), ID: warehouseID, Count: 1, Amount: MinorUnits(250)})
	c.recordEvent(Event{Partition: "w#" + warehouseID, What: "changed", Before: "before", After: "after"})
	return c.Commit(ctx)
}
