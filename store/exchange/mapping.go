package exchange

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"stockroom/store"
)

// Mapping says how to import CSV files whose names, columns and values differ
// from those of an export; see docs/import-export.md.
type Mapping struct {
	name     string
	files    map[string][]*mappedTable // by fileKey
	names    []string                  // of the files, as written
	currency string                    // its code
}

// SetCurrency sets the currency to whose decimals prices after a discount are
// rounded. It must be called before files are imported.
func (m *Mapping) SetCurrency(code string) { m.currency = code }

func (m *Mapping) decimals() int { return store.CurrencyDecimals(m.currency) }

// mappedTable is an entity whose rows come from a file with other columns. A file
// can have several.
type mappedTable struct {
	mapping string // the name of its file, for messages
	line    int
	sheet   *sheet // nil if the file is not imported
	list    *list  // nil for the entity itself
	format  cellFormat
	when    string // only rows that have a value in this column; "" for all
	targets []*target
	ignored []string // columns that are not imported
}

// target is an attribute and the source of its values.
type target struct {
	line      int
	column    *column
	from      []string // the columns of the file whose values are joined; none for a constant
	separator string
	constant  string
	values    map[string]string // values of the file and their values in Stockroom
	other     *string           // value for all other values; nil to keep them
	prefix    string            // of an ID
	scale     decimal.Decimal   // factor for a number; 0 for none
	discount  string            // the column with the discount on an amount
	format    cellFormat
}

// cellFormat describes the notation of values in a file.
type cellFormat struct {
	encoding string
	dates    []string // layouts of package time
	decimal  string   // sign, "." or ","; "" if each value shows it
	empty    []string // texts that stand for no value
}

// noEntity stands for the entity of a file that is not imported.
const noEntity = "none"

// fileKey identifies a CSV file in a mapping.
func fileKey(path string) string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	return entityName(strings.TrimSuffix(name, ".csv"))
}

// tables returns the entities of a file, or nil if the mapping does not have it.
func (m *Mapping) tables(path string) []*mappedTable {
	if m == nil {
		return nil
	}
	return m.files[fileKey(path)]
}

// Skips reports whether the mapping says that the file is not imported.
func (m *Mapping) Skips(path string) bool {
	tables := m.tables(path)
	return len(tables) > 0 && tables[0].sheet == nil
}

// Absent returns the files that the mapping has and that are not among these, except
// those that it excludes.
func (m *Mapping) Absent(paths []string) []string {
	if m == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.names), func(name string) bool {
		return m.Skips(name) || slices.ContainsFunc(paths, func(path string) bool { return fileKey(path) == fileKey(name) })
	})
}

// columns returns the columns of the entity.
func (t *mappedTable) columns() []column {
	if t.list != nil {
		return t.list.columns
	}
	return t.sheet.columns
}

// file returns the name of the entity's own CSV file, without .csv.
func (t *mappedTable) file() string {
	if t.list != nil {
		return t.list.file
	}
	return t.sheet.file
}

// uses returns the columns of the file that the targets use.
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

// knows reports whether the table uses or ignores a column.
func (t *mappedTable) knows(name string) bool {
	return containsName(t.uses(), name) || containsName(t.ignored, name) || t.implied(name) != nil
}

// implied returns the attribute with the same name as a column, unless the mapping
// mentions the column or the attribute.
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

// indexOfName finds a column by name, regardless of case and surrounding space.
func indexOfName(names []string, name string) int {
	return slices.IndexFunc(names, func(other string) bool {
		return strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name))
	})
}
