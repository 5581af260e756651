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
	"syscall"

	"stockroom/store"
	"stockroom/store/exchange"
)

// exportFiles writes the business into a folder that has none of the files
// yet. What is written while the business goes on is a picture of no single
// moment.
func exportFiles(ctx context.Context, c *call) error {
	format := exchange.Format(c.format)
	if format != exchange.FormatModel && !slices.Contains(exchange.Formats, format) {
		return usagef("-format is %q; it can be csv, jsonl or workbench", c.format)
	}
	if c.sample < 0 || c.sample > 0 && format != exchange.FormatModel {
		return usagef("-sample goes with -format workbench, and is a number of items")
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
	if err := makeFolder(folder); err != nil {
		return err
	}
	return c.withBusiness(ctx, false, func(s *store.Store) error {
		settings, err := s.Settings(ctx)
		if err != nil {
			return err
		}
		if format == exchange.FormatModel {
			return c.exportModel(ctx, s, filepath.Join(folder, modelName), exchange.Modelling{
				Table: c.table, Files: names, Shards: settings.Shards, Sample: c.sample, Made: s.Now(),
			})
		}
		bar := c.newProgress(folder, nil)
		rows, err := exchange.Export(ctx, s, exchange.Exporting{
			Format: format, Files: names, Shards: settings.Shards, Progress: bar.show,
			Create: func(name string) (io.WriteCloser, error) { return createNew(filepath.Join(folder, name)) },
		})
		bar.clear()
		if errors.Is(err, fs.ErrExist) {
			return isThere(err)
		}
		c.sayRows(rows, "."+c.format)
		return err
	})
}

// makeFolder makes the folder that an export goes into, where it is missing.
func makeFolder(path string) error {
	err := os.MkdirAll(path, 0o700)
	var refused *fs.PathError
	if errors.As(err, &refused) && errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s is a file: name a folder", refused.Path)
	}
	return err
}

// modelName is the file of a model, which is one.
const modelName = "model.json"

// exportModel writes the business as a model of NoSQL Workbench.
func (c *call) exportModel(ctx context.Context, s *store.Store, path string, how exchange.Modelling) error {
	file, err := createNew(path)
	if errors.Is(err, fs.ErrExist) {
		return isThere(err)
	}
	if err != nil {
		return err
	}
	rows, err := exchange.ExportModel(ctx, s, file, how)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	c.sayRows(rows, "")
	return nil
}

func isThere(err error) error {
	return fmt.Errorf("%w; name another folder, or take the file away", err)
}

// sayRows says how many rows went into what.
func (c *call) sayRows(rows map[string]int, suffix string) {
	columns(c.stdout, func(row func(...string)) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			row(name+suffix, fmt.Sprintf("%d rows", rows[name]))
		}
	})
}

// createNew makes a file that only this user may read: it holds names and
// addresses of people.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}
