package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// TTLAttribute is the attribute that Time to Live uses.
const TTLAttribute = table.AttrTTL

// TypeAttribute is the attribute that contains the entity type of an item.
const TypeAttribute = table.AttrType

// CreateTable creates the table with its indexes and enables Time to Live. If the table
// already exists, CreateTable only enables Time to Live; see CheckTable.
func (s *Store) CreateTable(ctx context.Context) error { return s.table.Create(ctx) }

// CheckTable returns the problems of the table, one sentence each, and the names of the
// indexes that are still being created. Reads of these indexes return Busy.
func (s *Store) CheckTable(ctx context.Context) (problems, building []string, err error) {
	return s.table.Check(ctx)
}

// Ready returns an error if the table does not respond to a read. Load balancers use it to
// check whether the server is ready.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.table.Get(ctx, getSettings, nil, false)
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}

// HasBusiness reports whether the table contains warehouses, products, customers,
// orders or subscriptions. Other records, such as users or settings, do not count.
func (s *Store) HasBusiness(ctx context.Context) (bool, error) {
	orders := table.Query{Pattern: getOrdersByStatus, Values: rangeValues(key.Days{}), Segment: "status"}
	for _, status := range OrderStatuses {
		orders.Segments = append(orders.Segments, string(status))
	}
	subscriptions := table.Query{Pattern: getSubscriptionsInState, Segment: "status"}
	for _, status := range SubscriptionStatuses {
		subscriptions.Segments = append(subscriptions.Segments, string(status))
	}
	for _, q := range []table.Query{
		{Pattern: getWarehouses}, byName(getProducts, "", ""), byName(getCustomers, "", ""), orders, subscriptions,
	} {
		if found, err := s.hasItem(ctx, q); err != nil || found {
			return found, err
		}
	}
	return false, nil
}

// hasItem reports whether a query finds any item. It continues after an empty page, because
// a page reads a limited number of partitions. A list with many partitions, such as the
// orders by status in a table with many shards, can therefore have rows on a later page.
func (s *Store) hasItem(ctx context.Context, q table.Query) (bool, error) {
	page := Page{Limit: 1}
	for {
		found, err := s.page(ctx, q, page)
		if err != nil || len(found.Rows) > 0 || found.Next == nil {
			return len(found.Rows) > 0, err
		}
		page.At = found.Next
	}
}

// Everything scans the whole table; see table.Scan.
func (s *Store) Everything(ctx context.Context, visit func([]Item) error) error {
	return s.table.Scan(ctx, visit)
}
