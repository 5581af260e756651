package store

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// KayaksOfStore lists the kayaks of a store by ID: archived kayaks, other kayaks or both,
// depending on the argument named which. Retired kayaks count as archived.
func (a Access) KayaksOfStore(ctx context.Context, storeID string, which Archived, page Page) (List[Kayak], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[Kayak]{}, err
	}
	q := table.Query{Pattern: getStoreInventory, Values: key.Map{"storeULID": storeID}}
	return listWhere(ctx, a.store, q, page, decodeAs[Kayak], func(k *Kayak) bool { return which.includes(k.Status == KayakRetired) })
}

// Fleet returns all kayaks of a store that are not retired.
func (a Access) Fleet(ctx context.Context, storeID string) ([]Kayak, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getStoreInventory, key.Map{"storeULID": storeID}, false)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	return slices.DeleteFunc(kayaks, func(k Kayak) bool { return k.Status == KayakRetired }), err
}

// Kayak returns a kayak. It returns NotFound if the kayak does not exist or the user does
// not manage its store. Kayak reads an index, which is updated with a delay. The index can
// therefore contain a kayak at two stores while the kayak moves. Kayak then returns the
// later version.
func (a Access) Kayak(ctx context.Context, id string) (*Kayak, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getInventoryItem, key.Map{"inventoryULID": id}, false)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	if err != nil {
		return nil, err
	}
	var found *Kayak
	for i := range kayaks {
		if found == nil || kayaks[i].Version > found.Version {
			found = &kayaks[i]
		}
	}
	if found == nil || !a.user.InChargeOfStore(found.StoreID) {
		return nil, fail(NotFound, "Kayak %s not found, or not at one of your stores.", id)
	}
	return found, nil
}

// EventsOfKayak lists the history of a kayak, newest first.
func (a Access) EventsOfKayak(ctx context.Context, id string, page Page) (List[Event], error) {
	if _, err := a.Kayak(ctx, id); err != nil {
		return List[Event]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": kayakPartition(id)}}, page, decodeAs[Event])
}

// KnownKayaks returns the kayaks that exist among those with the given IDs, at any store.
func (s *Store) KnownKayaks(ctx context.Context, ids []string) ([]Kayak, error) {
	var mu sync.Mutex
	var known []Kayak
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(loadWriters)
	for _, id := range ids {
		reads.Go(table.Recovering(func() error {
			items, err := s.table.Partition(ctx, getInventoryItem, key.Map{"inventoryULID": id}, false)
			kayaks, err := decodeAll(items, err, decodeAs[Kayak])
			mu.Lock()
			defer mu.Unlock()
			known = append(known, kayaks...)
			return ignoreNotFound(err)
		}))
	}
	err := reads.Wait()
	return known, err
}

// CountKayaks counts the kayaks of every store and stores the counts. Call it after
// an import, because imports do not update the counts.
func (s *Store) CountKayaks(ctx context.Context) error {
	items, err := s.table.Partition(ctx, getStores, nil, false)
	stores, err := decodeAll(items, err, decodeAs[RentalStore])
	if err != nil {
		return err
	}
	for i := range stores {
		if err := retryOnConflict(ctx, func() error { return s.countKayaks(ctx, stores[i].ID) }); err != nil {
			return err
		}
	}
	return nil
}

// countKayaks counts the kayaks of one store and stores the counts. It reads the store
// before the kayaks. If a kayak changes its status or store after this read, the version of
// the store changes too, and countKayaks returns Conflict.
func (s *Store) countKayaks(ctx context.Context, id string) error {
	before, err := readConsistently[*RentalStore](ctx, s, getStore, key.Map{"storeULID": id})
	if err != nil {
		return err
	}
	items, err := s.table.Partition(ctx, getStoreInventory, key.Map{"storeULID": id}, true)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	if err != nil {
		return err
	}
	counted := *before
	counted.In, counted.Out, counted.Repair = 0, 0, 0
	for i := range kayaks {
		switch kayaks[i].Status {
		case KayakIn:
			counted.In++
		case KayakOut:
			counted.Out++
		case KayakRepair:
			counted.Repair++
		}
	}
	if counted.In == before.In && counted.Out == before.Out && counted.Repair == before.Repair {
		return nil
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	counted.Version++
	c.recordEvent(Event{Partition: storePartition(id), What: EventKayaksCounted})
	c.Replace(&counted, before.Version)
	return c.Commit(ctx)
}
