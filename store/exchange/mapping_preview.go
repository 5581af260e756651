package exchange

import (
	"io"

	"stockroom/store/csvfile"
)

// RowPreview contains the first rows of a file as the mapping reads them.
type RowPreview struct {
	File, Entity string
	Columns      []string
	Rows         []PreviewRow
}

// PreviewRow is a row of a RowPreview.
type PreviewRow struct {
	Number int
	Cells  []string
	Reason string // why the import will reject the row; "" if no reason is known yet
}

// Preview returns the first rows of files with a mapping. It omits values that come
// from other files. It returns a FileError if a file cannot be read with the mapping, or
// FileErrors for several.
func Preview(files []File, rows int) ([]RowPreview, error) {
	var all []RowPreview
	var problems FileErrors
	for _, f := range files {
		tables := f.Mapping.tables(f.Name)
		if len(tables) == 0 || tables[0].sheet == nil {
			continue
		}
		for _, t := range tables {
			p, err := t.preview(f, tables, rows)
			if err := problems.add(err); err != nil {
				return nil, err
			}
			if all = append(all, p); err != nil {
				break
			}
		}
	}
	return all, problems.err()
}

func (t *mappedTable) preview(f File, tables []*mappedTable, rows int) (RowPreview, error) {
	p := RowPreview{File: f.Name, Entity: t.file()}
	if _, err := f.Content.(io.Seeker).Seek(0, io.SeekStart); err != nil {
		return p, err
	}
	csv, err := startCSV(f, t)
	if err != nil {
		return p, err
	}
	if err := csv.bind(tables, f.Mapping.decimals); err != nil {
		return p, err
	}
	for _, c := range csv.columns {
		p.Columns = append(p.Columns, c.name)
	}
	for len(p.Rows) < rows {
		row, cells, reason, err := csv.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p, err
		}
		r := PreviewRow{Number: row.Number, Reason: reason}
		if reason == "" {
			_, r.Reason = csv.parse(cells)
			for _, cell := range cells {
				r.Cells = append(r.Cells, csvfile.Unescape(cell))
			}
		}
		p.Rows = append(p.Rows, r)
	}
	return p, nil
}
