package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// exportFiles writes the business into a folder that has none of the files
// yet. What is written while the business goes on is a picture of no single
// moment.
func exportFiles(ctx context.Context, c *call) error {
	format := exchange.Format(c.format)
	if !slices.Contains(exchange.Formats, format) {
		return usagef("-format is %q; it can be csv or jsonl", c.format)
	}
	var asked []string
	for name := range strings.SplitSeq(c.entities, ",") {
		if name = strings.TrimSpace(name); name != "" {
			asked = append(asked, name)
		}
	}
	names, err := exchange.FileNames(format, asked)
	if err != nil {
		return usageError(err.Error())
	}
	folder := c.args[0]
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return c.withBusiness(ctx, false, func(s *store.Store) error {
		settings, err := s.Settings(ctx)
		if err != nil {
			return err
		}
		bar := c.newProgress(folder, nil)
		rows, err := exchange.Export(ctx, s, exchange.Exporting{
			Format: format, Files: names, Shards: settings.Shards, Progress: bar.show,
			Create: func(name string) (io.WriteCloser, error) { return createNew(filepath.Join(folder, name)) },
		})
		bar.clear()
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w; name another folder, or take the file away", err)
		}
		columns(c.stdout, func(row func(...string)) {
			for _, name := range slices.Sorted(maps.Keys(rows)) {
				row(name+"."+c.format, fmt.Sprintf("%d rows", rows[name]))
			}
		})
		return err
	})
}

// createNew makes a file that only this user may read: it holds names and
// addresses of people.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}
