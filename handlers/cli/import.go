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

// importFiles imports files. It first reads the start of every file, and models
// to the end, so that an invalid file changes nothing.
func importFiles(ctx context.Context, c *call) (err error) {
	files := make([]exchange.File, len(c.args))
	inputs := make([]*inputFile, len(c.args))
	for i, name := range c.args {
		input, err := c.openInput(name)
		if err != nil {
			return err
		}
		defer closeJoin(input, &err)
		inputs[i] = input
		if files[i] = (exchange.File{Content: input}); name != "-" {
			files[i].Name = name
		}
	}
	sources, err := exchange.Open(files, c.idPrefix)
	if err != nil {
		return withPath(err)
	}
	defer debug.SetGCPercent(tuneGC(c.env)) // rows leave garbage, as pages do
	return c.withStore(ctx, true, func(s *store.Store) error {
		imports := make([]fileImport, len(inputs))
		fleet := exchange.NewFleet()
		for i := range sources {
			source := &sources[i]
			f := &imports[source.File]
			if f.input == nil {
				*f = fileImport{input: inputs[source.File], rejected: rejectedFile{name: inputs[source.File].name}}
			}
			if err := c.importSource(ctx, s, source, fleet, f); err != nil {
				return err
			}
		}
		var rejectedFiles []string
		rejected := 0
		for i := range imports {
			if f := &imports[i]; f.result.Rejected > 0 {
				rejected += f.result.Rejected
				rejectedFiles = append(rejectedFiles, f.rejected.path())
			}
		}
		if rejected > 0 {
			return fmt.Errorf("rejected rows: %d; see the reasons in %s", rejected, strings.Join(rejectedFiles, ", "))
		}
		return nil
	})
}

// fileImport is the import of one file, in one source or two.
type fileImport struct {
	input    *inputFile
	rejected rejectedFile
	result   exchange.ImportResult
	done     bool
}

// inputFile is a file of an import. It counts the bytes read.
type inputFile struct {
	io.ReadCloser
	name string
	size int64 // in bytes; 0 if unknown
	read atomic.Int64
}

func (f *inputFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	f.read.Add(int64(n))
	return n, err
}

func (c *call) openInput(name string) (*inputFile, error) {
	if name == "-" {
		return &inputFile{ReadCloser: io.NopCloser(c.stdin), name: name}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, readError(name, err)
	}
	input := &inputFile{ReadCloser: file, name: name}
	if info, err := file.Stat(); err == nil {
		input.size = info.Size()
	}
	return input, nil
}

// withPath turns an error of the file system into a readError.
func withPath(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return readError(pathError.Path, err)
	}
	return err
}

func readError(name string, err error) error {
	return fmt.Errorf("cannot read %s: %w", name, fileError(err))
}

// importSource imports a file or a part of it, and prints the counts when the file
// is complete. Rejected rows are written to a file next to it.
func (c *call) importSource(ctx context.Context, s *store.Store, source *exchange.Source, fleet *exchange.Fleet, f *fileImport) error {
	if f.done {
		return nil
	}
	label := labelOf(f.input.name)
	bar := c.newProgress(label, f.input)
	result, err := exchange.Import(ctx, s, source.Batches, exchange.ImportOptions{
		DryRun: c.dryRun, SamePeople: c.samePeople, Fleet: fleet, Rejected: f.rejected.write, Progress: bar.show,
	})
	bar.clear()
	f.result.Add(result)
	f.done = err != nil || source.IsComplete()
	if err = withPath(err); f.done {
		err = errors.Join(err, f.rejected.close())
	}
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s: interrupted; rows imported so far are kept, and importing it again continues", label)
	}
	if err == nil && f.done {
		c.printImport(label, f.result)
	}
	return err
}

// printImport prints how many items of each entity were added.
func (c *call) printImport(label string, result exchange.ImportResult) {
	added := "added"
	if c.dryRun {
		added = "would be added"
	}
	total := 0
	for _, n := range result.Added {
		total += n
	}
	changed := fmt.Sprintf("%d %s", total, added)
	if total == 0 && !c.dryRun {
		changed = "nothing changed"
	}
	fmt.Fprintf(c.stdout, "%s: %s, %d unchanged, %d rejected", label, changed, result.Unchanged, result.Rejected)
	if result.Repeated > 0 {
		fmt.Fprintf(c.stdout, ", %d repeated", result.Repeated)
	}
	if result.Compared > 0 {
		fmt.Fprintf(c.stdout, ", %d compared when imported", result.Compared)
	}
	fmt.Fprintln(c.stdout)
	printColumns(c.stdout, func(row func(...string)) {
		for _, kind := range slices.Sorted(maps.Keys(result.Added)) {
			row("  "+kind, fmt.Sprintf("%d %s", result.Added[kind], added))
		}
	})
	for _, x := range result.Corrections {
		fmt.Fprintf(c.stdout, "  key corrected: %s, row %d: %s is now %s\n", x.Table, x.Number, x.Before, x.After)
	}
	if more := result.Corrected - len(result.Corrections); more > 0 {
		fmt.Fprintf(c.stdout, "  more corrected keys: %d\n", more)
	}
	if result.Renewed > 0 {
		fmt.Fprintf(c.stdout, "  expired receipts kept with a new expiry: %d\n", result.Renewed)
	}
}

// rejectedFile writes rejected rows to a file next to the imported one. If
// there are none, it removes the file of an earlier import.
type rejectedFile struct {
	name string
	file *os.File
}

func (r *rejectedFile) path() string {
	if r.name == "-" {
		return "stdin.rejected.jsonl"
	}
	return r.name + ".rejected.jsonl"
}

func (r *rejectedFile) write(rows []exchange.RejectedRow) (err error) {
	if r.file == nil {
		// Only the owner can read the file, because it holds personal data.
		if r.file, err = os.OpenFile(r.path(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return fmt.Errorf("cannot write rejected rows: %w", err)
		}
	}
	return exchange.WriteRejected(r.file, labelOf(r.name), rows)
}

func (r *rejectedFile) close() error {
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
