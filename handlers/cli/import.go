package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"stockroom/store"
	"stockroom/store/exchange"
)

// importFiles loads files into the table. The beginning of each, and the
// whole of a model, is read before anything is loaded: where one is damaged
// there, none has changed the table.
func importFiles(ctx context.Context, c *call) (err error) {
	files := make([]exchange.File, len(c.args))
	read := make([]*counted, len(c.args))
	for i, name := range c.args {
		from, err := c.openFile(name)
		if err != nil {
			return err
		}
		defer release(from, &err)
		read[i] = from
		if files[i] = (exchange.File{Content: from}); name != "-" {
			files[i].Name = name
		}
	}
	sources, err := exchange.Open(files, exchange.Naming{Prefix: c.idPrefix})
	if err != nil {
		return readable(err)
	}
	defer debug.SetGCPercent(tuneCollector(c.env)) // rows leave garbage, as pages do
	return c.withBusiness(ctx, true, func(s *store.Store) error {
		var rejected []string
		refused, fleet := 0, exchange.NewFleet()
		for _, source := range sources {
			n, path, err := c.take(ctx, s, source, fleet, read[source.File])
			if n > 0 {
				refused += n
				rejected = append(rejected, path)
			}
			if err != nil {
				return err
			}
		}
		if refused > 0 {
			return fmt.Errorf("refused rows: %d; which and why is in %s", refused, strings.Join(rejected, ", "))
		}
		return nil
	})
}

// counted is a file of an import, and how much of it has been read.
type counted struct {
	io.ReadCloser
	name string
	size int64 // 0 where nobody knows
	read atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.read.Add(int64(n))
	return n, err
}

func (c *call) openFile(name string) (*counted, error) {
	if name == "-" {
		return &counted{ReadCloser: io.NopCloser(c.stdin), name: name}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	from := &counted{ReadCloser: file, name: name}
	if info, err := file.Stat(); err == nil {
		from.size = info.Size()
	}
	return from, nil
}

// readable names the file of an error of the file system first.
func readable(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return unreadable(pathError.Path, err)
	}
	return err
}

func unreadable(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// take puts what a file holds into the table, or says what that would do.
// Rows that are refused are written to a file beside it.
func (c *call) take(ctx context.Context, s *store.Store, source exchange.Source, fleet *exchange.Fleet, from *counted) (refused int, path string, err error) {
	bar := c.newProgress(labelOf(from.name), from)
	rejected := &rejected{name: from.name}
	taken, err := exchange.Take(ctx, s, source.Portions, exchange.Taking{
		Rehearse: c.dryRun, SamePeople: c.samePeople, Fleet: fleet, Refused: rejected.write, Progress: bar.show,
	})
	bar.clear()
	err = errors.Join(readable(err), rejected.close())
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s: interrupted; what is loaded stays, and importing it again loads the rest", labelOf(from.name))
	}
	if err == nil {
		c.report(labelOf(from.name), taken)
	}
	return taken.Refused, rejected.path(), err
}

// report says how many of each entity went in.
func (c *call) report(label string, taken exchange.Taken) {
	added := "added"
	if c.dryRun {
		added = "would be added"
	}
	total := 0
	for _, n := range taken.Written {
		total += n
	}
	changed := fmt.Sprintf("%d %s", total, added)
	if total == 0 && !c.dryRun {
		changed = "nothing changed"
	}
	fmt.Fprintf(c.stdout, "%s: %s, %d there already, %d refused\n", label, changed, taken.Present, taken.Refused)
	columns(c.stdout, func(row func(...string)) {
		for _, kind := range slices.Sorted(maps.Keys(taken.Written)) {
			row("  "+kind, fmt.Sprintf("%d %s", taken.Written[kind], added))
		}
	})
	for _, x := range taken.Corrections {
		fmt.Fprintf(c.stdout, "  key corrected: %s, row %d: %s is now %s\n", x.Table, x.Number, x.Was, x.Is)
	}
	if more := taken.Corrected - len(taken.Corrections); more > 0 {
		fmt.Fprintf(c.stdout, "  keys corrected besides: %d\n", more)
	}
	if taken.Renewed > 0 {
		fmt.Fprintf(c.stdout, "  receipts whose time was over, kept for another life from now on: %d\n", taken.Renewed)
	}
}

// rejected writes the rows that were refused beside their file. Where there
// are none, the file of an earlier import is taken away.
type rejected struct {
	name string
	file *os.File
}

func (r *rejected) path() string {
	if r.name == "-" {
		return "stdin.rejected.jsonl"
	}
	return r.name + ".rejected.jsonl"
}

func (r *rejected) write(refused []exchange.Refused) (err error) {
	if r.file == nil {
		// Rows hold names and addresses of people: for this user's eyes only.
		if r.file, err = os.OpenFile(r.path(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return fmt.Errorf("rows were refused, but %w", err)
		}
	}
	return exchange.WriteRefused(r.file, labelOf(r.name), refused)
}

func (r *rejected) close() error {
	if r.file != nil {
		return r.file.Close()
	}
	if err := os.Remove(r.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func labelOf(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
