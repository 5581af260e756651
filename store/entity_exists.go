package store

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Existing reports, for each entity, whether the table has an item with its key.
// Entities need only the fields of their key.
func (s *Store) Existing(ctx context.Context, entities []Entity) ([]bool, error) {
	items, err := s.stored(ctx, entities)
	found := make([]bool, len(entities))
	for i := range items {
		found[i] = items[i] != nil
	}
	return found, err
}

// Stored returns the stored entities with the keys of entities, in the same order. An
// element is nil if the stored entity is missing or damaged.
func (s *Store) Stored(ctx context.Context, entities []Entity) ([]Entity, error) {
	items, err := s.stored(ctx, entities)
	found := make([]Entity, len(entities))
	for i, item := range items {
		if item != nil {
			if e, err := Decode(item); err == nil {
				found[i] = e
			}
		}
	}
	return found, err
}

// stored returns the stored items with the keys of entities, in the same order.
func (s *Store) stored(ctx context.Context, entities []Entity) ([]Item, error) {
	keys, found := make([]Item, len(entities)), make([]Item, len(entities))
	for i, e := range entities {
		item, err := Encode(e, key.DefaultShards)
		if err != nil {
			return nil, err
		}
		keys[i] = table.KeyOf(item)
	}
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(loadWriters)
	for start := 0; start < len(keys); start += table.MaxActions {
		end := min(start+table.MaxActions, len(keys))
		reads.Go(table.Recovering(func() error {
			items, err := s.table.GetKeys(ctx, keys[start:end])
			for i := start; i < end; i++ {
				found[i] = items[table.KeyString(keys[i])]
			}
			return err
		}))
	}
	return found, reads.Wait()
}

// KnownOrders returns the orders that exist, by ID.
func (s *Store) KnownOrders(ctx context.Context, ids []string) (map[string]Order, error) {
	var mu sync.Mutex
	orders := map[string]Order{}
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(loadWriters)
	for _, id := range ids {
		reads.Go(table.Recovering(func() error {
			items, err := s.table.Partition(ctx, getOrderDetails, key.Map{"orderID": id}, true)
			if err != nil {
				return ignoreNotFound(err)
			}
			order, err := assembleOrder(items)
			if err != nil || order.ID == "" {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			orders[id] = order.Order
			return nil
		}))
	}
	return orders, reads.Wait()
}
