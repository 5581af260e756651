package exchange

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// Mapping describes how to import CSV files whose names, columns or values differ
// from those of an export. See docs/import-export.md.
type Mapping struct {
	name     string
	files    map[string][]*mappedTable // tables by fileKey
	names    []string                  // file names as in the mapping
	currency string                    // currency code
}

// SetCurrency sets the currency. Prices after a discount are rounded to the decimals
// of this currency. Call SetCurrency before importing files.
func (m *Mapping) SetCurrency(code string) { m.currency = code }

func (m *Mapping) decimals() int { return store.CurrencyDecimals(m.currency) }

// mappedTable describes how the rows of a file become entities of one type. If they become
// entities of several types, the file has several tables.
type mappedTable struct {
	mapping string // file name of the mapping, for messages
	line    int
	sheet   *sheet // nil if the file is not imported
	list    *list  // nil for the entity itself
	format  cellFormat
	when    string // import only rows with a value in this column; "" imports all
	targets []*target
	ignored []string // columns of the file to ignore
}

// target describes how to compute the value of an attribute.
type target struct {
	line      int
	column    *column
	from      []string // columns of the file, whose values are joined; none if the value is constant
	separator string
	constant  string
	values    map[string]string // Stockroom's value for each value in the file
	other     *string           // the value for cells that values does not contain; nil keeps these cells unchanged
	prefix    string            // prefix for an ID
	scale     decimal.Decimal   // factor for a number; 0 for none
	discount  string            // column with a discount: a fraction from 0 to 1, or a percentage; "" for none
	format    cellFormat
}

// cellFormat describes how values are written in a file.
type cellFormat struct {
	encoding string
	dates    []string // layouts of package time
	decimal  string   // decimal separator, "." or ","; "" finds the separator of each value
	empty    []string // contents of cells that count as empty
}

// noEntity stands, in a mapping, for the entity of a file that is not imported.
const noEntity = "none"

// fileKey returns the key of a CSV file in a mapping.
func fileKey(path string) string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	return entityName(strings.TrimSuffix(name, ".csv"))
}

// tables returns the tables for a file, or nil if the file is not in the mapping.
func (m *Mapping) tables(path string) []*mappedTable {
	if m == nil {
		return nil
	}
	return m.files[fileKey(path)]
}

// Skips reports whether the mapping excludes the file from the import.
func (m *Mapping) Skips(path string) bool {
	tables := m.tables(path)
	return len(tables) > 0 && tables[0].sheet == nil
}

// Absent returns the files in the mapping that are not in paths. It ignores files
// that the mapping excludes.
func (m *Mapping) Absent(paths []string) []string {
	if m == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.names), func(name string) bool {
		return m.Skips(name) || slices.ContainsFunc(paths, func(path string) bool { return fileKey(path) == fileKey(name) })
	})
}

func (t *mappedTable) columns() []column {
	if t.list != nil {
		return t.list.columns
	}
	return t.sheet.columns
}

// file returns the name of the entity's CSV file in an export, without .csv.
func (t *mappedTable) file() string {
	if t.list != nil {
		return t.list.file
	}
	return t.sheet.file
}

// uses returns the columns of the file that the targets use, and the column when.
func (t *mappedTable) uses() []string {
	var names []string
	if t.when != "" {
		names = append(names, t.when)
	}
	for _, target := range t.targets {
		if names = append(names, target.from...); target.discount != "" {
			names = append(names, target.discount)
		}
	}
	return names
}

// knows reports whether the mapping uses or ignores a column.
func (t *mappedTable) knows(name string) bool {
	return containsName(t.uses(), name) || containsName(t.ignored, name) || t.implied(name) != nil
}

// implied returns the attribute with the name of a column. It returns nil if there is none,
// or if the mapping mentions the column or the attribute.
func (t *mappedTable) implied(name string) *column {
	if containsName(t.uses(), name) || containsName(t.ignored, name) {
		return nil
	}
	columns := t.columns()
	i := indexNamed(columns, strings.TrimSpace(name))
	if i < 0 || slices.ContainsFunc(t.targets, func(other *target) bool { return other.column == &columns[i] }) {
		return nil
	}
	return &columns[i]
}

func containsName(names []string, name string) bool { return indexOfName(names, name) >= 0 }

// indexOfName returns the index of a column, ignoring case and surrounding spaces, or
// -1 if there is none.
func indexOfName(names []string, name string) int {
	name = csvfile.Unescape(strings.TrimSpace(name))
	return slices.IndexFunc(names, func(other string) bool {
		return strings.EqualFold(csvfile.Unescape(strings.TrimSpace(other)), name)
	})
}
