package exchange

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file to import. The extension of its name says which format it
// has; without a name, as for standard input, the content does.
type File struct {
	Name    string // or ""
	Content io.Reader
	Mapping *Mapping // of all files of an import; nil if names and columns are those of an export
	Partial bool     // a CSV file may lack required columns; for an import that updates
}

// Source is an opened file, or the part of it that is imported after all other
// files.
type Source struct {
	File    int // its index in the arguments of Open; of the entity's file if it has lists
	Batches Batches

	mayHaveTotals bool
	held          *totalHolder
	continues     bool // a later source has another entity of the file
}

// IsComplete reports whether the file has no part that is imported later. It is
// known when Batches has ended.
func (s *Source) IsComplete() bool {
	return !s.continues && (s.held == nil || !s.held.has(s.File))
}

// Open checks the start of each file, and all of a model, so that a damaged
// file is found before any is imported. Lists are read with the file of their
// entity. Totals and quotas are the last sources, after everything that they count,
// so sources have to be imported in sequence. The prefix, which may be empty, is added to the IDs of people; see
// withIDPrefix. Open returns a FileError for a file that cannot be imported.
func Open(files []File, idPrefix string) ([]Source, error) {
	var sources []Source
	var csvs csvSources
	var problems FileErrors
	for i, f := range files {
		format, name := formatOf(f.Name)
		if format == "csv" {
			isItems, err := f.peekItems()
			if err != nil {
				return nil, err
			}
			if isItems {
				in, err := unzip(f.Content)
				if err != nil {
					return nil, err
				}
				sources = append(sources, Source{File: i, Batches: readItemCSV(f.Name, in), mayHaveTotals: true})
			} else if err := problems.add(csvs.open(i, f, name)); err != nil {
				return nil, err
			}
		} else {
			batches, err := open(f, format)
			if err != nil {
				return nil, err
			}
			sources = append(sources, Source{File: i, Batches: batches, mayHaveTotals: true})
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	tables, err := csvs.sources()
	if err != nil {
		return nil, err
	}
	sources = append(sources, tables...)
	held := &totalHolder{files: map[int]*Batch{}}
	var last []Source
	for i := range sources {
		s := &sources[i]
		if s.Batches = withIDPrefix(s.Batches, idPrefix); !s.mayHaveTotals {
			continue
		}
		s.Batches, s.held = held.hold(s.File, s.Batches), held
		last = append(last, Source{File: s.File, Batches: held.rest(s.File)})
	}
	return append(sources, last...), nil
}

// peekItems reports whether a CSV file has items of DynamoDB, not rows of an
// entity. The file can be read from its start afterwards.
func (f *File) peekItems() (bool, error) {
	content, err := seekable(f.Content)
	if err != nil {
		return false, err
	}
	f.Content = content
	in, err := unzip(content)
	if err != nil {
		return false, err
	}
	isItems := f.Mapping.tables(f.Name) == nil && hasItems(in)
	_, err = content.Seek(0, io.SeekStart)
	return isItems, err
}

// formatOf returns the format that the name of a file stands for, and for CSV
// the name without its extension.
func formatOf(path string) (format, name string) {
	name = strings.ToLower(filepath.Base(path))
	unzipped := strings.TrimSuffix(name, ".gz")
	ext := filepath.Ext(unzipped)
	switch {
	case ext == ".csv":
		return "csv", strings.TrimSuffix(unzipped, ext)
	case ext == ".jsonl":
		return "jsonl", ""
	case ext == ".json", path == "":
		return "json", ""
	}
	return "", ""
}

func open(f File, format string) (Batches, error) {
	label := f.Name
	if label == "" {
		label = "standard input"
	}
	switch format {
	case "jsonl":
		return readLines(label, f.Content), nil
	case "json":
		in, err := unzip(f.Content)
		if err != nil {
			return nil, err
		}
		isS3Export := strings.HasSuffix(strings.ToLower(f.Name), ".json.gz") // it has lines, even if the first is damaged
		switch form := formOf(in); {
		case form == formDocuments:
			return readDocuments(label, in), nil
		case form == formLines, isS3Export:
			return readLines(label, in), nil
		}
		model, err := ReadModel(label, in)
		if err != nil {
			return nil, err
		}
		return func(yield func(*Batch, error) bool) { yield(model, nil) }, nil
	}
	return nil, &FileError{File: f.Name, Reason: "unknown file type; import NoSQL Workbench models or output of the AWS CLI (.json), DynamoDB JSON Lines (.jsonl, .jsonl.gz, .json.gz) or CSV named after its entity (customers.csv)"}
}

// unzip returns a reader of the content, decompressed if it is gzipped.
func unzip(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 256<<10)
	if magic, err := in.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return in, nil
	}
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(unzipped, 256<<10), nil
}

// csvSources are the CSV files of an import.
type csvSources struct {
	tables []csvTable
	lists  map[*sheet][]*listRows
}

type csvTable struct {
	file  int
	sheet *sheet
	csv   *csvFile
}

// open opens a file of an entity, or reads one of a list.
func (c *csvSources) open(file int, f File, name string) error {
	if tables := f.Mapping.tables(f.Name); tables != nil {
		return c.openMapped(file, f, tables)
	}
	s, l, found := sheetNamed(name)
	if !found {
		return &FileError{File: f.Name, Reason: fmt.Sprintf("unknown CSV file name; name it after what it holds: %s.csv, or use a mapping", strings.Join(sheetNames(), ".csv, "))}
	}
	columns := s.columns
	if l != nil {
		columns = l.columns
	}
	csv, err := openCSV(f, columns)
	if err != nil {
		return err
	}
	return c.add(csvTable{file, s, csv}, l)
}

// add adds the opened file of an entity, or reads that of a list.
func (c *csvSources) add(t csvTable, l *list) error {
	if l == nil {
		c.tables = append(c.tables, t)
		return nil
	}
	rows, err := t.csv.readList(l, t.file)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(c.lists[t.sheet], func(other *listRows) bool { return other.list == l }) {
		return &FileError{File: t.csv.name, Reason: fmt.Sprintf("there are two %s.csv; import one at a time", l.file)}
	}
	if c.lists == nil {
		c.lists = map[*sheet][]*listRows{}
	}
	c.lists[t.sheet] = append(c.lists[t.sheet], rows)
	return nil
}

// sources returns the files of entities, kayaks before active rentals and those
// before the rental history.
func (c *csvSources) sources() ([]Source, error) {
	phase := func(t csvTable) int {
		return slices.Index([]string{"storeActiveRental", "rentalRelationship"}, t.sheet.entityType)
	}
	slices.SortStableFunc(c.tables, func(a, b csvTable) int { return phase(a) - phase(b) })
	c.complete()
	if err := c.checkMapped(); err != nil {
		return nil, err
	}
	// Totals are only in files that this program exported.
	exported := slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == "total" })
	var sources []Source
	for _, t := range c.tables {
		sources = append(sources, Source{
			File: t.file, Batches: t.csv.batches(t.sheet, c.lists[t.sheet], exported),
			mayHaveTotals: slices.Contains([]string{"total", "quota"}, t.sheet.entityType),
		})
		delete(c.lists, t.sheet)
	}
	for i := range sources {
		sources[i].continues = slices.ContainsFunc(sources[i+1:], func(later Source) bool { return later.File == sources[i].File })
	}
	for s, lists := range c.lists {
		return nil, &FileError{File: lists[0].list.file + ".csv", Reason: fmt.Sprintf("it belongs to %s.csv; import both together", s.file)}
	}
	return sources, nil
}
