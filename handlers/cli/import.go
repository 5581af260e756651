package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// source is one file of an import, read.
type source struct {
	name string
	rows *exchange.Import
}

// importFiles loads files into the table. All of them are read before
// anything is loaded: where one is damaged, none has changed the table.
func importFiles(ctx context.Context, c *call) error {
	var sources []source
	for _, name := range c.args {
		rows, err := c.read(name)
		if err != nil {
			return err
		}
		sources = append(sources, source{name, rows})
	}
	return c.withBusiness(ctx, true, func(s *store.Store) error {
		var rejected []string
		refused := 0
		for _, from := range sources {
			if err := c.load(ctx, s, from); err != nil {
				return err
			}
			path, err := saveRefused(from)
			if err != nil {
				return err
			}
			if n := len(from.rows.Refused); n > 0 {
				refused += n
				rejected = append(rejected, path)
			}
		}
		if refused > 0 {
			return fmt.Errorf("refused rows: %d; which and why is in %s", refused, strings.Join(rejected, ", "))
		}
		return nil
	})
}

// read reads a file in the form that its name says.
func (c *call) read(name string) (*exchange.Import, error) {
	if name == "-" {
		return exchange.Workbench(labelOf(name), c.stdin)
	}
	if !strings.EqualFold(filepath.Ext(name), ".json") {
		return nil, fmt.Errorf("%s cannot be imported: NoSQL Workbench models can, whose names end in .json", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer file.Close()
	rows, err := exchange.Workbench(name, file)
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return nil, unreadable(name, err)
	}
	return rows, err
}

func unreadable(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// load puts what was read into the table, or says what that would do, and
// adds what the table refused to what the file's reader did.
func (c *call) load(ctx context.Context, s *store.Store, from source) error {
	bar := c.newProgress(labelOf(from.name), len(from.rows.Entities))
	loaded, err := s.Load(ctx, from.rows.Entities, store.Loading{Rehearse: c.dryRun, Progress: bar.show})
	bar.clear()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: interrupted; what is loaded stays, and importing it again loads the rest", labelOf(from.name))
	}
	if err != nil {
		return err
	}
	for _, r := range loaded.Refused {
		from.rows.Refuse(r.Index, r.Reason)
	}
	c.report(from, loaded)
	return nil
}

// report says how many of each entity went in.
func (c *call) report(from source, loaded store.Loaded) {
	added := "added"
	if c.dryRun {
		added = "would be added"
	}
	total := 0
	for _, n := range loaded.Written {
		total += n
	}
	changed := fmt.Sprintf("%d %s", total, added)
	if total == 0 && !c.dryRun {
		changed = "nothing changed"
	}
	fmt.Fprintf(c.stdout, "%s: %s, %d there already, %d refused\n", labelOf(from.name), changed, loaded.Present, len(from.rows.Refused))
	columns(c.stdout, func(row func(...string)) {
		for _, kind := range slices.Sorted(maps.Keys(loaded.Written)) {
			row("  "+kind, fmt.Sprintf("%d %s", loaded.Written[kind], added))
		}
	})
	if loaded.Renewed > 0 {
		fmt.Fprintf(c.stdout, "  receipts whose time was over, kept for another life from now on: %d\n", loaded.Renewed)
	}
}

// saveRefused writes the rows that were refused beside the file. Where there
// are none, the file of an earlier import is taken away.
func saveRefused(from source) (path string, err error) {
	path = from.name + ".rejected.jsonl"
	if from.name == "-" {
		path = "stdin.rejected.jsonl"
	}
	if len(from.rows.Refused) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return "", nil
	}
	// Rows hold names and addresses of people: for this user's eyes only.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "", fmt.Errorf("refused rows: %d, but %w", len(from.rows.Refused), err)
	}
	return path, errors.Join(exchange.WriteRefused(file, labelOf(from.name), from.rows.Refused), file.Close())
}

func labelOf(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
