package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/smithy-go"

	"stockroom/store"
	"stockroom/store/spill"
)

// Format is a file format of exports.
type Format string

const (
	FormatCSV   Format = "csv"       // one file per entity and per list
	FormatLines Format = "jsonl"     // DynamoDB JSON Lines, one file per entity
	FormatModel Format = "workbench" // one NoSQL Workbench model

	// FormatDynamoDB is the format that DynamoDB imports from S3: items in the folder
	// data, and the parameters of the table in table.json.
	FormatDynamoDB Format = "dynamodb"
)

// Formats lists all formats.
var Formats = []Format{FormatCSV, FormatLines, FormatModel, FormatDynamoDB}

// Table is the source of an export: *store.Store, or store.Access for a user who
// may export.
type Table interface {
	AddOpenSums(ctx context.Context) error
	Everything(ctx context.Context, visit func([]store.Item) error) error
}

// ExportOptions contains the options of Export.
type ExportOptions struct {
	Format Format
	Files  []string // file names, as FileNames returns them
	Shards int      // number of shards of the table
	Table  string   // table name in FormatModel and FormatDynamoDB
	Sample int      // maximum number of items per entity in FormatModel; 0 means all
	Folder string   // folder for temporary files; "" means the system's folder

	// Since omits records that have not changed since this time. See store.LastChange.
	// The zero time exports everything.
	Since time.Time
	Mask  *Masker // replaces personal data; nil exports it unchanged
	// Create creates a file. The name has an extension, and may start with a folder and a
	// slash.
	Create   func(name string) (io.WriteCloser, error)
	Progress func(rows int) // called from time to time; may be nil
}

// FileNames returns the file names of a format, without extension. The argument
// entities lists the entities to export, by type or file name; nil means all. FileNames
// returns an error if an entity is unknown.
func FileNames(format Format, entities []string) ([]string, error) {
	var names []string
	found := map[string]bool{}
	for i := range sheets {
		s := &sheets[i]
		files := []string{s.file}
		for _, l := range s.lists {
			if format == FormatCSV {
				files = append(files, l.file)
			}
		}
		for _, file := range files {
			wanted := len(entities) == 0
			for _, entity := range entities {
				if strings.EqualFold(entity, file) || strings.EqualFold(entity, s.entityType) {
					wanted, found[entity] = true, true
				}
			}
			if wanted {
				names = append(names, file)
			}
		}
	}
	for _, entity := range entities {
		if !found[entity] {
			return nil, fmt.Errorf("unknown entity %q; use %s", entity, strings.Join(sheetNames(), ", "))
		}
	}
	return names, nil
}

// ErrStaleSums says that an export is complete, but that its totals and quotas can lack the
// latest sales.
var ErrStaleSums = errors.New("totals and quotas can lack the latest sales")

// Export writes the entities of a table to files, sorted by key, and returns the number of
// rows in each file. Two exports of the same data are equal. If items are damaged, Export
// writes the others, and then returns an error. If the files include totals or quotas, and
// Export cannot bring them up to date, it writes everything and returns ErrStaleSums. It
// ignores that the IAM policy does not allow writes.
//
// FormatModel keeps all items in memory, so use it only for samples or small businesses.
// The other formats need little memory for tables of any size.
func Export(ctx context.Context, table Table, options ExportOptions) (map[string]int, error) {
	e := &exporter{
		ExportOptions: options,
		rows:          map[string]int{},
		changes:       changes{since: options.Since, changed: map[string]bool{}},
	}
	var err error
	if e.sorter, err = spill.OpenTemp(options.Folder, sortMemory); err != nil {
		return nil, err
	}
	out, err := e.open()
	var outdated error // why totals and quotas can lack the latest sales
	if err == nil && e.hasSums() {
		if outdated = table.AddOpenSums(ctx); isAccessDenied(outdated) {
			outdated = nil
		}
		err = ctx.Err()
	}
	if err == nil {
		err = table.Everything(ctx, e.add)
	}
	if err == nil {
		err = e.write(out)
	}
	if out != nil {
		err = errors.Join(err, out.close())
	}
	if err = errors.Join(err, e.sorter.Close()); err == nil {
		err = e.damaged.err()
	}
	if err == nil && outdated != nil {
		err = fmt.Errorf("exported everything, but %w: %w", ErrStaleSums, outdated)
	}
	return e.rows, err
}

// hasSums reports whether the export includes totals or quotas.
func (e *exporter) hasSums() bool {
	return slices.Contains(e.Files, "totals") || slices.Contains(e.Files, "quotas")
}

// isAccessDenied reports whether the IAM policy does not allow a request; see 'stockroom
// table policy readonly'.
func isAccessDenied(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == "AccessDeniedException"
}

// sortMemory is the maximum size, in bytes, of the rows that an export sorts in
// memory. It sorts the rest in a file.
const sortMemory = 32 << 20

type exporter struct {
	ExportOptions
	rows map[string]int // number of rows by file

	mu      sync.Mutex // guards the fields below
	sorter  *spill.Sorter
	changes changes
	total   int
	damaged damagedItems
}

// output writes the rows of an export. It receives them sorted by file and key.
type output interface {
	write(file int, text []byte) error
	close() error
}

func (e *exporter) open() (output, error) {
	switch e.Format {
	case FormatModel:
		return openModelOutput(e.ExportOptions)
	case FormatDynamoDB:
		return openDynamoOutput(e.ExportOptions)
	}
	return openFileOutput(e.ExportOptions)
}

// damagedItems counts the items that cannot be decoded.
type damagedItems struct {
	count int
	first error
}

func (d *damagedItems) add(count int, first error) {
	if d.count += count; d.first == nil {
		d.first = first
	}
}

func (d *damagedItems) err() error {
	if d.count == 0 {
		return nil
	}
	if d.count == 1 {
		return fmt.Errorf("left out a damaged item: %w", d.first)
	}
	return fmt.Errorf("left out %d damaged items; the first: %w", d.count, d.first)
}

// add adds a page of items. It runs concurrently for several pages, and formats the rows
// before it locks the sorter.
func (e *exporter) add(items []store.Item) error {
	var page exportPage
	for _, item := range items {
		if err := e.format(&page, item); err != nil {
			page.damaged.add(1, err)
		}
	}
	rows := page.rows
	e.mu.Lock()
	defer e.mu.Unlock()
	e.damaged.add(page.damaged.count, page.damaged.first)
	for _, entity := range page.events {
		e.changes.observe(entity)
	}
	e.total += len(rows)
	if e.Progress != nil {
		e.Progress(e.total)
	}
	for i := range rows {
		if err := e.sorter.Add(rows[i].fields()...); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) write(out output) error {
	for _, name := range e.Files {
		e.rows[name] = 0
	}
	return e.sorter.Sorted(func(fields []string) error {
		row := exportRowOf(fields)
		if !e.changes.includes(&row) {
			return nil
		}
		file := int(row.key[0])
		name := e.Files[file]
		if e.Sample > 0 && e.rows[name] == e.Sample {
			return nil
		}
		e.rows[name]++
		return out.write(file, []byte(row.text))
	})
}
