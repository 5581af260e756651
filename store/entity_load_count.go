package store

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// count adds rows that are being inserted to the totals, quotas and stock levels.
func (l *loader) count(ctx context.Context, c *change, rows []loadRow) error {
	for _, row := range rows {
		if product, level := stockOf(row.entity); product != "" {
			c.countStock(product, level)
		}
		switch e := row.entity.(type) {
		case *Subscription:
			c.moveDue(nil, e)
		case *Receipt:
			// The totals of this table may already include an expired receipt.
			if !row.renewed {
				c.addTotal(e.tally())
			}
		}
	}
	orders, err := l.ordersOf(ctx, c, rows)
	if err != nil {
		return err
	}
	return c.recordSales(ctx, orders)
}

// sale is what an order adds to the total of its day and to the quota of its account
// rep.
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
	var all, sequence []*OrderDetails     // sequence has the orders that count, all has all
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
	var lines []*OrderItem // lines whose order is not in rows
	for _, row := range rows {
		line, ok := row.entity.(*OrderItem)
		if !ok || line.dropped().Sign() == 0 {
			continue
		}
		if d := added[orderKey{line.OrderID, line.CustomerID}]; d != nil {
			d.Items = append(d.Items, *line)
		} else {
			lines = append(lines, line)
		}
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

// earlierLines returns an item that marks an order whose lines were inserted before
// it. Each such insertion increments the version of the item.
func earlierLines(orderID, customerID string) *Lease {
	return &Lease{Name: "import#" + orderID + "#" + customerID}
}

// checkEarlierLines adds conditions to the change: no other import inserts lines of
// these orders until the change is committed. Such lines would be missing in the
// totals, because neither import would count them.
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
		if err := schema.DecodeInto(item, lines); err != nil {
			return err
		}
		c.DeleteVersion(lines, lines.Version)
	}
	return nil
}

// readLines adds the lines that are already stored to orders that are about to be
// inserted.
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

// linesOfKnownOrders returns how cancelled and returned lines reduce the value of
// orders that are already stored. It adds conditions to the change, so that these
// orders cannot change, or be inserted, before the lines.
func (l *loader) linesOfKnownOrders(ctx context.Context, c *change, lines []*OrderItem) ([]sale, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	orders := map[string]*Order{} // by KeyString
	var keys []Item
	for _, line := range lines {
		o := &Order{ID: line.OrderID, CustomerID: line.CustomerID}
		k := table.Key(orderPartition(o.ID), "c#"+o.CustomerID)
		if orders[table.KeyString(k)] == nil {
			orders[table.KeyString(k)], keys = o, append(keys, k)
		}
	}
	found, err := l.store.table.GetKeys(ctx, keys)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		at := table.KeyString(k)
		item := found[at]
		if item == nil {
			lines := earlierLines(orders[at].ID, orders[at].CustomerID)
			c.CheckAbsent(orders[at])
			c.Add(lines, table.Addition{Set: Item{table.AttrType: table.StringValue(lines.EntityType())}})
			orders[at] = nil
			continue
		}
		if err := schema.DecodeInto(item, orders[at]); err != nil {
			return nil, err
		}
		c.Check(orders[at], orders[at].Version)
	}
	var sales []sale
	for _, line := range lines {
		o := orders[table.KeyString(table.Key(orderPartition(line.OrderID), "c#"+line.CustomerID))]
		if o == nil || o.ended() {
			continue
		}
		t := Tally{Kind: TotalOrders, At: o.Date, ID: o.ID, Amount: Amount{}.Minus(line.dropped())}
		sales = append(sales, sale{o.AccountRepID, t})
	}
	return sales, nil
}

// recordSales adds sales to the totals of their days and to the quotas of the
// account reps.
func (c *change) recordSales(ctx context.Context, sales []sale) error {
	type repPeriod struct {
		rep    string
		period Quarter
	}
	var sequence []repPeriod
	quotas := map[repPeriod]Tally{}
	for _, s := range sales {
		if s.tally.Count == 0 && s.tally.Amount.Sign() == 0 {
			continue
		}
		c.addTotal(s.tally)
		of := repPeriod{s.repID, QuarterOf(s.tally.At.In(c.totals.zone))}
		sum, found := quotas[of]
		if !found {
			sequence = append(sequence, of)
		}
		sum.At, sum.Count, sum.Amount = s.tally.At, sum.Count+s.tally.Count, sum.Amount.Plus(s.tally.Amount)
		quotas[of] = sum
	}
	for _, of := range sequence {
		if err := c.updateQuota(ctx, of.rep, quotas[of]); err != nil {
			return err
		}
	}
	return nil
}
