package exchange

import (
	"io"
	"slices"

	"stockroom/store/csvfile"
)

// completion describes an attribute that a file with a mapping may omit if the import also
// includes another file with the value.
type completion struct {
	entity, column string
	from, by       string // entity of the other file, and the column with its ID
	of             string // column of the other file with the value
}

// completions lists the attributes that a file with a mapping may omit.
var completions = []completion{
	{kindOrder, "CustomerName", kindCustomer, "CustomerID", "Name"},
	{kindOrderItem, "Name", kindProduct, "ProductID", "Detail.Name"},
	{kindOrderItem, "SKU", kindProduct, "ProductID", "SKU"},
	{kindWarehouseItem, "Name", kindProduct, "ProductID", "Detail.Name"},
}

// fill sets one column of a file to values of another file. The first file has a mapping.
type fill struct {
	*completion
	find func() (*lookup, error)
}

// value returns the value for a row, or "" if the other file does not contain it.
func (f *fill) value(m *rowMapper, cells []string) (string, error) {
	found, err := f.find()
	if err != nil {
		return "", err
	}
	by := slices.IndexFunc(m.columns, func(c *column) bool { return c.name == f.by })
	if by < 0 {
		return "", nil
	}
	return found.get(cells[by], f.of), nil
}

// lookup contains cells of the files of one entity by the entity's ID, to complete other
// files.
type lookup struct {
	columns []string
	rows    map[string][]string
}

// get returns the value of a column, or "" if the ID is unknown.
func (l *lookup) get(id, column string) string {
	row := l.rows[csvfile.Unescape(id)]
	if row == nil {
		return ""
	}
	return row[slices.Index(l.columns, column)]
}

// complete adds fills to the files with a mapping: one for each of the completions whose
// column is missing in the file and whose value is in another file of the import.
func (c *csvSources) complete() {
	lookups := map[string]func() (*lookup, error){}
	for _, t := range c.tables {
		m := t.csv.mapper
		if m == nil {
			continue
		}
		for i := range completions {
			f := &completions[i]
			column := indexNamed(t.sheet.columns, f.column)
			if f.entity != t.sheet.entityType || column < 0 || slices.Contains(m.columns, &t.sheet.columns[column]) || !c.has(f) {
				continue
			}
			if lookups[f.from] == nil {
				lookups[f.from] = c.lookUp(f.from, f.by)
			}
			to := &t.sheet.columns[column]
			m.fills = append(m.fills, fill{f, lookups[f.from]})
			m.columns = append(m.columns, to)
		}
		t.csv.columns = m.columns
	}
}

// has reports whether the import includes the other file of a completion.
func (c *csvSources) has(f *completion) bool {
	return slices.ContainsFunc(c.tables, func(t csvTable) bool {
		return t.sheet.entityType == f.from && t.csv.index(f.by) >= 0 && t.csv.index(f.of) >= 0
	})
}

// lookUp returns a function that returns the cells of an entity by its ID. The first call
// reads the files of the entity.
func (c *csvSources) lookUp(entity, by string) func() (*lookup, error) {
	var found *lookup
	return func() (*lookup, error) {
		if found != nil {
			return found, nil
		}
		l := &lookup{rows: map[string][]string{}}
		for _, f := range completions {
			if f.from == entity && !slices.Contains(l.columns, f.of) {
				l.columns = append(l.columns, f.of)
			}
		}
		for _, t := range c.tables {
			if t.sheet.entityType == entity {
				if err := l.read(t.csv, by); err != nil {
					return nil, err
				}
			}
		}
		found = l
		return found, nil
	}
}

// read adds the rows of a file. It skips rows that it cannot read, because the import later
// rejects them.
func (l *lookup) read(f *csvFile, by string) error {
	if f.mapper != nil {
		f.mapper.paused = true
		defer func() { f.mapper.paused = false }()
	}
	if err := f.rewind(); err != nil {
		return err
	}
	for {
		_, cells, reason, err := f.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if reason != "" {
			continue
		}
		row := make([]string, len(l.columns))
		for i, name := range l.columns {
			row[i] = f.cellNamed(cells, name)
		}
		l.rows[csvfile.Unescape(f.cellNamed(cells, by))] = row
	}
}

// index returns the index of a column, or -1.
func (f *csvFile) index(name string) int {
	return slices.IndexFunc(f.columns, func(c *column) bool { return c.name == name })
}

// cellNamed returns the cell of a column, or "".
func (f *csvFile) cellNamed(cells []string, name string) string {
	if i := f.index(name); i >= 0 && i < len(cells) {
		return cells[i]
	}
	return ""
}
