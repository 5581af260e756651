package exchange

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// File is a file to import. The extension of its name determines the format. Without a
// name, as for standard input, the content determines the format.
type File struct {
	Name    string
	Content io.Reader

	// Encoding is the encoding of a CSV file without a byte order mark; see Encodings. ""
	// means UTF-8. A mapping can set another encoding.
	Encoding string
	Mapping  *Mapping // mapping for all files of the import; nil if they have the names and columns of an export
	Folder   string   // folder for temporary files; "" means the system's folder
	Limits   Limits   // memory limits; the zero value means DefaultLimits
	Partial  bool     // the import updates, so required columns of a CSV file may be missing
}

// Limits limit the memory that an import uses. They matter for small files that become
// large when decompressed. The limits of a line, a row, an item and an order are constants.
type Limits struct {
	Model     int64 // bytes of a model after decompression
	ModelRows int   // rows and tables of a model
	Totals    int   // totals and quotas of all files
}

// DefaultLimits are the limits for imports on the command line.
var DefaultLimits = Limits{Model: 1 << 30, ModelRows: 5_000_000, Totals: 1_000_000}

// Source is one step of an import. It reads one file, several files that belong together
// or, at the end, the totals and quotas of all files.
type Source struct {
	File    int // index of the file in the arguments of Open; for a list, the index of the file with its entity
	Batches Batches

	prepare       func(context.Context, *importer) error // runs before the import reads the batches; may be nil
	beforeKayaks  bool                                   // a later source has kayaks
	mayHaveTotals bool
	folder        string // folder for temporary files
	held          *totalHolder
	continued     []int    // indexes of files that later sources also read, for other entities
	reading       *reading // shared by all files of the import; nil for rows in memory
	others        []int    // indexes of files that are read together with this one
}

// Files returns the indexes of the files that the source reads. The first is File.
func (s *Source) Files() []int { return append([]int{s.File}, s.others...) }

func (s *Source) has(file int) bool { return slices.Contains(s.Files(), file) }

// IsComplete reports whether no later source has rows of the file. Call it after
// Batches has ended.
func (s *Source) IsComplete(file int) bool {
	return !slices.Contains(s.continued, file) && (s.held == nil || !s.held.has(file))
}

// Open opens files for an import. It reads the start of each file and the whole of a
// model, so that damage found there prevents the import. It also reads the numbers of CSV
// files without a mapping, to find their decimal separator. A list is read together with
// the file of its entity. Import the sources in order: totals and quotas come last,
// after everything that they count. The argument idPrefix contains prefixes for the IDs
// of people, or ""; see parseIDPrefixes. Open returns a FileError if a file cannot be
// imported, or FileErrors for several.
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
		sources[i].reading, sources[i].folder = all, files[0].Folder
	}
	return sources, nil
}

// reading contains what all files of an import need while they are read.
type reading struct {
	check func() error // returns an error to stop reading; nil before the import
}

// checkedReader reads a file. It stops with the error of check if the import was cancelled.
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

// Seek returns an error if the content cannot be rewound, for example if it is a
// pipe.
func (r *checkedReader) Seek(offset int64, whence int) (int64, error) {
	if s, ok := r.Reader.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// peekItems reports whether a CSV file contains DynamoDB items and not rows of an
// entity. It does not consume the content.
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

// listSuffix matches the end of the name of a downloaded list, after the entity: the date,
// and the number that a browser adds if the name already exists.
var listSuffix = regexp.MustCompile(`(-[0-9]{4}-[0-9]{2}-[0-9]{2})?( ?\([0-9]+\))?$`)

// stockLists contains the names of downloaded lists of stock, which are not named after their
// entity.
var stockLists = []string{"stock", "low", "low-stock"}

// formatOf returns the format of a file by its name, or "" if the extension is unknown.
// A file without a name is JSON. For CSV, formatOf also returns the entity in the name.
func formatOf(path string) (format, name string) {
	name = strings.ToLower(filepath.Base(path))
	unzipped := strings.TrimSuffix(name, ".gz")
	ext := filepath.Ext(unzipped)
	switch {
	case ext == ".csv":
		name = listSuffix.ReplaceAllString(entityName(strings.TrimSuffix(unzipped, ext)), "")
		if slices.Contains(stockLists, name) {
			name = "warehouse-items"
		}
		return "csv", name
	case ext == ".jsonl":
		return "jsonl", ""
	case ext == ".json", path == "":
		return "json", ""
	}
	return "", ""
}

// entityName returns the part of a file name that names the entity. The name of a file
// of rejected rows has additional suffixes: orders.csv.rejected becomes orders.
func entityName(name string) string {
	for {
		rest, rejected := strings.CutSuffix(name, ".rejected")
		if !rejected {
			return name
		}
		name = strings.TrimSuffix(strings.TrimSuffix(rest, ".gz"), ".csv")
	}
}

func (f *File) label() string { return cmp.Or(f.Name, "standard input") }

// open returns a function that reads the items of a file. For a NoSQL Workbench
// model, it returns the model instead.
func open(f File, format string) (read func(*itemReader) error, model *Batch, err error) {
	switch format {
	case "jsonl":
		return readLines(f.Content), nil, nil
	case "json":
		in, err := unzip(f.Content)
		if err != nil {
			return nil, nil, err
		}
		isS3Export := strings.HasSuffix(strings.ToLower(f.Name), ".json.gz") // each line of such a file is an item, even if the first line is damaged
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

// unzip returns a reader of the content. It decompresses the content if it is
// gzipped.
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
