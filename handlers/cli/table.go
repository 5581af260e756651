package cli

import (
	"context"
	"fmt"

	"stockroom/store"
)

func createTable(ctx context.Context, c *call) error {
	return c.with(ctx, true, func(b *backend) error {
		s := store.New(b, c.table, c.clock)
		if err := c.makeTable(ctx, s); err != nil {
			return err
		}
		return c.judge(ctx, s)
	})
}

func checkTable(ctx context.Context, c *call) error {
	return c.with(ctx, false, func(b *backend) error {
		return c.judge(ctx, store.New(b, c.table, c.clock))
	})
}

// judge prints what the table lacks, which makes the command fail.
func (c *call) judge(ctx context.Context, s *store.Store) error {
	lacks, err := s.CheckTable(ctx)
	if err != nil {
		return err
	}
	for _, lack := range lacks {
		fmt.Fprintln(c.stdout, lack)
	}
	if len(lacks) > 0 {
		return fmt.Errorf("the table %s is not as it needs to be: add what it lacks, or name another table with -table", c.table)
	}
	fmt.Fprintf(c.stdout, "The table %s is as it needs to be.\n", c.table)
	return nil
}
