package exchange

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store/csvfile"
)

// recordReader reads the records of a CSV file, header first.
type recordReader interface {
	Read() ([]string, error)
}

// rowMapper turns the cells of a row into the cells of an entity's columns.
type rowMapper struct {
	width   int // of the rows of the file
	when    int // the index of the column that selects rows, or -1
	columns []*column
	targets []boundTarget
	fills   []fill // of the columns after those of the targets
	paused  bool   // leave out the fills
}

// boundTarget is a target with the indexes of its columns in the file.
type boundTarget struct {
	*target
	names    string // of its columns, for messages
	from     []int
	discount int        // or -1
	decimals func() int // of the currency
}

// bind finds the columns of the table in the header of a file. It returns the
// names of columns that the file does not have.
func (t *mappedTable) bind(header []string, decimals func() int) (m *rowMapper, missing []string) {
	find := func(name string) int {
		i := indexOfName(header, name)
		if i < 0 && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		return i
	}
	m = &rowMapper{width: len(header), when: -1}
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
	raw    []string // the last record, as in the file
}

// Read returns the cells of the entity's columns. It returns a rowError if the next
// row can be read.
func (r *mappedRecords) Read() (cells []string, err error) {
	if r.raw, err = r.in.Read(); err != nil {
		return r.raw, err
	}
	if cells, err = r.mapper.cells(r.raw); err != nil {
		return r.raw, err
	}
	return cells, nil
}

// cells returns the cells of the entity's columns from a record. They are empty for
// rows that the mapping does not select. It returns a rowError for an invalid record.
func (m *rowMapper) cells(raw []string) (cells []string, err error) {
	switch {
	case !slices.ContainsFunc(raw, func(cell string) bool { return cell != "" }):
		return make([]string, len(m.columns)), nil
	case len(raw) != m.width:
		return nil, rowError(fmt.Sprintf("The row has %d cells, but the file has %d columns.", len(raw), m.width))
	case m.when >= 0 && m.targets[0].format.text(raw[m.when]) == "":
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
