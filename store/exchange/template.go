package exchange

import (
	"slices"

	"stockroom/store/csvfile"
)

// Template is the header row of an entity's CSV file, with which users start a new file.
type Template struct {
	Name     string // file name without .csv
	Required []string
	Optional []string
	Copied   []string // optional columns that repeat values of other records, such as names
	LeftOut  []string // columns that Stockroom computes and the header omits
}

// filledColumns lists the columns that Stockroom computes if a file does not have them.
// Templates omit these columns, because Stockroom would not compute the value of an empty
// cell.
var filledColumns = map[string][]string{
	"products":    {"Unfinished"},
	"orders":      {"ItemCount", "PaymentState", "ShipmentState", "OpenLines", "Unfinished"},
	"order-items": {"Shipped", "Cancelled"},
	"invoices":    {"Status"},
	"stores":      {"In", "Out", "Repair"},
	"receipts":    {"TTL"},
}

// copiedColumns returns the columns of an entity that repeat names of other records.
func copiedColumns(s *sheet) (columns []string) {
	for _, name := range copiedNames(s.definition.New()) {
		columns = append(columns, name.column)
	}
	return columns
}

// withoutTemplate lists the files without a template, because Stockroom itself
// creates their rows.
var withoutTemplate = []string{"totals", "quotas", "events"}

// Templates returns the templates of all entities and lists, except those in
// withoutTemplate.
func Templates() []Template {
	var all []Template
	add := func(name string, columns []column, copied []string) {
		if slices.Contains(withoutTemplate, name) {
			return
		}
		t := Template{Name: name, LeftOut: filledColumns[name], Copied: copied}
		for i := range columns {
			switch c := &columns[i]; {
			case slices.Contains(t.LeftOut, c.name):
			case c.required:
				t.Required = append(t.Required, c.name)
			default:
				t.Optional = append(t.Optional, c.name)
			}
		}
		all = append(all, t)
	}
	for i := range sheets {
		add(sheets[i].file, sheets[i].columns, copiedColumns(&sheets[i]))
		for j := range sheets[i].lists {
			add(sheets[i].lists[j].file, sheets[i].lists[j].columns, nil)
		}
	}
	return all
}

// Header returns the template as a row of CSV.
func (t *Template) Header() []byte {
	var cells []csvfile.Cell
	for _, name := range slices.Concat(t.Required, t.Optional) {
		cells = append(cells, csvfile.Plain(name))
	}
	return csvfile.AppendRecord(nil, cells)
}
