package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// openCSV opens a CSV file and reads its header. It returns a FileError if a column
// appears twice or is unknown. For unknown columns, the error also names missing columns.
func openCSV(file File, s *sheet, l *list) (*csvFile, error) {
	columns, listed, isList := s.columns, s.listed, false
	if l != nil {
		columns, listed = l.columns, nil
	}
	name := file.Name
	f, err := startCSV(file, nil)
	if err != nil {
		return nil, err
	}
	f.partial = file.Partial
	var unknown []string
	for at, cell := range f.header {
		i := indexNamed(columns, strings.TrimSpace(cell))
		switch {
		case f.isReason(at) && (i < 0 || slices.Contains(f.columns, &columns[i])):
			f.columns = append(f.columns, &ignored)
			continue
		case i < 0 && slices.ContainsFunc(listed, func(name string) bool { return isName(name, cell) }):
			f.columns, isList = append(f.columns, &ignored), true
			continue
		case i < 0:
			unknown = append(unknown, cell)
			continue
		case slices.Contains(f.columns, &columns[i]):
			return nil, &FileError{name, 1, fmt.Sprintf("the column %s appears twice; remove one", columns[i].name)}
		}
		f.columns = append(f.columns, &columns[i])
	}
	for at, c := range f.columns {
		if isList && f.partial && l == nil && slices.Contains(s.changing, c.name) {
			f.columns[at] = &ignored
		}
	}
	if len(unknown) == 0 {
		return f, nil
	}
	reason := unknownColumns(unknown, columns)
	if missing := f.missing(columns, func(string) bool { return true }); len(missing) > 0 {
		reason += "; " + missingColumns(missing)
	}
	return nil, &FileError{name, 1, reason}
}

// ignored stands for all columns that imports ignore: the column of reasons in a file of
// rejected rows, and the columns in sheet.listed and sheet.changing.
var ignored = column{name: reasonColumn}

// isReason reports whether a column is the column of reasons: the last column, with the
// name reasonColumn.
func (f *csvFile) isReason(at int) bool {
	return at == len(f.header)-1 && strings.EqualFold(strings.TrimSpace(f.header[at]), reasonColumn)
}

// names returns the column names without the column of reasons.
func (f *csvFile) names() []string {
	if last := len(f.header) - 1; f.isReason(last) {
		return f.header[:last]
	}
	return f.header
}

// unknownColumns returns a sentence that lists columns which the entity does not
// have. It suggests columns with similar names.
func unknownColumns(names []string, columns []column) string {
	var quoted []string
	for _, name := range names {
		text := strconv.Quote(strings.TrimSpace(name))
		if closest := closestColumn(name, columns); closest != "" {
			text += " (" + closest + "?)"
		}
		quoted = append(quoted, text)
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

// computedColumns returns a hint about the missing columns that an import computes from the
// file of another entity, or "".
func computedColumns(columns []column, missing []string) string {
	var names []string
	from := ""
	for i := range columns {
		if c := &columns[i]; c.from != "" && slices.Contains(missing, c.name) {
			s, _ := sheetOf(c.from)
			names, from = append(names, c.name), s.file+".csv"
			if c.from == kindOrderItem {
				from += " and invoices.csv"
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(", or import the file together with %s, from which the import computes %s", from, strings.Join(names, " and "))
}

// missing returns the names of required columns that the file does not have. It omits
// columns whose values the import can take from the file of another entity. If the file may
// be partial, only the columns with IDs are required. missing then records the other ones
// in f.source.lacks. It also sets the columns in f.source.
func (f *csvFile) missing(columns []column, hasEntity func(string) bool) (names []string) {
	f.source = rowSource{columns: f.columns}
	if f.mapper != nil {
		f.source.columns = f.columns[:len(f.mapper.targets)]
	}
	for i := range columns {
		switch c := &columns[i]; {
		case !c.required || slices.Contains(f.columns, c) || c.from != "" && hasEntity(c.from):
		case f.partial && c.keyName == "":
			f.source.lacks = append(f.source.lacks, c.name)
		default:
			names = append(names, c.name)
		}
	}
	return names
}

func columnNames(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}
