package cli

import (
	"context"
	"fmt"

	"stockroom/store"
)

// maxShownDifferences limits the number of differences that 'table totals' prints.
const maxShownDifferences = 100

// tableTotals compares totals, quotas and stock levels with the records that they count.
// With -rebuild, it corrects wrong values.
func tableTotals(ctx context.Context, c *call) error {
	if c.check == c.rebuild {
		return usagef("use either -check or -rebuild")
	}
	return c.withStore(ctx, false, func(s *store.Store) error {
		bar := c.newProgress("Reading the table", nil)
		shown := 0
		result, err := s.CheckTotals(ctx, store.TotalsCheck{
			Rebuild: c.rebuild, Progress: bar.show,
			Found: func(d store.TotalDifference) {
				if shown++; shown <= maxShownDifferences {
					bar.clear()
					fmt.Fprintln(c.stdout, d)
				}
			},
		})
		bar.clear()
		switch {
		case err != nil && c.check:
			return fmt.Errorf("%w; nothing was changed; run the command again to compare all totals", err)
		case err != nil:
			return fmt.Errorf("%w; totals corrected: %d; run the same command again to correct the rest", err, result.Rebuilt)
		}
		if more := shown - maxShownDifferences; more > 0 {
			fmt.Fprintf(c.stdout, "More differences: %d\n", more)
		}
		fmt.Fprintf(c.stdout, "Table %s: %s compared, %d different, %d corrected.\n", c.table, store.NumberOf(result.Compared, "total", "totals"), result.Different, result.Rebuilt)
		if result.NotChecked > 0 {
			fmt.Fprintf(c.stdout, "Daily totals of payments from before the last change of the time zone, not checked: %d\n", result.NotChecked)
		}
		switch {
		case result.Changing > 0:
			return fmt.Errorf("totals that kept changing and were not compared: %d; run the command again when the table is less busy", result.Changing)
		case result.Different > result.Rebuilt:
			return fmt.Errorf("some totals are wrong: run '%s' to correct them", c.fullCommand("table totals -rebuild"))
		}
		return nil
	})
}
