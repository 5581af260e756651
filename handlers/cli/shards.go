package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
)

// tableShards works out how many shards a business needs, or moves its keys
// to another number of them.
func tableShards(ctx context.Context, c *call) error {
	if c.apply != 0 {
		return c.applyShards(ctx)
	}
	open, err := strconv.ParseFloat(strings.TrimSuffix(c.openPercent, "%"), 64)
	if err != nil || open < 0 || open > 100 {
		return usagef("-open is %q; it is from 0 to 100 percent", c.openPercent)
	}
	if c.orders < 1 || c.bytes < 1 {
		return usagef("-orders and -bytes are numbers from 1")
	}
	needed, proposed := store.ShardsFor(c.orders, open, c.bytes)
	fmt.Fprintf(c.stdout, "%d orders of %d bytes, of which %g %% are open at once, need %d shards.\nProposed: %d, which leaves room. 'stockroom table shards -apply %d' spreads the keys over them.\n",
		c.orders, c.bytes, open, needed, proposed, proposed)
	return nil
}

func (c *call) applyShards(ctx context.Context) error {
	return c.with(ctx, false, func(b *backend) error {
		s, err := c.business(ctx, b, false)
		if err != nil {
			return err
		}
		bar := c.newProgress(fmt.Sprintf("Moving to %d shards", c.apply), nil)
		moved, err := s.Reshard(ctx, c.apply, store.Resharding{
			Wait: func(ctx context.Context, d time.Duration) error {
				if b.engine != nil {
					return nil // this process alone has the table
				}
				fmt.Fprintf(c.stderr, "Waiting %s until every server knows.\n", d)
				return sleep(ctx, d)
			},
			Progress: func(seen, _ int) { bar.show(seen) },
		})
		bar.clear()
		if err != nil {
			return fmt.Errorf("%w; lists are whole, and the same command goes on from here", err)
		}
		fmt.Fprintf(c.stdout, "The keys of the table %s are spread over %d shards; %d items moved.\n", c.table, c.apply, moved)
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
