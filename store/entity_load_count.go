package store

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// count updates the totals, quotas and stock levels for rows that the change inserts.
func (l *loader) count(ctx context.Context, c *change, rows []loadRow) error {
	for _, row := range rows {
		if product, level := stockOf(row.entity); product != "" {
			c.countStock(product, level)
		}
		switch e := row.entity.(type) {
		case *Subscription:
			c.moveTotals(nil, e)
		case *Receipt:
			// The totals of this table may already include an expired receipt.
			if !row.renewed {
				c.addTotal(e.tally())
			}
		case *RentalPayment:
			if t, counts := e.tally(c.totals.zone); counts {
				c.addTotal(t)
			}
		}
	}
	orders, err := l.ordersOf(ctx, c, rows)
	if err != nil {
		return err
	}
	return c.recordSales(ctx, orders)
}

// sale is the value that an order adds to the total of its day and to the quota of
// its account rep.
type sale struct {
	repID string
	tally Tally
}

// ordersOf returns the sales of the orders and lines in rows. Cancelled and returned
// lines reduce the value of their order, whether they are inserted before or after
// the order.
func (l *loader) ordersOf(ctx context.Context, c *change, rows []loadRow) ([]sale, error) {
	type orderKey struct{ id, customer string }
	added := map[orderKey]*OrderDetails{} // the orders in rows
	var all, sequence []*OrderDetails     // all contains every order; sequence contains the orders whose sales are added to totals
	for _, row := range rows {
		if o, ok := row.entity.(*Order); ok {
			d := &OrderDetails{Order: *o}
			added[orderKey{o.ID, o.CustomerID}], all = d, append(all, d)
			if !o.ended() {
				sequence = append(sequence, d)
			}
		}
	}
	if err := l.checkEarlierLines(ctx, c, all); err != nil {
		return nil, err
	}
	if err := l.readLines(ctx, sequence); err != nil {
		return nil, err
	}
	var lines []*OrderItem // lines whose order is not among the rows
	for _, row := range rows {
		line, ok := row.entity.(*OrderItem)
		if !ok || line.dropped().Sign() == 0 && line.Open() == 0 {
			continue
		}
		if d := added[orderKey{line.OrderID, line.CustomerID}]; d != nil {
			d.Items = append(d.Items, *line)
		} else {
			lines = append(lines, line)
		}
	}
	if err := l.setOpenLines(rows, all); err != nil {
		return nil, err
	}
	sales, err := l.linesOfKnownOrders(ctx, c, lines)
	if err != nil {
		return nil, err
	}
	for _, d := range sequence {
		sales = append(sales, sale{d.AccountRepID, d.Tally()})
	}
	return sales, nil
}

// earlierLines returns an item that records that an order's lines were inserted before
// the order itself. Each insertion of such lines increments the version of the item.
func earlierLines(orderID, customerID string) *Lease {
	return &Lease{Name: "import#" + orderID + "#" + customerID}
}

// checkEarlierLines makes the change fail if another import inserts lines of these
// orders at the same time. Otherwise, the totals would not include these lines. The change
// also deletes existing items of earlierLines, because it inserts their orders.
func (l *loader) checkEarlierLines(ctx context.Context, c *change, orders []*OrderDetails) error {
	keys := make([]Item, len(orders))
	for i, d := range orders {
		item, err := Encode(earlierLines(d.ID, d.CustomerID), 1)
		if err != nil {
			return err
		}
		keys[i] = table.KeyOf(item)
	}
	found, err := l.store.table.GetKeys(ctx, keys)
	if err != nil {
		return err
	}
	for i, d := range orders {
		lines := earlierLines(d.ID, d.CustomerID)
		item := found[table.KeyString(keys[i])]
		if item == nil {
			c.CheckAbsent(lines)
			continue
		}
		if err := schema.DecodeInto(table.RowOf(item), lines); err != nil {
			return err
		}
		c.DeleteVersion(lines, lines.Version)
	}
	return nil
}

// readLines adds the stored lines to orders that are about to be inserted.
func (l *loader) readLines(ctx context.Context, orders []*OrderDetails) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, d := range orders {
		group.Go(table.Recovering(func() error {
			items, err := l.store.table.Partition(ctx, getOrderDetails, key.Map{"orderID": d.ID}, true)
			if err != nil || len(items) == 0 {
				return err
			}
			known, err := assembleOrder(items)
			if err == nil {
				d.Items = slices.DeleteFunc(known.Items, func(i OrderItem) bool { return i.CustomerID != d.CustomerID })
			}
			return err
		}))
	}
	return group.Wait()
}

// linesOfKnownOrders handles lines whose order is not among the rows. For stored orders, it
// returns the amounts by which cancelled and returned lines reduce them, and adds open
// lines to their OpenLines. For missing orders, it adds writes of earlierLines. The change
// fails if someone else changes one of the stored orders first, or inserts a missing one.
func (l *loader) linesOfKnownOrders(ctx context.Context, c *change, lines []*OrderItem) ([]sale, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	type knownOrder struct {
		OrderDetails
		lines []*OrderItem
	}
	orders := map[string]*knownOrder{} // orders by KeyString
	var keys []Item
	for _, line := range lines {
		k := table.Key(orderPartition(line.OrderID), "c#"+line.CustomerID)
		o := orders[table.KeyString(k)]
		if o == nil {
			o = &knownOrder{OrderDetails: OrderDetails{Order: Order{ID: line.OrderID, CustomerID: line.CustomerID}}}
			orders[table.KeyString(k)], keys = o, append(keys, k)
		}
		o.lines = append(o.lines, line)
	}
	found, err := l.store.table.GetKeys(ctx, keys)
	if err != nil {
		return nil, err
	}
	var known []*knownOrder
	var open []*OrderDetails // stored orders that get open lines
	for _, k := range keys {
		o, item := orders[table.KeyString(k)], found[table.KeyString(k)]
		if item == nil {
			lines := earlierLines(o.ID, o.CustomerID)
			c.CheckAbsent(&o.Order)
			c.Add(lines, table.Addition{Set: Item{table.AttrType: table.StringValue(lines.EntityType())}})
			continue
		}
		if err := schema.DecodeInto(table.RowOf(item), &o.Order); err != nil {
			return nil, err
		}
		known = append(known, o)
		if !o.ended() && slices.ContainsFunc(o.lines, o.lacksOpenLine) {
			open = append(open, &o.OrderDetails)
		}
	}
	if err := l.readLines(ctx, open); err != nil {
		return nil, err
	}
	var sales []sale
	for _, o := range known {
		for _, line := range o.lines {
			o.Items = append(o.Items, *line)
			if !o.ended() && line.dropped().Sign() != 0 {
				t := Tally{Kind: TotalOrders, At: o.Date, ID: o.ID, Amount: Amount{}.Minus(line.dropped())}
				sales = append(sales, sale{o.AccountRepID, t})
			}
		}
		if slices.Contains(open, &o.OrderDetails) && o.changesOpenLines() {
			c.replaceNext(&o.Order, &o.Version)
		} else {
			c.Check(&o.Order, o.Version)
		}
	}
	return sales, nil
}

// recordSales adds sales to the totals of their days and to the quotas of the
// account reps.
func (c *change) recordSales(ctx context.Context, sales []sale) error {
	var sequence []quotaKey
	quotas := map[quotaKey]Tally{}
	for _, s := range sales {
		if s.tally.Count == 0 && s.tally.Amount.Sign() == 0 {
			continue
		}
		c.addTotal(s.tally)
		if s.repID == "" {
			continue
		}
		of := quotaKey{s.repID, QuarterOf(s.tally.At.In(c.totals.zone))}
		sum, found := quotas[of]
		if !found {
			sequence = append(sequence, of)
		}
		sum.At, sum.Count, sum.Amount = s.tally.At, sum.Count+s.tally.Count, sum.Amount.Plus(s.tally.Amount)
		quotas[of] = sum
	}
	for _, of := range sequence {
		t := quotas[of]
		if err := c.updateQuota(ctx, of, func(q *Quota) { q.add(t.Count, t.Amount.Sum()) }); err != nil {
			return err
		}
	}
	return nil
}
