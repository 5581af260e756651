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
)

// csvFile is a CSV file with its header read.
type csvFile struct {
	name    string
	columns []*column // of each cell of a row
	records *csvfile.Reader
	row     int // as spreadsheets count: the header is row 1
}

// openCSV reads the header. It returns a FileError if a column is unknown, or
// required and missing.
func openCSV(name string, r io.Reader, columns []column) (*csvFile, error) {
	in, err := unzip(r)
	if err != nil {
		return nil, err
	}
	f := &csvFile{name: name, records: csvfile.NewReader(in), row: 1}
	header, err := f.records.Read()
	switch {
	case err == io.EOF:
		return nil, &FileError{File: name, Reason: "the file is empty; start with a row of column names"}
	case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding) || errors.Is(err, csvfile.ErrTooLong):
		return nil, &FileError{name, 1, "can't read the column names: " + err.Error()}
	case err != nil:
		return nil, err
	}
	for _, cell := range header {
		cell = strings.TrimSpace(cell)
		i := slices.IndexFunc(columns, func(c column) bool { return strings.EqualFold(c.name, cell) })
		switch {
		case i < 0:
			return nil, &FileError{name, 1, fmt.Sprintf("unknown column %q; use %s", cell, columnNames(columns))}
		case slices.Contains(f.columns, &columns[i]):
			return nil, &FileError{name, 1, fmt.Sprintf("the column %s is there twice; remove one", cell)}
		}
		f.columns = append(f.columns, &columns[i])
	}
	for i := range columns {
		if columns[i].required && !slices.Contains(f.columns, &columns[i]) {
			return nil, &FileError{name, 1, fmt.Sprintf("the column %s is missing; add it", columns[i].name)}
		}
	}
	return f, nil
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
	for {
		f.row++
		cells, err = f.records.Read()
		row = Row{Number: f.row, cells: func() []string { return f.withNames(cells) }}
		switch {
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
		if i < len(f.columns) {
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
