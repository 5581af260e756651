package exchange

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// Format is a file format of exports.
type Format string

const (
	FormatCSV   Format = "csv"       // a file per entity, and per list within one
	FormatLines Format = "jsonl"     // DynamoDB JSON Lines, a file per entity
	FormatModel Format = "workbench" // one NoSQL Workbench model, from ExportModel
)

// Formats are the formats that Export writes.
var Formats = []Format{FormatCSV, FormatLines}

// Table is what an export reads: *store.Store, or store.Access for a user who
// may export.
type Table interface {
	Everything(ctx context.Context, visit func([]store.Item) error) error
}

// ExportOptions are the options of Export.
type ExportOptions struct {
	Format Format
	Files  []string // from FileNames
	Shards int      // of the table
	// Create creates the file with a name from Files and the format's extension.
	Create   func(name string) (io.WriteCloser, error)
	Progress func(rows int) // called now and then; may be nil
}

// FileNames returns the files of a format, without extension: those of the
// given entities, each named by type or file, or all of them. It returns an
// error if an entity does not exist.
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

// Export writes the entities of a table to files and returns the number of
// rows in each. Damaged items are left out; Export then returns an error after
// it has written all others.
func Export(ctx context.Context, table Table, options ExportOptions) (map[string]int, error) {
	e := &exporter{ExportOptions: options, files: map[string]*exportFile{}, rows: map[string]int{}}
	err := e.open()
	if err == nil {
		err = table.Everything(ctx, e.write)
	}
	if err = errors.Join(err, e.close()); err == nil {
		err = e.damaged.err()
	}
	return e.rows, err
}

type exporter struct {
	ExportOptions

	mu      sync.Mutex
	files   map[string]*exportFile
	rows    map[string]int
	total   int
	damaged damagedItems
}

type exportFile struct {
	*bufio.Writer
	io.Closer
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
	return fmt.Errorf("left out %d damaged items; the first: %w", d.count, d.first)
}

func (e *exporter) open() error {
	for i := range sheets {
		if err := e.create(sheets[i].file, sheets[i].columns); err != nil {
			return err
		}
		for _, l := range sheets[i].lists {
			if err := e.create(l.file, l.columns); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *exporter) create(name string, columns []column) error {
	if !slices.Contains(e.Files, name) {
		return nil
	}
	file, err := e.Create(name + "." + string(e.Format))
	if err != nil {
		return err
	}
	e.files[name] = &exportFile{bufio.NewWriterSize(file, 64<<10), file}
	e.rows[name] = 0
	if e.Format == FormatCSV {
		_, err = e.files[name].Write(csvfile.AppendRecord(nil, header(columns)))
	}
	return err
}

func (e *exporter) close() error {
	var failed error
	for _, f := range e.files {
		failed = errors.Join(failed, f.Flush(), f.Close())
	}
	return failed
}

// write writes a page of items. It is called concurrently, and formats the
// rows before it locks the files.
func (e *exporter) write(items []store.Item) error {
	p := exportPage{text: map[string][]byte{}, rows: map[string]int{}}
	for _, item := range items {
		if err := e.format(&p, item); err != nil {
			p.damaged.add(1, err)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.damaged.add(p.damaged.count, p.damaged.first)
	for name, text := range p.text {
		e.rows[name] += p.rows[name]
		e.total += p.rows[name]
		if _, err := e.files[name].Write(text); err != nil {
			return err
		}
	}
	if e.Progress != nil {
		e.Progress(e.total)
	}
	return nil
}

// exportPage is what a page of items adds to each file.
type exportPage struct {
	text    map[string][]byte
	rows    map[string]int
	damaged damagedItems
}

func (p *exportPage) add(name string, text []byte) { p.text[name] = text; p.rows[name]++ }

func (e *exporter) format(p *exportPage, item store.Item) error {
	s, entity, item, err := exportedItem(item, e.Shards, e.wants)
	if err != nil || s == nil {
		return err
	}
	if e.Format == FormatLines {
		p.add(s.file, appendLine(p.text[s.file], item))
		return nil
	}
	if e.files[s.file] != nil {
		p.add(s.file, csvfile.AppendRecord(p.text[s.file], record(s.columns, entity, item)))
	}
	for i := range s.lists {
		l := &s.lists[i]
		if e.files[l.file] == nil {
			continue
		}
		for _, element := range elementsAt(item, l.path) {
			p.add(l.file, csvfile.AppendRecord(p.text[l.file], record(l.columns, entity, element)))
		}
	}
	return nil
}

func (e *exporter) wants(s *sheet) bool {
	return e.files[s.file] != nil || slices.ContainsFunc(s.lists, func(l list) bool { return e.files[l.file] != nil })
}

// exportedItem decodes an item and encodes it again, so that an export has only
// what entities show, and never a whole card number. It returns a nil sheet if
// the item is not wanted or is internal.
func exportedItem(item store.Item, shards int, wanted func(*sheet) bool) (*sheet, store.Entity, store.Item, error) {
	entityType := text(item, "EntityType")
	s, found := sheetOf(entityType)
	if !found && isInternal(entityType) || found && !wanted(s) {
		return nil, nil, nil, nil
	}
	entity, err := store.Decode(item)
	if err != nil {
		return nil, nil, nil, err
	}
	item, err = store.Encode(entity, shards)
	return s, entity, item, err
}
