package exchange

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
	"stockroom/store/spill"
)

// csvFile is an open CSV file whose header was read.
type csvFile struct {
	name     string
	content  io.ReadSeeker
	header   []string  // column names in the file
	columns  []*column // column of the entity for each cell; &ignored if imports ignore the cell
	records  recordReader
	mapping  *mappedTable // nil if the file has the columns of an export
	mapper   *rowMapper   // nil without a mapping
	encoding string       // "" for UTF-8
	marked   bool         // the file has a byte order mark of UTF-8, or an encoding other than UTF-8
	partial  bool         // required columns may be missing
	folder   string       // folder for temporary files
	source   rowSource
	values   rowValues // maps that decoding a row fills; reused for the next row

	comma    byte
	decimal  byte // decimal separator of the numbers, or 0 if unknown
	exported bool

	rewound bool // the reader may not be at the first row, so batches calls rewind
	row     int  // row number as in spreadsheets: the header is row 1
}

// maxColumns is the maximum number of columns of a file. It bounds the time for
// comparing the columns with each other.
const maxColumns = 2000

// startCSV opens a CSV file and reads its header. The argument mapping may be nil.
func startCSV(file File, mapping *mappedTable) (*csvFile, error) {
	name := file.Name
	content, err := seekable(file.Content, file.Folder)
	if err != nil {
		return nil, err
	}
	f := &csvFile{name: name, content: content, encoding: file.Encoding, folder: file.Folder, mapping: mapping}
	f.header, err = f.start()
	switch {
	case err == io.EOF:
		return nil, &FileError{File: name, Reason: "the file is empty; start with a row of column names"}
	case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding) || errors.Is(err, csvfile.ErrTooLong):
		return nil, &FileError{name, 1, "can't read the column names: " + err.Error()}
	case len(f.header) > maxColumns:
		return nil, &FileError{name, 1, fmt.Sprintf("the file has %d columns; at most %d can be read", len(f.header), maxColumns)}
	}
	return f, err
}

func (f *csvFile) start() (header []string, err error) {
	in, err := unzip(f.content)
	if err != nil {
		return nil, err
	}
	encoding := f.encoding
	switch {
	case isUTF16(in):
		encoding = "utf-16"
	case isUTF8(in):
		encoding = ""
	case f.mapping != nil && f.mapping.format.encoding != "":
		encoding = f.mapping.format.encoding
	}
	in, f.marked = decoded(in, encoding), isUTF8(in) || encodings[encoding] != nil
	f.row = 1
	records := csvfile.NewReader(in)
	f.comma = records.Comma()
	header, err = records.Read()
	if f.records = records; f.mapper != nil {
		f.records = &mappedRecords{in: records, mapper: f.mapper}
	}
	return header, err
}

// rewind moves back to the first row after the header.
func (f *csvFile) rewind() error {
	if f.mapper != nil && !f.mapper.paused {
		for i := range f.mapper.fills { // complete the lookups first, because they may read the same file
			if _, err := f.mapper.fills[i].find(); err != nil {
				return err
			}
		}
	}
	if _, err := f.content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := f.start()
	return err
}

// seekable returns a reader that can be rewound. It copies the content of a pipe to a
// temporary file in the folder.
func seekable(r io.Reader, folder string) (io.ReadSeeker, error) {
	if s, ok := r.(io.ReadSeeker); ok {
		if _, err := s.Seek(0, io.SeekCurrent); err == nil {
			return s, nil
		}
	}
	file, err := spill.CreateTemp(folder)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(file, r); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	_, err = file.Seek(0, io.SeekStart)
	return file, err
}

// next reads the next row that is not empty. It returns a reason if the row must be
// rejected, and an error if it cannot read the rest of the file.
func (f *csvFile) next() (row Row, cells []string, reason string, err error) {
	var invalid rowError
	for {
		f.row++
		cells, err = f.records.Read()
		raw := cells
		if m, ok := f.records.(*mappedRecords); ok {
			raw = m.raw
		}
		row = Row{Number: f.row, source: &f.source, csv: f, cells: raw}
		switch {
		case errors.As(err, &invalid):
			return row, cells, string(invalid), nil
		case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding):
			return row, cells, "Can't read the row: " + err.Error() + ".", nil
		case errors.Is(err, csvfile.ErrTooLong) || errors.Is(err, io.ErrUnexpectedEOF):
			return row, nil, "", &FileError{File: f.name, Reason: fmt.Sprintf("can't read row %d and the rows after it: %v", f.row, err)}
		case err != nil:
			return row, nil, "", err
		case !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }):
			continue
		case len(cells) != len(f.columns):
			return row, cells, wrongWidth(len(cells), len(f.columns)), nil
		}
		return row, cells, "", nil
	}
}

// wrongWidth returns the reason to reject a row that has more or fewer cells than the file
// has columns.
func wrongWidth(cells, columns int) string {
	return fmt.Sprintf("The row has %s, but the file has %s.", store.NumberOf(cells, "cell", "cells"), store.NumberOf(columns, "column", "columns"))
}

// compose returns a cell in Unicode's composed form (NFC). It returns cells of exported
// files unchanged.
func (f *csvFile) compose(cell string) string {
	if f.exported {
		return cell
	}
	return composed(cell)
}

// rowValues contains the parsed values of a row: those for the placeholders of keys, and
// the attributes.
type rowValues struct {
	keys key.Map
	item store.Item
}

func (f *csvFile) parse(cells []string) (v rowValues, reason string) {
	v = newRowValues(len(cells))
	return v, f.parseInto(v, cells)
}

func newRowValues(cells int) rowValues { return rowValues{key.Map{}, make(store.Item, cells+8)} }

// parseInto is like parse, but fills the maps of v, which must be empty.
func (f *csvFile) parseInto(v rowValues, cells []string) (reason string) {
	for i, c := range f.columns {
		if c == &ignored {
			continue
		}
		if c.keyName != "" {
			id := strings.TrimSpace(csvfile.Unescape(f.compose(cells[i])))
			if id == "" && c.required {
				return missing(c.name)
			}
			if c.kind == store.Day {
				day, err := parseDay(id)
				if err != nil {
					return c.invalid(id, dayHint)
				}
				id = day.Format(key.Day)
			}
			if isID(c.keyName) {
				if reason := invalidPathID(c.name, id); reason != "" {
					return reason
				}
			}
			if v.keys[c.keyName] = id; c.path != nil {
				setPath(v.item, c.path, &types.AttributeValueMemberS{Value: id})
			}
			continue
		}
		value, reason := c.parse(f.compose(cells[i]), f.decimal)
		if reason == "" && c.kind == store.Money && f.mayGroupByPoint(cells[i]) {
			reason = c.ambiguous(strings.TrimSpace(cells[i]))
		}
		if reason != "" {
			return reason
		}
		if value != nil {
			setPath(v.item, c.path, value)
		} else if c.required {
			return missing(c.name)
		}
	}
	return ""
}

// batches reads the rest of the file in batches. After a rejected row, it continues
// with the next row.
func (f *csvFile) batches(s *sheet, exported bool) Batches {
	return func(yield func(*Batch, error) bool) {
		out := batcher{yield: yield, exported: exported, consistent: exported}
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
			if row.Entity = s.entityType; reason == "" {
				entity, reason = f.entity(s, cells)
			}
			if reason != "" {
				row.id = f.cell(cells, s.columns[0].name)
				out.reject(row, reason)
				continue
			}
			if s, ok := entity.(*store.Subscription); ok && f.index("NextAttemptDate") < 0 {
				s.NextAttemptDate, row.computed = s.NextPaymentDate, []string{"NextAttemptDate"}
			}
			out.add(entity, row)
		}
		out.flush()
	}
}

func (f *csvFile) entity(s *sheet, cells []string) (entity store.Entity, reason string) {
	if f.values.item == nil {
		f.values = newRowValues(len(cells))
	}
	v := f.values // decoding keeps no reference to the maps, so the next row can reuse them
	clear(v.keys)
	clear(v.item)
	if reason := f.parseInto(v, cells); reason != "" {
		return nil, reason
	}
	s.setKeys(v)
	if entity, reason = f.decode(s, v); reason != "" {
		return nil, reason
	}
	if size := 0; !f.partial {
		for _, cell := range cells {
			size += len(cell)
		}
		if size <= smallRow {
			return entity, ""
		}
	}
	_, reason = encode(entity)
	return entity, reason
}

// smallRow is the maximum size, in bytes, of a row that is not encoded to check the size of
// its item. The item would not be too large even if every key contained the whole row.
// Encoding has no other errors, because decoding has already checked the keys and the range
// of values.
const smallRow = 8 << 10

func (f *csvFile) decode(s *sheet, v rowValues) (entity store.Entity, reason string) {
	entity, reason = decodeItem(s.entityType, v.item)
	if reason != "" {
		return nil, reason
	}
	for _, c := range f.columns {
		if value := v.keys[c.keyName]; c.keyName != "" && value != entity.KeyValue(c.keyName) {
			return nil, fmt.Sprintf("%s %s is not valid. Write it as %s.", c.name, store.Quoted(value), store.Quoted(entity.KeyValue(c.keyName)))
		}
	}
	return entity, checkPlausible(entity)
}
