package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
)

func tableShards(ctx context.Context, c *call) error {
	if c.apply != 0 {
		return c.applyShards(ctx)
	}
	open, err := strconv.ParseFloat(strings.TrimSuffix(c.openPercent, "%"), 64)
	if err != nil || open < 0 || open > 100 {
		return usagef("invalid -open %q: enter a percentage from 0 to 100", c.openPercent)
	}
	if c.orders < 1 || c.bytes < 1 || c.peak < 0 {
		return usagef("-orders and -bytes must be at least 1, and -peak at least 0")
	}
	needed, recommended := store.OrderLoad{Orders: c.orders, OpenPercent: open, Bytes: c.bytes, PerSecond: c.peak}.Shards()
	current := c.currentShards(ctx)
	fmt.Fprintf(c.stdout, "Current shards of table %s: %s\n", c.table, current)
	fmt.Fprintf(c.stdout, "Assumptions: %s (-orders) of %s (-bytes), %g%% of them open at the same time (-open), %g placed per second at the peak (-peak)\n", store.NumberOf(c.orders, "order", "orders"), store.NumberOf(c.bytes, "byte", "bytes"), open, c.peak)
	fmt.Fprintf(c.stdout, "Shards needed on DynamoDB: %d\nRecommended, with room to grow: %d\n", needed, recommended)
	if needed > store.MaxShards {
		fmt.Fprintf(c.stdout, "A table can have at most %d shards. With this load, DynamoDB will throttle some requests at the peak.\n", store.MaxShards)
	}
	if !c.dynamodb {
		fmt.Fprintln(c.stdout, "The embedded store is one file and needs only 1 shard. The numbers above apply to DynamoDB.")
		return nil
	}
	if current == strconv.Itoa(recommended) {
		fmt.Fprintln(c.stdout, "The table already has the recommended number.")
		return nil
	}
	fmt.Fprintf(c.stdout, "To change to the recommended number, run '%s'.\n", c.fullCommand(fmt.Sprintf("table shards -apply %d", recommended)))
	return nil
}

// currentShards returns the number of shards as text. If the number cannot be read, it
// returns the reason instead of an error, because the recommendation does not depend on the
// current number.
func (c *call) currentShards(ctx context.Context) string {
	var settings store.Settings
	err := c.withStore(ctx, false, func(s *store.Store) (err error) {
		settings, err = s.Settings(ctx)
		return err
	})
	switch {
	case err != nil:
		return "unknown (" + message(err) + ")"
	case settings.Moving:
		return fmt.Sprintf("%d (change in progress)", settings.Shards)
	}
	return strconv.Itoa(settings.Shards)
}

func (c *call) applyShards(ctx context.Context) error {
	return c.withBackend(ctx, false, func(b *backend) error {
		s, err := c.openStore(ctx, b, false)
		if err != nil {
			return err
		}
		bar := c.newProgress("Changing to "+store.NumberOf(c.apply, "shard", "shards"), nil)
		moved, err := s.Reshard(ctx, c.apply, store.Resharding{
			Wait: func(ctx context.Context, d time.Duration) error {
				if b.engine != nil {
					return nil // no server has to read the new settings
				}
				fmt.Fprintf(c.stderr, "Waiting %s until all servers have read the new settings.\n", d)
				return sleep(ctx, d)
			},
			Progress: func(seen, _ int) { bar.show(seen) },
		})
		bar.clear()
		if err != nil {
			return fmt.Errorf("%w; lists still show every row; run the same command again to continue", err)
		}
		fmt.Fprintf(c.stdout, "Table %s now has %s; %s moved.\n", c.table, store.NumberOf(c.apply, "shard", "shards"), store.NumberOf(moved, "item", "items"))
		return nil
	})
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
