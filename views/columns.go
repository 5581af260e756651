package views

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"stockroom/views/ui"
)

// ColumnsParam is the parameter of a list with the columns that it shows, such as
// cols=customer,total. Without it, the list shows all columns.
const ColumnsParam = "cols"

// Column is a column of a list that users can hide.
type Column struct {
	Name  string // name in the address
	Label string // heading of the column
}

// Columns are the columns of a list that users can hide, from left to right. The first
// column of the table is not one of them, because it links to the record.
type Columns []Column

// The columns of lists.
var (
	OrderColumns = Columns{
		{"customer", "Customer"},
		{"placed", "Placed"},
		{"status", "Status"},
		{"items", "Items"},
		{"total", "Total"},
		{"payment", "Payment"},
		{"shipment", "Shipment"},
		{"stock", "Stock"},
	}
	InvoiceColumns = Columns{
		{"customer", "Customer"}, {"order", "Order"}, {"date", "Date"}, {"due", "Due"}, {"status", "Status"}, {"amount", "Amount"}, {"balance", "Balance due"},
	}
	CustomerColumns = Columns{{"email", "Email"}, {"phone", "Phone"}, {"city", "City"}, {"since", "Since"}}
	ProductColumns  = Columns{
		{"sku", "SKU"},
		{"category", "Category"},
		{"on-hand", "On hand"},
		{"committed", "Committed"},
		{"available", "Available"},
		{"incoming", "Incoming"},
		{"price", "Price"},
	}
	ShipmentColumns = Columns{
		{"order", "Order"}, {"customer", "Customer"}, {"warehouse", "Warehouse"}, {"packed", "Packed"}, {"status", "Status"}, {"service", "Service"}, {"tracking", "Tracking"},
	}
)

// Choose returns the names in a comma-separated list. If a name belongs to no column,
// Choose returns only the first such name, as unknown.
func (c Columns) Choose(names string) (chosen []string, unknown string) {
	for name := range strings.SplitSeq(names, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "":
		case !slices.ContainsFunc(c, func(column Column) bool { return column.Name == name }):
			return nil, name
		default:
			chosen = append(chosen, name)
		}
	}
	return chosen, ""
}

// shows reports whether the list shows a column.
func (l *List) shows(c Column) bool { return len(l.Columns) == 0 || slices.Contains(l.Columns, c.Name) }

// hidden returns the CSS classes that hide the columns that the user has not chosen. Pass
// all columns that users can hide, and the number of columns to the left of them.
func (l *List) hidden(all Columns, before int) string {
	var classes []string
	for i, c := range all {
		if !l.shows(c) {
			classes = append(classes, "hide-"+strconv.Itoa(before+i+1))
		}
	}
	return strings.Join(classes, " ")
}

// chosenColumns writes its children, and hides the columns that the user has not chosen.
// Pass the same arguments as to hidden.
func chosenColumns(l List, all Columns, before int) templ.Component {
	if len(l.Columns) == 0 {
		return ui.Around(nothingAround, nothingAround)
	}
	return ui.Around(func(m *ui.Markup) {
		m.HTML(`<div class="`)
		m.Text(l.hidden(all, before))
		m.HTML(`">`)
	}, func(m *ui.Markup) { m.HTML(`</div>`) })
}

func nothingAround(*ui.Markup) {}

// columnsForm writes the form with which users choose the columns of a list.
func columnsForm(l List, all Columns) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<details class="on-demand"><summary>Columns</summary><form class="body" action="`)
		m.Address(l.Path)
		m.HTML(`" aria-label="Columns">`)
		for _, p := range l.Params {
			if p.Name != ColumnsParam {
				m.Hidden(p)
			}
		}
		m.HTML(`<div class="row">`)
		for _, column := range all {
			m.HTML(`<label class="check"><input type="checkbox" name="` + ColumnsParam + `" value="`)
			m.Text(column.Name)
			m.HTML(`"`)
			if l.shows(column) {
				m.HTML(` checked`)
			}
			m.HTML(`> `)
			m.Text(column.Label)
			m.HTML(`</label> `)
		}
		m.HTML(`</div><p class="hint">A saved view keeps the chosen columns. CSV and JSON files always contain all columns.</p>` +
			`<button class="btn small">Show columns</button></form></details>`)
	}
}
