package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

func createTable(ctx context.Context, c *call) error {
	if err := c.checkProtection(); err != nil {
		return err
	}
	return c.withBackend(ctx, true, func(b *backend) error {
		s := store.New(b, c.table, c.clock)
		_, _, err := s.CheckTable(ctx)
		if err := c.initTable(ctx, s); err != nil {
			return err
		}
		switch {
		case !isMissingTable(err):
		case c.dynamodb:
			fmt.Fprintf(c.stdout, "Created table %s.\n", c.table)
		default:
			fmt.Fprintf(c.stdout, "Created table %s in the folder %s.\n", c.table, c.data)
		}
		if client, ok := b.DB.(*dynamodb.Client); ok && c.dynamodb { // a running server is also reached through a client
			if err := c.protectTable(ctx, client); err != nil {
				return err
			}
		}
		return c.printTableCheck(ctx, s)
	})
}

func checkTable(ctx context.Context, c *call) error {
	return c.withBackend(ctx, false, func(b *backend) error {
		return c.printTableCheck(ctx, store.New(b, c.table, c.clock))
	})
}

// printTableCheck prints the differences between the table and the required schema. It
// returns an error if there are any, or if an index is not ready.
func (c *call) printTableCheck(ctx context.Context, s *store.Store) error {
	problems, building, err := s.CheckTable(ctx)
	if err != nil {
		return c.missingTable(err)
	}
	for _, problem := range problems {
		fmt.Fprintln(c.stdout, problem)
	}
	if len(problems) > 0 {
		return fmt.Errorf("table %s does not match the required schema: fix the problems above, or choose another table with -table", c.table)
	}
	for _, index := range building {
		fmt.Fprintf(c.stdout, "The index %s is still being created.\n", index)
	}
	if len(building) > 0 {
		return fmt.Errorf("table %s matches the required schema, but the indexes above are not ready", c.table)
	}
	fmt.Fprintf(c.stdout, "Table %s matches the required schema.\n", c.table)
	return nil
}

// isMissingTable reports whether an error says that the table does not exist.
func isMissingTable(err error) bool {
	var missing *types.ResourceNotFoundException
	return errors.As(err, &missing)
}

// missingTable returns an error with the command that creates the table, if err says that
// the table does not exist. Otherwise, it returns err.
func (c *call) missingTable(err error) error {
	if !isMissingTable(err) {
		return err
	}
	return fmt.Errorf("the table %s does not exist: create it with '%s'", c.table, c.fullCommand("table create"))
}

func printModel(_ context.Context, c *call) error {
	text, err := store.DesignJSON()
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(text)
	return err
}
