package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stockroom/store/csvfile"
)

// openMapped opens a file with its mapping, once for each entity that its rows become.
func (c *csvSources) openMapped(file int, f File, tables []*mappedTable) error {
	if tables[0].sheet == nil {
		return nil
	}
	for _, t := range tables {
		csv, err := startCSV(f, t)
		if err != nil {
			return err
		}
		csv.partial = f.Partial
		if err := csv.bind(tables, f.Mapping.decimals); err != nil {
			return err
		}
		if err := c.add(csvTable{file: file, sheet: t.sheet, list: t.list, csv: csv}); err != nil {
			return err
		}
		csv.rewound = true
		if _, err := csv.content.Seek(0, 0); err != nil {
			return err
		}
	}
	return nil
}

// bind finds the columns of the mapping in the header. It returns a FileError if a column
// appears twice, or if the mapping or the file lacks columns.
func (f *csvFile) bind(tables []*mappedTable, decimals func() int) error {
	var unknown []string
	for i, name := range f.names() {
		if indexOfName(f.header[:i], name) >= 0 {
			return &FileError{f.name, 1, fmt.Sprintf("the column %s appears twice; remove one", name)}
		}
		if !slices.ContainsFunc(tables, func(t *mappedTable) bool { return t.knows(name) }) {
			unknown = append(unknown, name)
		}
	}
	t := f.mapping
	mapper, missing := t.bind(f.header, decimals)
	switch {
	case len(unknown) > 0:
		return &FileError{f.name, 1, unknownColumns(unknown, t.columns()) + ", or list them under ignore"}
	case len(missing) > 0:
		return &FileError{f.name, 1, fmt.Sprintf("%s, line %d: columns of the mapping that the file does not have: %s; correct or remove them", t.mapping, t.line, strings.Join(missing, ", "))}
	}
	f.mapper, f.columns = mapper, mapper.columns
	f.records = &mappedRecords{in: f.records.(*csvfile.Reader), mapper: mapper}
	return nil
}

// checkColumns returns FileErrors that name the required columns that files lack.
func (c *csvSources) checkColumns() error {
	var problems FileErrors
	hasEntity := func(entityType string) bool {
		return slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == entityType })
	}
	for _, t := range slices.Concat(c.tables, c.lists) {
		columns := t.sheet.columns
		if t.list != nil {
			columns = t.list.columns
		}
		missing := t.csv.missing(columns, hasEntity)
		switch {
		case len(missing) == 0:
		case t.csv.mapping != nil:
			_ = problems.add(t.csv.lacks(missing)) // lacks returns a FileError, for which add returns nil
		default:
			_ = problems.add(&FileError{t.csv.name, 1, missingColumns(missing) + computedColumns(columns, missing)})
		}
	}
	return problems.err()
}

func (f *csvFile) lacks(missing []string) error {
	return &FileError{f.name, 1, fmt.Sprintf("no column or constant for the required attributes of %s: %s; see line %d of %s", f.mapping.file(), strings.Join(missing, ", "), f.mapping.line, f.mapping.mapping)}
}

// FileErrors contains the errors of several files.
type FileErrors []*FileError

func (e FileErrors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

func (e FileErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// add adds err to the list and returns nil if err is a FileError. It returns any other
// error.
func (e *FileErrors) add(err error) error {
	var file *FileError
	if errors.As(err, &file) {
		*e = append(*e, file)
		return nil
	}
	return err
}

// err returns the list as an error, or nil if it is empty.
func (e FileErrors) err() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}
