package cli

import (
	"context"
	"errors"
	"fmt"

	"stockroom/store"
)

// rekeyTable adds missing index keys to items, corrects incomplete or wrong keys, and makes
// the other repairs of Store.Rekey, such as adding missing search words.
func rekeyTable(ctx context.Context, c *call) error {
	return c.withStore(ctx, false, func(s *store.Store) error {
		bar := c.newProgress("Checking index keys", nil)
		result, err := s.Rekey(ctx, store.Rekeying{Progress: func(r store.RekeyResult) { bar.show(r.Read) }})
		bar.clear()
		switch {
		case errors.Is(err, store.ErrLeased):
			return errors.New("another 'stockroom table rekey' is running, or was killed less than a minute ago: try again in a minute")
		case err != nil:
			return fmt.Errorf("%w; items checked: %d; run the same command again to continue", err, result.Read)
		}
		fmt.Fprintf(c.stdout, "Table %s: %s checked, %d repaired.\n", c.table, store.NumberOf(result.Read, "item", "items"), result.Repaired)
		if result.Damaged > 0 {
			return fmt.Errorf("damaged items, which were not changed: %d; one of them: %s", result.Damaged, result.First)
		}
		return nil
	})
}
