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

// Format is a form in which entities leave the table.
type Format string

// The formats.
const (
	FormatCSV   Format = "csv"   // a file for each entity, and for each list of one
	FormatLines Format = "jsonl" // DynamoDB's JSON lines, a file for each entity

	// FormatModel is one file, a model of NoSQL Workbench: see ExportModel.
	FormatModel Format = "workbench"
)

// Formats are those of a file for each entity.
var Formats = []Format{FormatCSV, FormatLines}

// Table is what an export reads from: the whole table, or what a user may
// have of it.
type Table interface {
	Everything(ctx context.Context, visit func([]store.Item) error) error
}

// Exporting is how Export goes about it.
type Exporting struct {
	Format Format
	Files  []string // names without suffix, as FileNames has them
	Shards int      // over which keys are spread
	// Create makes the file of a name, with its suffix.
	Create   func(name string) (io.WriteCloser, error)
	Progress func(rows int) // called now and then; may be nil
}

// FileNames are the files that a format has, without suffix: those of some
// entities, named by type or by file, or of all where none is named.
func FileNames(format Format, entities []string) ([]string, error) {
	var names []string
	for i := range sheets {
		s := &sheets[i]
		own := []string{s.File}
		for _, l := range s.Lists {
			if format == FormatCSV {
				own = append(own, l.File)
			}
		}
		for _, name := range own {
			asked := func(entity string) bool {
				return strings.EqualFold(entity, name) || strings.EqualFold(entity, s.Type)
			}
			if len(entities) == 0 || slices.ContainsFunc(entities, asked) {
				names = append(names, name)
			}
		}
	}
	for _, entity := range entities {
		known := func(s Sheet) bool {
			return strings.EqualFold(entity, s.File) || strings.EqualFold(entity, s.Type) ||
				format == FormatCSV && slices.ContainsFunc(s.Lists, func(l List) bool { return strings.EqualFold(entity, l.File) })
		}
		if !slices.ContainsFunc(sheets, known) {
			return nil, fmt.Errorf("there is no entity %q to export; there are %s", entity, strings.Join(fileNames(), ", "))
		}
	}
	return names, nil
}

func fileNames() []string {
	names := make([]string, len(sheets))
	for i := range sheets {
		names[i] = sheets[i].File
	}
	return names
}

// Export writes what the table holds and returns how many rows each file has.
// Items that cannot be read are left out and make it fail at the end, after
// all others are written.
func Export(ctx context.Context, table Table, how Exporting) (map[string]int, error) {
	x := &export{how: how, files: map[string]*exported{}, rows: map[string]int{}}
	err := x.open()
	if err == nil {
		err = table.Everything(ctx, x.page)
	}
	err = errors.Join(err, x.close())
	if err == nil && x.damaged > 0 {
		err = fmt.Errorf("items that cannot be read, and were left out: %d; the first: %w", x.damaged, x.first)
	}
	return x.rows, err
}

// export is an Export under way.
type export struct {
	how Exporting

	mu      sync.Mutex
	files   map[string]*exported
	rows    map[string]int
	total   int
	damaged int
	first   error
}

// exported is a file that is being written.
type exported struct {
	to  *bufio.Writer
	end io.Closer
}

func (x *export) open() error {
	for i := range sheets {
		s := &sheets[i]
		if err := x.create(s.File, s.Columns); err != nil {
			return err
		}
		for _, l := range s.Lists {
			if err := x.create(l.File, l.Columns); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *export) create(name string, columns []Column) error {
	if !slices.Contains(x.how.Files, name) {
		return nil
	}
	file, err := x.how.Create(name + "." + string(x.how.Format))
	if err != nil {
		return err
	}
	x.files[name] = &exported{bufio.NewWriterSize(file, 64<<10), file}
	x.rows[name] = 0
	if x.how.Format == FormatCSV {
		header := make([]csvfile.Cell, len(columns))
		for i, c := range columns {
			header[i] = csvfile.Plain(c.Name)
		}
		_, err = x.files[name].to.Write(csvfile.AppendRecord(nil, header))
	}
	return err
}

func (x *export) close() error {
	var failed error
	for _, f := range x.files {
		failed = errors.Join(failed, f.to.Flush(), f.end.Close())
	}
	return failed
}

// page writes some items. It is called several times at once: only what is
// done with the files is done one after the other.
func (x *export) page(items []store.Item) error {
	p := portion{texts: map[string][]byte{}, rows: map[string]int{}}
	damaged, first := 0, error(nil)
	for _, item := range items {
		if err := x.item(&p, item); err != nil {
			if damaged++; first == nil {
				first = err
			}
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.damaged += damaged; x.first == nil {
		x.first = first
	}
	for name, text := range p.texts {
		x.rows[name] += p.rows[name]
		x.total += p.rows[name]
		if _, err := x.files[name].to.Write(text); err != nil {
			return err
		}
	}
	if x.how.Progress != nil {
		x.how.Progress(x.total)
	}
	return nil
}

// portion is what a page of items adds to the files.
type portion struct {
	texts map[string][]byte
	rows  map[string]int
}

func (p *portion) add(name string, text []byte) { p.texts[name] = text; p.rows[name]++ }

// item writes an item as its entity has it: so nothing leaves the table that
// entities do not show, such as a whole card number.
func (x *export) item(p *portion, item store.Item) error {
	s, entity, item, err := leaving(item, x.how.Shards, x.wants)
	if err != nil || s == nil {
		return err
	}
	if x.how.Format == FormatLines {
		p.add(s.File, appendLine(p.texts[s.File], item))
		return nil
	}
	if x.files[s.File] != nil {
		p.add(s.File, csvfile.AppendRecord(p.texts[s.File], cells(s.Columns, entity, item)))
	}
	for i := range s.Lists {
		l := &s.Lists[i]
		if x.files[l.File] == nil {
			continue
		}
		for _, element := range elementsAt(item, l.path) {
			p.add(l.File, csvfile.AppendRecord(p.texts[l.File], cells(l.Columns, entity, element)))
		}
	}
	return nil
}

// leaving is an item as its entity has it, and its sheet; none where it is not
// wanted or never leaves.
func leaving(item store.Item, shards int, wanted func(*Sheet) bool) (*Sheet, store.Entity, store.Item, error) {
	entityType := text(item, "EntityType")
	s, known := SheetOf(entityType)
	if !known && withheld(entityType) || known && !wanted(s) {
		return nil, nil, nil, nil
	}
	entity, err := store.Decode(item)
	if err != nil {
		return nil, nil, nil, err
	}
	item, err = store.Encode(entity, shards)
	return s, entity, item, err
}

func (x *export) wants(s *Sheet) bool {
	return x.files[s.File] != nil || slices.ContainsFunc(s.Lists, func(l List) bool { return x.files[l.File] != nil })
}
