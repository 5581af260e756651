package store

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// NewestOrder returns the newest order in a range of dates, or NotFound. It makes one
// request per status and shard.
func (a Access) NewestOrder(ctx context.Context, r DateRange) (*Order, error) {
	return newestRow(ctx, a, getOrdersByStatus, OrderStatuses, r, decodeOrderRow, func(o *Order) time.Time { return o.Date })
}

// NewestInvoice returns the newest invoice in a range of dates, or NotFound. It makes
// one request per status and shard.
func (a Access) NewestInvoice(ctx context.Context, r DateRange) (*Invoice, error) {
	return newestRow(ctx, a, getInvoicesByStatus, listedStatuses, r, decodeAs[Invoice], func(i *Invoice) time.Time { return i.Date })
}

// NewestShipment returns the newest shipment, or NotFound. It makes one request per status
// and shard. It always returns NotFound to managers, because they may see only the
// shipments of their own warehouses.
func (a Access) NewestShipment(ctx context.Context) (*Shipment, error) {
	if err := a.requireWarehouse(""); err != nil {
		return nil, err
	}
	return newestRow(ctx, a, getShipmentsByStatus, ShipmentStatuses, DateRange{}, decodeAs[Shipment], func(s *Shipment) time.Time { return s.Date })
}

// newestRow returns the newest row, or NotFound. It reads the newest row of each status
// in parallel. Reading month by month would be slower, because many months before today
// can be empty.
func newestRow[T any, S ~string](ctx context.Context, a Access, p *Pattern, statuses []S, r DateRange, decode func(Row, *T) error, date func(*T) time.Time) (*T, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	found := make([]List[T], len(statuses))
	reads, ctx := errgroup.WithContext(ctx)
	for i, status := range statuses {
		reads.Go(table.Recovering(func() error {
			q, err := a.store.byStatus(ctx, p, r, string(status))
			if err == nil {
				q.Reverse = true
				found[i], err = list(ctx, a.store, q, Page{Limit: 1, Partial: true}, decode)
			}
			return err
		}))
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	var last *T
	for i := range found {
		for n := range found[i].Rows {
			if row := &found[i].Rows[n]; last == nil || date(row).After(date(last)) {
				last = row
			}
		}
	}
	if last == nil {
		return nil, fail(NotFound, "Not found.")
	}
	return last, nil
}
