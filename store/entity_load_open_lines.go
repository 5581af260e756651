package store

import "slices"

// addLines adds the open lines of an order to the row of the order. The lines of a long
// order need several transactions, but the first transaction must already set OpenLines for
// all lines.
func (g *loadGroup) addLines() {
	var lines []*OrderItem
	for i := range g.rows {
		if line, ok := g.rows[i].entity.(*OrderItem); ok && line.Open() > 0 {
			lines = append(lines, line)
		}
	}
	for i := range g.rows {
		if o, ok := g.rows[i].entity.(*Order); ok {
			g.rows[i].lines = slices.DeleteFunc(slices.Clone(lines), func(line *OrderItem) bool { return line.CustomerID != o.CustomerID })
		}
	}
}

// setOpenLines sets the OpenLines of the orders in rows. orders contains the same orders,
// with their stored lines and their lines in rows.
func (l *loader) setOpenLines(rows []loadRow, orders []*OrderDetails) error {
	for i := range rows {
		row := &rows[i]
		if _, ok := row.entity.(*Order); !ok {
			continue
		}
		d := *orders[0]
		orders = orders[1:]
		for _, line := range row.lines {
			if !slices.ContainsFunc(d.Items, func(i OrderItem) bool { return i.ProductID == line.ProductID }) {
				d.Items = append(d.Items, *line)
			}
		}
		if !d.changesOpenLines() {
			continue
		}
		row.entity, row.item = &d.Order, nil
		if err := row.encode(l.settings.Shards); err != nil {
			return err
		}
	}
	return nil
}

// changesOpenLines sets the OpenLines of an order from its lines, and reports whether
// they have changed.
func (d *OrderDetails) changesOpenLines() bool {
	before := d.OpenLines
	d.UpdateOpenLines()
	return !slices.Equal(before, d.OpenLines)
}
