package exchange

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"stockroom/store"
)

// completion is an attribute that a mapped file can leave out because another
// file of the import has it.
type completion struct {
	entity, column string
	from, by       string   // the entity of the other file, and the column with its ID
	columns        []string // of the other file
	value          func(found []string, own func(column string) string) string
}

func firstFound(found []string, _ func(string) string) string { return found[0] }

// completions lists the attributes that a mapped file can leave out. Sums of lines
// have no columns.
var completions = []completion{
	{kindOrder, "Total", kindOrderItem, "OrderID", []string{sumOfLines}, firstFound},
	{kindOrder, "ItemCount", kindOrderItem, "OrderID", []string{unitsOfLines}, firstFound},
	{kindOrder, "CustomerName", kindCustomer, "CustomerID", []string{"Name"}, firstFound},
	{kindOrderItem, "CustomerID", kindOrder, "OrderID", []string{"CustomerID"}, firstFound},
	{kindOrderItem, "Date", kindOrder, "OrderID", []string{"Date"}, firstFound},
	{kindOrderItem, "Name", kindProduct, "ProductID", []string{"Detail.Name"}, firstFound},
	{kindOrderItem, "SKU", kindProduct, "ProductID", []string{"SKU"}, firstFound},
	{kindOrderItem, "Shipped", kindOrder, "OrderID", []string{"Status"}, shippedQuantity},
	{kindInvoice, "CustomerID", kindOrder, "OrderID", []string{"CustomerID"}, firstFound},
	{kindInvoice, "Date", kindOrder, "OrderID", []string{"Date"}, firstFound},
	{kindWarehouseItem, "Name", kindProduct, "ProductID", []string{"Detail.Name"}, firstFound},
}

// The names that stand for the sums of an order's lines.
const (
	sumOfLines   = "sum of lines"
	unitsOfLines = "units of lines"
)

// shippedQuantity returns the quantity of a line if its order was shipped.
func shippedQuantity(found []string, own func(string) string) string {
	switch store.OrderStatus(found[0]) {
	case store.OrderShipped, store.OrderDelivered, store.OrderReturned:
		return own("Quantity")
	}
	return "0"
}

// fill completes one column of a mapped file.
type fill struct {
	*completion
	required bool
	find     func() (*lookup, error)
}

// value returns the cell that completes a row.
func (f *fill) value(m *rowMapper, cells []string) (string, error) {
	found, err := f.find()
	if err != nil {
		return "", err
	}
	own := func(name string) string {
		i := slices.IndexFunc(m.columns, func(c *column) bool { return c.name == name })
		if i < 0 {
			return ""
		}
		return cells[i]
	}
	id := own(f.by)
	values := found.get(id, f.columns)
	switch {
	case values != nil:
		return f.completion.value(values, own), nil
	case f.required && f.from != kindOrderItem:
		return "", rowError(fmt.Sprintf("%s is unknown, because the files of this import have no %s %s.", f.column, f.from, id))
	case f.required:
		return "0", nil
	}
	return "", nil
}

// lookup holds cells of a file, by ID, that complete other files.
type lookup struct {
	columns []string
	rows    map[string][]string
	sums    map[string]*lineSum
}

// lineSum is the sum of an order's lines.
type lineSum struct {
	total store.Sum
	units int
}

// get returns the values of columns, or nil for an unknown ID.
func (l *lookup) get(id string, columns []string) []string {
	if sum := l.sums[id]; sum != nil {
		if columns[0] == sumOfLines {
			return []string{sum.total.String()}
		}
		return []string{strconv.Itoa(sum.units)}
	}
	row := l.rows[id]
	if row == nil {
		return nil
	}
	values := make([]string, len(columns))
	for i, name := range columns {
		values[i] = row[slices.Index(l.columns, name)]
	}
	return values
}

// complete adds to the mapped files the columns that they leave out and other
// files of the import have.
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
			m.fills = append(m.fills, fill{f, to.required, lookups[f.from]})
			m.columns = append(m.columns, to)
		}
		t.csv.columns = m.columns
	}
}

// has reports whether the import has the other file of a completion.
func (c *csvSources) has(f *completion) bool {
	return slices.ContainsFunc(c.tables, func(t csvTable) bool {
		return t.sheet.entityType == f.from && t.csv.index(f.by) >= 0 && (f.from == kindOrderItem || t.csv.index(f.columns[0]) >= 0)
	})
}

// lookUp returns a function that reads the files of an entity once.
func (c *csvSources) lookUp(entity, by string) func() (*lookup, error) {
	var found *lookup
	return func() (*lookup, error) {
		if found != nil {
			return found, nil
		}
		l := &lookup{rows: map[string][]string{}, sums: map[string]*lineSum{}}
		for _, f := range completions {
			if f.from == entity && entity != kindOrderItem && !slices.Contains(l.columns, f.columns[0]) {
				l.columns = append(l.columns, f.columns[0])
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

// read adds the rows of a file. Rows that cannot be read are rejected when the
// file is imported.
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
		id := f.cellNamed(cells, by)
		if l.columns == nil {
			l.addLine(id, f.cellNamed(cells, "Price"), f.cellNamed(cells, "Quantity"))
			continue
		}
		row := make([]string, len(l.columns))
		for i, name := range l.columns {
			row[i] = f.cellNamed(cells, name)
		}
		l.rows[id] = row
	}
}

func (l *lookup) addLine(order, price, quantity string) {
	amount, err := store.ParseAmount(parseDecimal(price, 0))
	units, failed := strconv.Atoi(parseDecimal(quantity, 0))
	if err != nil || failed != nil || units < 0 || units > store.MaxCount {
		return
	}
	sum := l.sums[order]
	if sum == nil {
		sum = &lineSum{}
		l.sums[order] = sum
	}
	sum.total, sum.units = sum.total.Plus(amount.Times(units).Sum()), sum.units+units
}

// index returns the index of a column, or -1.
func (f *csvFile) index(name string) int {
	return slices.IndexFunc(f.columns, func(c *column) bool { return c.name == name })
}

// cellNamed returns the text of a cell, or "".
func (f *csvFile) cellNamed(cells []string, name string) string {
	if i := f.index(name); i >= 0 && i < len(cells) {
		return cells[i]
	}
	return ""
}
