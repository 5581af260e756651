package exchange

import (
	"slices"
)

// OrdersWithLines stands for the entities of a file whose rows are order lines with the
// values of their orders. Each row becomes an order line, and the rows of an order also
// become the order.
const OrdersWithLines = "orders order-items"

// addLines finds the files whose rows contain orders together with their lines. It does not
// suggest entities for which there is another file.
func addLines(samples []*sample) {
	var both []*sample
	for _, s := range samples {
		if s.sheet == nil || s.list == nil && (s.sheet.entityType == kindOrder || s.sheet.entityType == kindOrderItem) {
			if orders, lines := s.ordersWithLines(); hasRequired(orders.sheet.columns, orders.fits) && hasRequired(lines.sheet.columns, lines.fits) {
				both = append(both, s)
			}
		}
	}
	for _, s := range both {
		other := kindOrder
		if s.sheet != nil && s.sheet.entityType == kindOrder {
			other = kindOrderItem
		}
		if !slices.ContainsFunc(samples, func(o *sample) bool {
			return o.sheet != nil && o.sheet.entityType == other && !slices.Contains(both, o)
		}) {
			s.setOrdersWithLines()
		}
	}
}

// setOrdersWithLines chooses the columns of the orders, and those of their lines.
func (s *sample) setOrdersWithLines() {
	orders, lines := s.ordersWithLines()
	s.sheet, s.list, s.fits, s.score, s.lines = orders.sheet, nil, orders.fits, orders.score, &lines
}

// ordersWithLines returns the file once as a file of orders, and once as a file of their
// lines. A column belongs to the orders if all rows of an order have the same value in it.
func (s *sample) ordersWithLines() (orders, lines sample) {
	as := func(entity string) sample {
		t := *s
		t.sheet, t.list, _ = sheetNamed(entity)
		t.fits, t.score = s.fit(t.sheet.columns, wordsOf(entity))
		return t
	}
	orders, lines = as("orders"), as("order-items")
	id := slices.IndexFunc(orders.fits, func(c *column) bool { return c != nil && c.name == "OrderID" })
	for i := range s.columns {
		line := lines.fits[i]
		switch {
		case line != nil && (line.name == "CustomerID" || line.name == "Date"):
			lines.fits[i] = nil // an import takes this value from the order
		case line != nil && line.name != "OrderID", id >= 0 && s.varies(id, i):
			orders.fits[i] = nil
		}
	}
	return orders, lines
}

// varies reports whether rows with the same ID have different values in a column.
func (s *sample) varies(id, column int) bool {
	first := map[uint64]uint64{}
	for _, row := range s.rows {
		if value, found := first[row[id]]; found && value != row[column] {
			return true
		}
		first[row[id]] = row[column]
	}
	return false
}

// tablesOfAll returns all samples, and also the order lines in them.
func tablesOfAll(samples []*sample) (all []*sample) {
	for _, s := range samples {
		if all = append(all, s); s.lines != nil {
			all = append(all, s.lines)
		}
	}
	return all
}
