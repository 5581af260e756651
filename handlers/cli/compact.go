package cli

import (
	"context"
	"fmt"
	"time"
)

func compact(ctx context.Context, c *call) error {
	if c.dynamodb {
		return usagef("compact works only with the embedded store, not with -dynamodb")
	}
	return c.withMaintenance(ctx, func(m maintenance) error {
		result, err := m.Compact(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Compacted the store in %s from %.1f MB to %.1f MB. Writes were blocked for %s.\n", c.data, float64(result.Before)/1e6, float64(result.After)/1e6, result.Paused.Round(time.Millisecond))
		return nil
	})
}
