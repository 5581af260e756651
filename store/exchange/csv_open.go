package exchange

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"stockroom/store"
)

// csvSources are the CSV files of an import.
type csvSources struct {
	tables []csvTable
	lists  map[*sheet][]*listRows
}

type csvTable struct {
	file  int
	sheet *sheet
	csv   *csvFile
	lists []*listRows
}

// open opens a file of an entity, or reads one of a list.
func (c *csvSources) open(file int, f File, name string) error {
	if tables := f.Mapping.tables(f.Name); tables != nil {
		return c.openMapped(file, f, tables)
	}
	s, l, found := sheetNamed(name)
	if !found {
		return &FileError{File: f.Name, Reason: fmt.Sprintf("unknown CSV file name; name it after what it holds: %s.csv, or use a mapping", strings.Join(sheetNames(), ".csv, "))}
	}
	columns := s.columns
	if l != nil {
		columns = l.columns
	}
	csv, err := openCSV(f, columns)
	if err == nil {
		err = csv.findDecimalSign()
	}
	if err != nil {
		return err
	}
	return c.add(csvTable{file: file, sheet: s, csv: csv}, l)
}

// add adds the opened file of an entity, or reads that of a list.
func (c *csvSources) add(t csvTable, l *list) error {
	if l == nil {
		c.tables = append(c.tables, t)
		return nil
	}
	rows, err := t.csv.readList(l, t.file)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(c.lists[t.sheet], func(other *listRows) bool { return other.list == l }) {
		return &FileError{File: t.csv.name, Reason: fmt.Sprintf("there are two %s.csv; import one at a time", l.file)}
	}
	if c.lists == nil {
		c.lists = map[*sheet][]*listRows{}
	}
	c.lists[t.sheet] = append(c.lists[t.sheet], rows)
	return nil
}

// importSequence lists the entities whose files come first, parents before
// what refers to them.
var importSequence = slices.Concat([]string{
	string(store.Region), string(store.Country), string(store.Location), string(store.Department), string(store.Job),
	kindWarehouse, kindEmployee, kindCustomer, kindPerson, kindProduct, kindWarehouseItem, kindStore, kindKayak,
	"storeActiveRental", "rentalRelationship",
}, orderKinds)

// sources returns the files of entities in the sequence in which they are
// imported.
func (c *csvSources) sources(prefixes idPrefixes) ([]Source, error) {
	phase := func(t csvTable) int {
		if i := slices.Index(importSequence, t.sheet.entityType); i >= 0 {
			return i
		}
		return len(importSequence)
	}
	slices.SortStableFunc(c.tables, func(a, b csvTable) int { return phase(a) - phase(b) })
	c.complete()
	if err := c.checkMapped(); err != nil {
		return nil, err
	}
	// Totals are only in files that this program exported.
	exported := slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == "total" })
	hasKayaks := slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == kindKayak })
	scan := &orderScan{prefixes: prefixes}
	var sources []Source
	for _, t := range c.tables {
		t.lists = c.lists[t.sheet]
		delete(c.lists, t.sheet)
		source := Source{File: t.file, strict: !exported, mayHaveTotals: slices.Contains([]string{"total", kindQuota}, t.sheet.entityType)}
		switch {
		case exported: // consistent, but possibly in another order
			t.csv.exported = true
		case slices.Contains(orderKinds, t.sheet.entityType):
			t.csv.scan, t.csv.file = scan, t.file
			scan.tables = append(scan.tables, t)
			source.prepare, source.strict = scan.run, false
		case t.sheet.entityType == kindEmployee:
			source.prepare = t.csv.announceEmployees(prefixes[prefixEmployee])
		}
		source.beforeKayaks = hasKayaks && t.sheet.entityType == kindStore
		source.Batches = t.csv.batches(t.sheet, t.lists, exported)
		sources = append(sources, source)
	}
	for i := range sources {
		sources[i].continues = slices.ContainsFunc(sources[i+1:], func(later Source) bool { return later.File == sources[i].File })
	}
	for s, lists := range c.lists {
		return nil, &FileError{File: lists[0].list.file + ".csv", Reason: fmt.Sprintf("it belongs to %s.csv; import both together", s.file)}
	}
	return sources, nil
}

// announceEmployees reads the IDs of all employees, who can be managers of
// employees in earlier rows.
func (f *csvFile) announceEmployees(prefix string) func(context.Context, *importer) error {
	return func(_ context.Context, i *importer) error {
		f.rewound = true
		if err := f.rewind(); err != nil {
			return err
		}
		for {
			_, cells, _, err := f.next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			i.Known.add(kindEmployee, prefix+f.cell(cells, "EmployeeID"))
		}
	}
}
