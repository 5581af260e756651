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
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
)

// exportFiles exports the data to new files in a folder, and records the export in the
// history. It does not overwrite files. The files may or may not contain changes that are
// made during the export.
func exportFiles(ctx context.Context, c *call) error {
	format := exchange.Format(c.format)
	if !slices.Contains(exchange.Formats, format) {
		return usagef("invalid -format %q: choose csv, jsonl, workbench or dynamodb", c.format)
	}
	if c.sample < 0 || c.sample > 0 && format != exchange.FormatModel {
		return usagef("-sample requires -format workbench, and must not be negative")
	}
	since, err := store.ParseTime(c.since)
	if c.since != "" && err != nil {
		return usagef("invalid -since %q: enter a time such as 2026-11-21 or 2026-11-21T14:30:00Z", c.since)
	}
	var entities []string
	for name := range strings.SplitSeq(c.entities, ",") {
		if name = strings.TrimSpace(name); name != "" {
			entities = append(entities, name)
		}
	}
	names, err := exchange.FileNames(format, entities)
	if err != nil {
		return usageError(err.Error())
	}
	masker, err := c.newMasker()
	if err != nil {
		return err
	}
	folder := c.args[0]
	if err := createFolder(folder); err != nil {
		return err
	}
	return c.withStore(ctx, false, func(s *store.Store) error {
		settings, err := s.Settings(ctx)
		if err != nil {
			return err
		}
		bar, created := c.newProgress(folder, nil), false
		rows, err := exchange.Export(ctx, s, exchange.ExportOptions{
			Format: format, Files: names, Shards: settings.Shards, Table: c.table, Sample: c.sample, Folder: folder, Since: since, Mask: masker, Progress: bar.show,
			Create: func(name string) (io.WriteCloser, error) {
				file, err := createPrivate(filepath.Join(folder, filepath.FromSlash(name)))
				created = created || err == nil
				return file, err
			},
		})
		bar.clear()
		if created {
			c.recordExport(ctx, s, entities, rows, err != nil && !errors.Is(err, exchange.ErrStaleSums))
		}
		if errors.Is(err, fs.ErrExist) {
			err = existsError(err)
			if !created {
				return err
			}
		}
		suffix := ""
		if format == exchange.FormatCSV || format == exchange.FormatLines {
			suffix = "." + c.format
		}
		c.printRowCounts(rows, suffix)
		if whole := exchange.WithoutChangeRecords(names); !since.IsZero() && len(whole) > 0 {
			fmt.Fprintf(c.stdout, "exported in full, because their changes are not recorded: %s\n", strings.Join(whole, ", "))
		}
		if created && err != nil && !errors.Is(err, exchange.ErrStaleSums) {
			return fmt.Errorf("%w; the files that this export created in %s are incomplete: delete them", err, folder)
		}
		return err
	})
}

// recordTimeout limits the time for recording an export.
const recordTimeout = 10 * time.Second

// recordExport records the export in the history. It is also called after an error, because
// the folder may contain a part of the data.
func (c *call) recordExport(ctx context.Context, s *store.Store, entities []string, rows map[string]int, stopped bool) {
	name := "files with the command stockroom export -format " + c.format
	for _, flag := range []struct{ name, value string }{{"entity", strings.Join(entities, ",")}, {"since", c.since}} {
		if flag.value != "" {
			name += " -" + flag.name + " " + flag.value
		}
	}
	if c.masked {
		name += " -masked"
	}
	d := store.Download{User: &store.User{Name: store.Program}, Name: name, Kind: name, Stopped: stopped}
	for _, n := range rows {
		d.Rows += n
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := s.RecordDownload(ctx, d); err != nil {
		fmt.Fprintf(c.stderr, "The export could not be recorded in the history: %v\n", err)
	}
}

// newMasker returns the masker for -masked, or nil without this flag.
func (c *call) newMasker() (*exchange.Masker, error) {
	switch {
	case c.maskKey != "" && !c.masked:
		return nil, usageError("-mask-key needs -masked")
	case !c.masked:
		return nil, nil
	case c.maskKey == "":
		return exchange.NewMasker(nil)
	}
	secret, err := os.ReadFile(c.maskKey)
	if err != nil {
		return nil, readError(c.maskKey, err)
	}
	masker, err := exchange.NewMasker(secret)
	if err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", c.maskKey, err)
	}
	return masker, nil
}

func createFolder(path string) error {
	err := os.MkdirAll(path, 0o700)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s is a file: choose a folder", pathErr.Path)
	}
	return err
}

func existsError(err error) error {
	return fmt.Errorf("%w: choose another folder, or remove the file", err)
}

// printRowCounts prints the number of rows of each entity. The argument suffix is appended
// to the name of the entity, to make it the name of its file.
func (c *call) printRowCounts(rows map[string]int, suffix string) {
	printColumns(c.stdout, func(row func(...string)) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			row(name+suffix, store.NumberOf(rows[name], "row", "rows"))
		}
	})
}

// createPrivate creates a new file and, if they are missing, its folders. Only the owner can
// read what it creates, because the file contains personal data.
func createPrivate(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}
