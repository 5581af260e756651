package views

import (
	"slices"
	"strconv"
	"strings"
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

// Choose checks the names in a comma-separated list, and returns those of columns.
// unknown is the first name that is not a column, or "".
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
func (l List) shows(c Column) bool { return len(l.Columns) == 0 || slices.Contains(l.Columns, c.Name) }

// hidden returns the CSS classes that hide columns. before is the number of columns on
// the left that cannot be hidden.
func (l List) hidden(all Columns, before int) string {
	var classes []string
	for i, c := range all {
		if !l.shows(c) {
			classes = append(classes, "hide-"+strconv.Itoa(before+i+1))
		}
	}
	return strings.Join(classes, " ")
}
