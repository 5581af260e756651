package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
)

// tableShards says how many shards the table has and works out how many a
// business needs, or moves its keys to another number of them.
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
	fmt.Fprintf(c.stdout, "Shards of the table %s now: %s.\n", c.table, c.shardsNow(ctx))
	fmt.Fprintf(c.stdout, "Assumed, not counted: %d orders (-orders) of %d bytes (-bytes), of which %g %% are open at once (-open).\n", c.orders, c.bytes, open)
	fmt.Fprintf(c.stdout, "On DynamoDB these need: %d.\nProposed: %d, which leaves room; 'stockroom table shards -apply %d' spreads the keys over them.\n", needed, proposed, proposed)
	if !c.dynamodb {
		fmt.Fprintln(c.stdout, "The embedded store is one file, for which 1 is best.")
	}
	return nil
}

// shardsNow is how many shards the table has, or why that is not known: what
// a business needs can be asked before there is a table.
func (c *call) shardsNow(ctx context.Context) string {
	var settings store.Settings
	err := c.withBusiness(ctx, false, func(s *store.Store) (err error) {
		settings, err = s.Settings(ctx)
		return err
	})
	switch {
	case err != nil:
		return "not known, because " + sentence(err)
	case settings.Moving:
		return fmt.Sprintf("%d, and not all keys have moved", settings.Shards)
	}
	return strconv.Itoa(settings.Shards)
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
