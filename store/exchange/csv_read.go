package exchange

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
)

// SheetNamed finds the form of a CSV file by its name without .csv: of an
// entity, or of a list of one.
func SheetNamed(name string) (sheet *Sheet, list *List, found bool) {
	for i := range sheets {
		if strings.EqualFold(sheets[i].File, name) {
			return &sheets[i], nil, true
		}
		for j := range sheets[i].Lists {
			if strings.EqualFold(sheets[i].Lists[j].File, name) {
				return &sheets[i], &sheets[i].Lists[j], true
			}
		}
	}
	return nil, nil, false
}

// A CSV is a CSV file whose header has been read.
type CSV struct {
	file    string
	columns []*Column // one for each cell of a row
	records *csvfile.Reader
	row     int // as spreadsheets count: the header is row 1
}

// OpenCSV reads the header. It fails with a *FileError where a column has no
// place in the form, or one that it needs is missing.
func OpenCSV(file string, r io.Reader, columns []Column) (*CSV, error) {
	in, err := unzipped(r)
	if err != nil {
		return nil, err
	}
	c := &CSV{file: file, records: csvfile.NewReader(in), row: 1}
	header, err := c.records.Read()
	switch {
	case err == io.EOF:
		return nil, &FileError{File: file, Reason: "the file is empty; its first row has to name the columns"}
	case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding) || errors.Is(err, csvfile.ErrTooLong):
		return nil, &FileError{file, 1, "the row that names the columns cannot be read: " + err.Error()}
	case err != nil:
		return nil, err
	}
	for _, name := range header {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
		switch {
		case i < 0:
			return nil, &FileError{file, 1, fmt.Sprintf("there is no place for a column %q; there are %s", name, namesOf(columns))}
		case slices.Contains(c.columns, &columns[i]):
			return nil, &FileError{file, 1, fmt.Sprintf("the column %s stands twice", name)}
		}
		c.columns = append(c.columns, &columns[i])
	}
	for i := range columns {
		if columns[i].Needed && !slices.Contains(c.columns, &columns[i]) {
			return nil, &FileError{file, 1, fmt.Sprintf("the column %s is missing", columns[i].Name)}
		}
	}
	return c, nil
}

func namesOf(columns []Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// next reads a row that is not empty; with a reason where it cannot be read.
func (c *CSV) next() (row Row, cells []string, reason string, err error) {
	for {
		c.row++
		cells, err = c.records.Read()
		row = Row{Number: c.row, cells: func() []string { return c.named(cells) }}
		switch {
		case errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding):
			return row, cells, "The row cannot be read: " + err.Error() + ".", nil
		case errors.Is(err, csvfile.ErrTooLong) || errors.Is(err, io.ErrUnexpectedEOF):
			return row, nil, "", &FileError{File: c.file, Reason: fmt.Sprintf("row %d cannot be read, nor what follows: %v", c.row, err)}
		case err != nil:
			return row, nil, "", err
		case !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }):
			continue
		case len(cells) != len(c.columns):
			return row, cells, fmt.Sprintf("It has %d cells, and the file %d columns.", len(cells), len(c.columns)), nil
		}
		return row, cells, "", nil
	}
}

// named puts the name of its column before each cell that is not empty.
func (c *CSV) named(cells []string) []string {
	var all []string
	for i, cell := range cells {
		name := fmt.Sprintf("cell %d", i+1)
		if i < len(c.columns) {
			name = c.columns[i].Name
		}
		if cell != "" {
			all = append(all, name, strings.ToValidUTF8(cell, "�"))
		}
	}
	return all
}

// said is what a row says: values of keys, and attributes.
type said struct {
	values key.Map
	item   store.Item
}

// read makes values of the cells.
func (c *CSV) read(cells []string) (s said, reason string) {
	s = said{key.Map{}, make(store.Item, len(cells)+8)}
	for i, column := range c.columns {
		if column.value != "" {
			id := strings.TrimSpace(csvfile.Unescape(cells[i]))
			if id == "" && column.Needed {
				return s, fmt.Sprintf("It does not say its %s.", column.Name)
			}
			if isID(column.value) {
				if reason := noKey(column.Name, id); reason != "" {
					return s, reason
				}
			}
			if s.values[column.value] = id; column.path != nil {
				put(s.item, column.path, &types.AttributeValueMemberS{Value: id})
			}
			continue
		}
		value, reason := column.read(cells[i])
		if reason != "" {
			return s, reason
		}
		if value != nil {
			put(s.item, column.path, value)
		} else if column.Needed {
			return s, fmt.Sprintf("It does not say its %s.", column.Name)
		}
	}
	return s, ""
}

// put sets an attribute that may lie within others.
func put(item store.Item, path []string, value types.AttributeValue) {
	for _, name := range path[:len(path)-1] {
		inner, _ := item[name].(*types.AttributeValueMemberM)
		if inner == nil {
			inner = &types.AttributeValueMemberM{Value: store.Item{}}
			item[name] = inner
		}
		item = inner.Value
	}
	item[path[len(path)-1]] = value
}

// A Listing is what a file of a list holds, by what it belongs to.
type Listing struct {
	list *List
	rows map[string]*listing
}

// listing is what belongs to one thing.
type listing struct {
	elements []types.AttributeValue
	rows     []Row
	wrong    *Refused // the first of its rows that was refused
}

// ReadList reads a file of a list into memory, to go into what it belongs to.
// Its refused rows come with the entities.
func (c *CSV) ReadList(l *List) (*Listing, error) {
	read := &Listing{l, map[string]*listing{}}
	for {
		row, cells, reason, err := c.next()
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return nil, err
		}
		var s said
		if reason == "" {
			s, reason = c.read(cells)
		}
		of := read.of(l.owner(s.values))
		if of.rows = append(of.rows, row); reason != "" {
			of.wrong = &Refused{row, reason}
			continue
		}
		of.elements = append(of.elements, &types.AttributeValueMemberM{Value: s.item})
	}
}

// owner is by what rows of a list and of its entity find each other.
func (l *List) owner(values key.Map) string {
	var b strings.Builder
	for _, c := range l.Columns[:l.own] {
		b.WriteString(values[c.value])
		b.WriteByte(0)
	}
	return b.String()
}

func (l *Listing) of(owner string) *listing {
	if l.rows[owner] == nil {
		l.rows[owner] = &listing{}
	}
	return l.rows[owner]
}

// Entities reads the rest of the file. Each row stands for itself: nothing of
// it is worked out from others, and where it is refused the others go in.
// Lists are what belongs to the entities; what of them belongs to none is
// refused with the rest. What comes together with its totals is ours.
func (c *CSV) Entities(s *Sheet, lists []*Listing, ours bool) Portions {
	return func(yield func(*Import, error) bool) {
		out := sink{yield: yield, ours: ours}
		for !out.stopped {
			row, cells, reason, err := c.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				out.end()
				if !out.stopped {
					yield(nil, err)
				}
				return
			}
			var entity store.Entity
			if reason == "" {
				entity, reason = c.entity(s, cells, lists)
			}
			if reason != "" {
				out.refuse(row, reason)
			} else {
				out.add(entity, row)
			}
		}
		for _, l := range lists {
			l.rest(s, &out)
		}
		out.end()
	}
}

// rest refuses what is left of a list: rows that are wrong, and those that
// belong to nothing in the file of the entity.
func (l *Listing) rest(s *Sheet, out *sink) {
	for _, owner := range slices.Sorted(maps.Keys(l.rows)) {
		of := l.rows[owner]
		for _, row := range of.rows {
			row.Table = l.list.File
			switch {
			case of.wrong != nil && of.wrong.Number == row.Number:
				out.refuse(row, of.wrong.Reason)
			case of.wrong != nil:
				out.refuse(row, fmt.Sprintf("What belongs to it is taken together or not at all: row %d was refused.", of.wrong.Number))
			default:
				out.refuse(row, fmt.Sprintf("What it belongs to is not in %s.csv, or was refused there.", s.File))
			}
		}
	}
}

// entity makes an entity of a row.
func (c *CSV) entity(s *Sheet, cells []string, lists []*Listing) (entity store.Entity, reason string) {
	row, reason := c.read(cells)
	if reason != "" {
		return nil, reason
	}
	for _, l := range lists {
		owner := l.list.owner(row.values)
		if of := l.rows[owner]; of != nil {
			if of.wrong != nil {
				return nil, fmt.Sprintf("Row %d of %s.csv, which belongs to it, was refused.", of.wrong.Number, l.list.File)
			}
			put(row.item, l.list.path, &types.AttributeValueMemberL{Value: of.elements})
			defer func() {
				if reason == "" {
					delete(l.rows, owner)
				}
			}()
		}
	}
	s.setKeys(row)
	if entity, reason = s.entity(row.item); reason != "" {
		return nil, reason
	}
	for _, column := range c.columns {
		if given := row.values[column.value]; column.value != "" && given != entity.KeyValue(column.value) {
			return nil, fmt.Sprintf("Its %s is %q, which is not how one is written: that would be %q.", column.Name, given, entity.KeyValue(column.value))
		}
	}
	return entity, ""
}

// entity decodes an item that a row was made to.
func (s *Sheet) entity(item store.Item) (store.Entity, string) {
	entity, err := store.Decode(item)
	if err != nil {
		return nil, err.Error()
	}
	if invoice, ok := entity.(*store.Invoice); ok && invoice.Status == "" {
		invoice.Status = invoice.StatusFromPayments()
	}
	if reason := nonsense(entity); reason != "" {
		return nil, reason
	}
	_, reason := writable(entity)
	return entity, reason
}

// setKeys gives an item those of its keys that readers of the table take
// something from: its own, and those that consist of IDs.
func (s *Sheet) setKeys(row said) {
	setText(row.item, "EntityType", s.Type)
	for _, name := range s.follows {
		row.values[name] = "0" // a place for what an attribute says
	}
	set := func(name string, t key.Template) {
		if text, missing := t.Render(row.values); missing == "" && !t.IsZero() {
			setText(row.item, name, text)
		}
	}
	set("PK", s.definition.Table.PK)
	set("SK", s.definition.Table.SK)
	for n := 1; n <= store.IndexCount; n++ {
		set(store.IndexName(n)+"-PK", s.definition.Index[n].PK)
		set(store.IndexName(n)+"-SK", s.definition.Index[n].SK)
	}
}
