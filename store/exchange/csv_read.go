package exchange

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
)

// csvFile is a CSV file with its header read.
type csvFile struct {
	name    string
	content io.ReadSeeker
	header  []string  // as in the file
	columns []*column // of each cell of a row
	records recordReader
	mapping *mappedTable // nil if the columns have their own names
	mapper  *rowMapper   // nil without a mapping
	partial bool         // required columns may be missing
	source  rowSource
	rewound bool // the rows may have been read before they are imported
	row     int  // as spreadsheets count: the header is row 1
}

// openCSV reads the header. It returns a FileError if columns are unknown, or
// required and missing.
func openCSV(file File, columns []column) (*csvFile, error) {
	name := file.Name
	f, err := startCSV(name, file.Content, nil)
	if err != nil {
		return nil, err
	}
	f.partial = file.Partial
	var unknown []string
	for _, cell := range f.header {
		i := indexNamed(columns, strings.TrimSpace(cell))
		switch {
		case i < 0:
			unknown = append(unknown, cell)
			continue
		case slices.Contains(f.columns, &columns[i]):
			return nil, &FileError{name, 1, fmt.Sprintf("the column %s is there twice; remove one", columns[i].name)}
		}
		f.columns = append(f.columns, &columns[i])
	}
	if len(unknown) > 0 {
		return nil, &FileError{name, 1, unknownColumns(unknown, columns)}
	}
	if missing := f.missing(columns); len(missing) > 0 {
		return nil, &FileError{name, 1, missingColumns(missing)}
	}
	return f, nil
}

// unknownColumns returns the sentence about columns that an entity does not have,
// with those that they may stand for.
func unknownColumns(names []string, columns []column) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(strings.TrimSpace(name)))
	}
	s := "s"
	if len(names) == 1 {
		s = ""
	}
	return fmt.Sprintf("unknown column%s %s; use %s", s, strings.Join(quoted, ", "), columnNames(columns))
}

func missingColumns(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("the column %s is missing; add it", names[0])
	}
	return fmt.Sprintf("the columns %s are missing; add them", strings.Join(names, ", "))
}

// missing returns the names of the required columns that the file does not have.
// If it may be partial, only its IDs are required.
func (f *csvFile) missing(columns []column) (names []string) {
	f.source = rowSource{columns: f.columns}
	if f.mapper != nil {
		f.source.columns = f.columns[:len(f.mapper.targets)]
	}
	for i := range columns {
		switch c := &columns[i]; {
		case !c.required || slices.Contains(f.columns, c):
		case f.partial && c.keyName == "":
			f.source.lacks = append(f.source.lacks, c.name)
		default:
			names = append(names, c.name)
		}
	}
	return names
}

// startCSV opens a file and reads its header. The mapping may be nil.
func startCSV(name string, r io.Reader, mapping *mappedTable) (*csvFile, error) {
	content, err := seekable(r)
	if err != nil {
		return nil, err
	}
	f := &csvFile{name: name, content: content, mapping: mapping}
	f.header, err = f.start()
	switch {
	case err == io.EOF:
		return nil, &FileError{File: name, Reason: "the file is empty; start with a row of column names"}
	case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding) || errors.Is(err, csvfile.ErrTooLong):
		return nil, &FileError{name, 1, "can't read the column names: " + err.Error()}
	}
	return f, err
}

// start reads the header. The next record is the first row.
func (f *csvFile) start() (header []string, err error) {
	in, err := unzip(f.content)
	if err != nil {
		return nil, err
	}
	if f.mapping != nil {
		in = decoded(in, f.mapping.format.encoding)
	}
	f.row = 1
	records := csvfile.NewReader(in)
	header, err = records.Read()
	if f.records = records; f.mapper != nil {
		f.records = &mappedRecords{in: records, mapper: f.mapper}
	}
	return header, err
}

// rewind starts reading again after the header.
func (f *csvFile) rewind() error {
	if _, err := f.content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := f.start()
	return err
}

// seekable returns a reader of the content that can start again. It copies what
// comes from a pipe to a temporary file.
func seekable(r io.Reader) (io.ReadSeeker, error) {
	if s, ok := r.(io.ReadSeeker); ok {
		if _, err := s.Seek(0, io.SeekCurrent); err == nil {
			return s, nil
		}
	}
	file, err := os.CreateTemp("", "stockroom-import-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // the content stays until the file is closed
	if _, err := io.Copy(file, r); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	_, err = file.Seek(0, io.SeekStart)
	return file, err
}

func columnNames(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// next reads a row that is not empty. It returns a reason to reject the row, or
// an error that ends the file.
func (f *csvFile) next() (row Row, cells []string, reason string, err error) {
	var invalid rowError
	for {
		f.row++
		cells, err = f.records.Read()
		raw := cells
		if m, ok := f.records.(*mappedRecords); ok {
			raw = m.raw
		}
		row = Row{Number: f.row, source: &f.source, cells: func() []string { return f.withNames(raw) }}
		switch {
		case errors.As(err, &invalid):
			return row, cells, string(invalid), nil
		case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding):
			return row, cells, "Can't read the row: " + err.Error() + ".", nil
		case errors.Is(err, csvfile.ErrTooLong) || errors.Is(err, io.ErrUnexpectedEOF):
			return row, nil, "", &FileError{File: f.name, Reason: fmt.Sprintf("can't read from row %d on: %v", f.row, err)}
		case err != nil:
			return row, nil, "", err
		case !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }):
			continue
		case len(cells) != len(f.columns):
			return row, cells, fmt.Sprintf("The row has %d cells, but the file has %d columns.", len(cells), len(f.columns)), nil
		}
		return row, cells, "", nil
	}
}

// withNames returns column name and value of the cells that are not empty, in
// turn.
func (f *csvFile) withNames(cells []string) []string {
	var all []string
	for i, cell := range cells {
		name := fmt.Sprintf("cell %d", i+1)
		switch {
		case i >= len(f.header):
		case f.mapper != nil:
			name = f.header[i]
		case i < len(f.columns):
			name = f.columns[i].name
		}
		if cell != "" {
			all = append(all, name, strings.ToValidUTF8(cell, "�"))
		}
	}
	return all
}

// rowValues are the values of a row: those in keys, by the names in key
// templates, and the attributes.
type rowValues struct {
	keys key.Map
	item store.Item
}

// parse returns the values of the cells of a row.
func (f *csvFile) parse(cells []string) (v rowValues, reason string) {
	v = rowValues{key.Map{}, make(store.Item, len(cells)+8)}
	for i, c := range f.columns {
		if c.keyName != "" {
			id := strings.TrimSpace(csvfile.Unescape(cells[i]))
			if id == "" && c.required {
				return v, missing(c.name)
			}
			if isID(c.keyName) {
				if reason := invalidID(c.name, id); reason != "" {
					return v, reason
				}
			}
			if v.keys[c.keyName] = id; c.path != nil {
				setPath(v.item, c.path, &types.AttributeValueMemberS{Value: id})
			}
			continue
		}
		value, reason := c.parse(cells[i])
		if reason != "" {
			return v, reason
		}
		if value != nil {
			setPath(v.item, c.path, value)
		} else if c.required {
			return v, missing(c.name)
		}
	}
	return v, ""
}

// batches reads the rest of the file. Rows do not complete each other, and one
// that is rejected does not keep out others. Rows of the lists without an
// entity are rejected at the end.
func (f *csvFile) batches(s *sheet, lists []*listRows, exported bool) Batches {
	return func(yield func(*Batch, error) bool) {
		out := batcher{yield: yield, exported: exported}
		if f.rewound {
			if err := f.rewind(); err != nil {
				yield(nil, err)
				return
			}
		}
		for !out.stopped {
			row, cells, reason, err := f.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				out.flush()
				if !out.stopped {
					yield(nil, err)
				}
				return
			}
			var entity store.Entity
			if reason == "" {
				entity, reason = f.entity(s, &row, cells, lists)
			}
			if row.Entity = s.entityType; reason != "" {
				row.parts = nil // rejected with the rest of the list
				out.reject(row, reason)
			} else {
				out.add(entity, row)
			}
		}
		for _, l := range lists {
			l.rejectRest(s, &out)
		}
		out.flush()
	}
}

// entity returns the entity of a row, with its list elements.
func (f *csvFile) entity(s *sheet, row *Row, cells []string, lists []*listRows) (entity store.Entity, reason string) {
	v, reason := f.parse(cells)
	if reason != "" {
		return nil, reason
	}
	for _, l := range lists {
		if reason := l.attach(v, row); reason != "" {
			return nil, reason
		}
	}
	s.setKeys(v)
	if entity, reason = decodeRow(v.item); reason != "" {
		return nil, reason
	}
	for _, c := range f.columns {
		if value := v.keys[c.keyName]; c.keyName != "" && value != entity.KeyValue(c.keyName) {
			return nil, fmt.Sprintf("%s %q is not valid. Write it as %q.", c.name, value, entity.KeyValue(c.keyName))
		}
	}
	for _, l := range lists {
		delete(l.owners, l.list.owner(v.keys))
	}
	return entity, ""
}

func decodeRow(item store.Item) (entity store.Entity, reason string) {
	entity, err := store.Decode(item)
	if err != nil {
		return nil, err.Error()
	}
	if invoice, ok := entity.(*store.Invoice); ok && invoice.Status == "" {
		invoice.Status = invoice.StatusFromPayments()
	}
	if reason := checkPlausible(entity); reason != "" {
		return nil, reason
	}
	_, reason = encode(entity)
	return entity, reason
}
