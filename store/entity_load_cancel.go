package store

import (
	"context"
	"slices"
)

// cancelledPerStep is the number of lines that one transaction cancels. Each line
// needs two actions: one for the line, one for the stock level.
const cancelledPerStep = 40

// cancelStoredLines cancels the stored open lines of cancelled orders that are about to be
// inserted. An earlier import can have inserted the lines without their order. Their stock
// would stay committed, because nobody can cancel an order that is already cancelled.
func (l *loader) cancelStoredLines(ctx context.Context, rows []loadRow) error {
	var orders []*OrderDetails
	for _, row := range rows {
		if o, ok := row.entity.(*Order); ok && o.Status == OrderCancelled && !l.options.TotalsIncluded {
			orders = append(orders, &OrderDetails{Order: *o})
		}
	}
	if err := l.readLines(ctx, orders); err != nil {
		return err
	}
	for _, o := range orders {
		open := slices.DeleteFunc(o.Items, func(i OrderItem) bool { return i.Open() == 0 })
		for step := range slices.Chunk(open, cancelledPerStep) {
			err := l.commit(ctx, func(c *change) {
				for i := range step {
					line := &step[i]
					c.countStock(line.ProductID, StockLevel{Committed: -line.Open()})
					line.Cancelled = true
					c.replaceNext(line, &line.Version)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
