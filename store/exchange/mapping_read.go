package exchange

import (
	"slices"
	"strings"

	"stockroom/store/csvfile"
)

// recordReader reads the records of a CSV file after the header.
type recordReader interface {
	Read() ([]string, error)
}

// rowMapper converts the cells of a row in the file to cells for the columns of an
// entity.
type rowMapper struct {
	width   int        // number of columns in the file
	when    int        // index of the column that selects rows, or -1
	format  cellFormat // how values are written in the file
	columns []*column
	targets []boundTarget
	fills   []fill // values from other files, whose columns follow those of the targets
	paused  bool   // leave the columns of fills empty, without looking up their values
}

// boundTarget is a target with the indexes of its columns in the file.
type boundTarget struct {
	*target
	names    string // names of the target's columns in the file, for messages
	from     []int
	discount int        // index of the column with the discount, or -1
	decimals func() int // number of decimals of the currency
}

// bind finds the columns of the table in the header of a file. It returns the names
// of the columns that are missing.
func (t *mappedTable) bind(header []string, decimals func() int) (m *rowMapper, missing []string) {
	find := func(name string) int {
		i := indexOfName(header, name)
		if i < 0 && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		return i
	}
	m = &rowMapper{width: len(header), when: -1, format: t.format}
	if t.when != "" {
		m.when = find(t.when)
	}
	targets := t.targets
	for _, name := range header {
		if c := t.implied(name); c != nil {
			targets = append(targets[:len(targets):len(targets)], &target{column: c, from: []string{name}, format: t.format})
		}
	}
	for _, to := range targets {
		b := boundTarget{target: to, names: strings.Join(to.from, ", "), discount: -1, decimals: decimals}
		for _, name := range to.from {
			b.from = append(b.from, find(name))
		}
		if to.discount != "" {
			b.discount = find(to.discount)
		}
		m.columns, m.targets = append(m.columns, to.column), append(m.targets, b)
	}
	return m, missing
}

// mappedRecords reads a file through a mapping.
type mappedRecords struct {
	in     *csvfile.Reader
	mapper *rowMapper
	raw    []string // the last record, before its conversion
}

// Read returns the cells for the columns of the entity. After a rowError, the caller
// can read the next row.
func (r *mappedRecords) Read() (cells []string, err error) {
	if r.raw, err = r.in.Read(); err != nil {
		return r.raw, err
	}
	if cells, err = r.mapper.cells(r.raw); err != nil {
		return r.raw, err
	}
	return cells, nil
}

// cells converts a record to cells for the columns of the entity. All cells are empty if
// the mapping does not import the row. cells returns a rowError if the record is invalid.
func (m *rowMapper) cells(raw []string) (cells []string, err error) {
	switch {
	case !slices.ContainsFunc(raw, func(cell string) bool { return cell != "" }):
		return make([]string, len(m.columns)), nil
	case len(raw) != m.width:
		return nil, rowError(wrongWidth(len(raw), m.width))
	case m.when >= 0 && m.format.text(raw[m.when]) == "":
		return make([]string, len(m.columns)), nil
	}
	cells = make([]string, len(m.columns))
	for i := range m.targets {
		if cells[i], err = m.targets[i].value(raw); err != nil {
			return nil, err
		}
	}
	if m.paused {
		return cells, nil
	}
	for i := range m.fills {
		f := &m.fills[i]
		if cells[len(m.targets)+i], err = f.value(m, cells); err != nil {
			return nil, err
		}
	}
	return cells, nil
}
