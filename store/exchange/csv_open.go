package exchange

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"stockroom/store"
)

// csvSources collects the CSV files of an import.
type csvSources struct {
	tables []csvTable
	lists  []csvTable
}

type csvTable struct {
	file  int
	sheet *sheet
	list  *list // the entity's list in the file; nil for the entity's own file
	csv   *csvFile
}

func (c *csvSources) open(file int, f File, name string) error {
	if tables := f.Mapping.tables(f.Name); tables != nil {
		return c.openMapped(file, f, tables)
	}
	s, l, found := sheetNamed(name)
	if !found {
		return &FileError{File: f.Name, Reason: fmt.Sprintf("unknown CSV file name; name the file after its entity: %s.csv, or use a mapping, which -suggest writes", strings.Join(sheetNames(), ".csv, "))}
	}
	csv, err := openCSV(f, s, l)
	if err == nil {
		err = csv.findDecimalSign()
	}
	if err != nil {
		return err
	}
	return c.add(csvTable{file: file, sheet: s, list: l, csv: csv})
}

func (c *csvSources) add(t csvTable) error {
	if t.list == nil {
		c.tables = append(c.tables, t)
		return nil
	}
	if slices.ContainsFunc(c.lists, func(other csvTable) bool { return other.list == t.list }) {
		return &FileError{File: t.csv.name, Reason: fmt.Sprintf("two files contain %s; import one at a time", t.list.file)}
	}
	c.lists = append(c.lists, t)
	return nil
}

// importSequence lists entity types in the order of import: an entity comes after
// those to which it refers. Types that are not in the list come last.
var importSequence = slices.Concat([]string{
	string(store.Region), string(store.Country), string(store.Location), string(store.Department), string(store.Job), string(store.Category),
	kindWarehouse, kindEmployee, kindCustomer, kindPerson, kindProduct, kindWarehouseItem, kindStore, kindKayak,
	"storeActiveRental", "rentalRelationship", "rentalPayment", "booking", "bookingDay",
}, orderKinds)

// sources returns the sources of the import, in the order in which they must be imported.
// Orders and their parts have one source together. Each other table has its own source.
func (c *csvSources) sources(prefixes idPrefixes) ([]Source, error) {
	phase := func(t csvTable) int {
		if i := slices.Index(importSequence, t.sheet.entityType); i >= 0 {
			return i
		}
		return len(importSequence)
	}
	slices.SortStableFunc(c.tables, func(a, b csvTable) int { return phase(a) - phase(b) })
	c.complete()
	if err := c.checkColumns(); err != nil {
		return nil, err
	}
	// Only exports contain a file of totals.
	exported := slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == "total" })
	hasKayaks := slices.ContainsFunc(c.tables, func(t csvTable) bool { return t.sheet.entityType == kindKayak })
	join := &orderJoin{exported: exported}
	var sources []Source
	for _, t := range c.tables {
		t.csv.exported = exported // the sums of exported orders need no check
		if slices.Contains(orderKinds, t.sheet.entityType) {
			join.tables = append(join.tables, t)
			continue
		}
		source := Source{File: t.file, mayHaveTotals: slices.Contains([]string{"total", kindQuota}, t.sheet.entityType)}
		if t.sheet.entityType == kindEmployee && !exported {
			source.prepare = t.csv.announceEmployees(prefixes[prefixEmployee])
		}
		source.beforeKayaks = hasKayaks && t.sheet.entityType == kindStore
		source.Batches = t.csv.batches(t.sheet, exported)
		sources = append(sources, source)
	}
	if err := c.addLists(join); err != nil {
		return nil, err
	}
	if len(join.tables) > 0 {
		sources = append(sources, join.source())
	}
	for i := range sources {
		for _, later := range sources[i+1:] {
			sources[i].continued = append(sources[i].continued, later.Files()...)
		}
	}
	return sources, nil
}

// addLists adds the files of lists, such as the payments of invoices, to the source of
// orders. It returns a FileError if the file of the entity that contains the list is
// missing.
func (c *csvSources) addLists(join *orderJoin) error {
	for _, t := range c.lists {
		if !join.has(t.sheet.entityType) {
			return &FileError{File: t.list.file + ".csv", Reason: fmt.Sprintf("this file has details of the rows in %s.csv; import both files together", t.sheet.file)}
		}
		t.csv.exported = join.exported
		join.tables = append(join.tables, t)
	}
	return nil
}

// announceEmployees returns a function that reads the IDs of all employees before the
// import, because an employee can have a manager in a later row.
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
			if err := i.Known.add(kindEmployee, prefix+f.cell(cells, "EmployeeID")); err != nil {
				return err
			}
		}
	}
}
