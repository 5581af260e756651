package exchange

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file to import. The extension of its name determines the format. For
// standard input, which has no name, the content does.
type File struct {
	Name    string // or ""
	Content io.Reader

	// Encoding is the encoding of a CSV file if neither a byte order mark nor a
	// mapping states one; "" means UTF-8. See Encodings.
	Encoding string
	Mapping  *Mapping // of all files of an import; nil if names and columns are those of an export
	Folder   string   // of temporary files; "" is that of the system
	Limits   Limits   // of what is kept in memory
	Partial  bool     // a CSV file may lack required columns; for an import that updates
}

// Limits bound the memory of an import, also of small files that are large after
// decompression. Other limits hold for all imports: of a line, a row, an item, a
// header and an order.
type Limits struct {
	Model     int64 // bytes of a model after decompression
	ModelRows int   // rows and tables of a model
	Totals    int   // totals and quotas of all files
}

// DefaultLimits are the limits of imports on the command line.
var DefaultLimits = Limits{Model: 1 << 30, ModelRows: 5_000_000, Totals: 1_000_000}

// Source is an opened file, or the part of it that is imported last.
type Source struct {
	File    int // its index in the arguments of Open; of the entity's file if it has lists
	Batches Batches

	prepare       func(context.Context, *importer) error // runs before the batches are read; may be nil
	beforeKayaks  bool                                   // a file of kayaks follows
	mayHaveTotals bool
	held          *totalHolder
	continued     []int    // files of which a later source has another entity
	reading       *reading // of all files of the import; nil for rows in memory
	others        []int    // the indexes of other files that are read with this one
}

// Files returns the indexes of the files that are read together. File is the first.
func (s *Source) Files() []int { return append([]int{s.File}, s.others...) }

func (s *Source) has(file int) bool { return slices.Contains(s.Files(), file) }

// IsComplete reports whether no later source has rows of a file. Call it after
// Batches has ended.
func (s *Source) IsComplete(file int) bool {
	return !slices.Contains(s.continued, file) && (s.held == nil || !s.held.has(file))
}

// Open checks the start of each file, and all of a model, so that a damaged
// file is found before any is imported. Lists are read with the file of their
// entity. Totals and quotas are the last sources, after everything that they count,
// so sources have to be imported in sequence. The prefixes, which may be empty, are
// added to the IDs of people; see parseIDPrefixes. Open returns a FileError for a file that cannot be imported.
func Open(files []File, idPrefix string) ([]Source, error) {
	prefixes, err := parseIDPrefixes(idPrefix)
	if err != nil {
		return nil, err
	}
	var items itemJoin
	var models []Source
	var csvs csvSources
	var problems FileErrors
	all := &reading{}
	limits := DefaultLimits
	for i, f := range files {
		if f.Limits == (Limits{}) {
			f.Limits = DefaultLimits
		}
		limits.Totals = min(limits.Totals, f.Limits.Totals)
		f.Content = &checkedReader{f.Content, all}
		format, name := formatOf(f.Name)
		isItems := false
		if format == "csv" {
			if isItems, err = f.peekItems(); err != nil {
				return nil, err
			}
		}
		switch {
		case isItems:
			in, err := unzip(f.Content)
			if err != nil {
				return nil, err
			}
			items.add(i, f.Name, f.Folder, readItemCSV(in))
		case format == "csv":
			if err := problems.add(csvs.open(i, f, name)); err != nil {
				return nil, err
			}
		default:
			read, model, err := open(f, format)
			if failed := problems.add(err); failed != nil {
				return nil, failed
			}
			if err != nil {
				continue
			}
			if model != nil {
				models = append(models, Source{File: i, Batches: model.inPhases(), mayHaveTotals: true})
			} else {
				items.add(i, f.label(), f.Folder, read)
			}
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	var sources []Source
	if len(items.files) > 0 {
		sources = append(sources, items.source())
	}
	tables, err := csvs.sources(prefixes)
	if err != nil {
		return nil, err
	}
	sources = withTotals(slices.Concat(sources, models, tables), prefixes, limits.Totals)
	for i := range sources {
		sources[i].reading = all
	}
	return sources, nil
}

// reading is what all files of an import have in common while they are read.
type reading struct {
	check func() error // returns an error when reading must stop; nil before the import
}

// checkedReader is the content of a file. Each read first checks whether the import
// was cancelled.
type checkedReader struct {
	io.Reader
	*reading
}

func (r *checkedReader) Read(p []byte) (int, error) {
	if r.check != nil {
		if err := r.check(); err != nil {
			return 0, err
		}
	}
	return r.Reader.Read(p)
}

// Seek returns an error for content that cannot start again, such as a pipe.
func (r *checkedReader) Seek(offset int64, whence int) (int64, error) {
	if s, ok := r.Reader.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// peekItems reports whether a CSV file has items of DynamoDB, not rows of an
// entity. The file can be read from its start afterwards.
func (f *File) peekItems() (bool, error) {
	content, err := seekable(f.Content, f.Folder)
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

// formatOf returns the format of a file by its name and, for CSV, the name without
// its extension.
func formatOf(path string) (format, name string) {
	name = strings.ToLower(filepath.Base(path))
	unzipped := strings.TrimSuffix(name, ".gz")
	ext := filepath.Ext(unzipped)
	switch {
	case ext == ".csv":
		return "csv", entityName(strings.TrimSuffix(unzipped, ext))
	case ext == ".jsonl":
		return "jsonl", ""
	case ext == ".json", path == "":
		return "json", ""
	}
	return "", ""
}

// entityName returns the name of an entity's file without what a file of its
// rejected rows adds: orders for orders.csv.rejected.
func entityName(name string) string {
	for {
		rest, rejected := strings.CutSuffix(name, ".rejected")
		if !rejected {
			return name
		}
		name = strings.TrimSuffix(strings.TrimSuffix(rest, ".gz"), ".csv")
	}
}

// label returns the name of the file for messages.
func (f *File) label() string { return cmp.Or(f.Name, "standard input") }

// open returns the reader of a file of items, or a model.
func open(f File, format string) (read func(*itemReader) error, model *Batch, err error) {
	switch format {
	case "jsonl":
		return readLines(f.Content), nil, nil
	case "json":
		in, err := unzip(f.Content)
		if err != nil {
			return nil, nil, err
		}
		isS3Export := strings.HasSuffix(strings.ToLower(f.Name), ".json.gz") // it has lines, even if the first is damaged
		switch form := formOf(in); {
		case form == formDocuments:
			return readDocuments(in), nil, nil
		case form == formLines, isS3Export:
			return readLines(in), nil, nil
		}
		model, err = readModel(f.label(), f.limitModel(in), f.Limits.ModelRows)
		return nil, model, err
	}
	return nil, nil, unknownType(f.Name)
}

func unknownType(name string) error {
	return &FileError{File: name, Reason: "unknown file type; import NoSQL Workbench models or output of the AWS CLI (.json), DynamoDB JSON Lines (.jsonl, .jsonl.gz, .json.gz) or CSV named after its entity (customers.csv)"}
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
