package store

import (
	"context"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// inChargeOfStore refuses a store that is not this user's to see. It does not
// say whether there is one: to a stranger, both are nothing.
func (a Access) inChargeOfStore(storeID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if !a.user.InChargeOfStore(storeID) {
		return fail(NotFound, "There is no store %s in your charge.", storeID)
	}
	return nil
}

// ownStores are the stores that a manager is held to; everybody else sees all.
func (a Access) ownStores() (ids []string, held bool) {
	return a.user.Stores, a.user.Role == Manager
}

// RentalStore finds a store by ID.
func (a Access) RentalStore(ctx context.Context, id string) (*RentalStore, error) {
	if err := a.inChargeOfStore(id); err != nil {
		return nil, err
	}
	return readOne[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": id})
}

// RentalStores lists all stores, or those in a manager's charge, by name. A
// business has some dozens of them: they are read at once.
func (a Access) RentalStores(ctx context.Context) ([]RentalStore, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.storeItems(ctx)
	stores, err := decodeAll(items, err, decodeAs[RentalStore])
	slices.SortFunc(stores, func(a, b RentalStore) int {
		return strings.Compare(nameKey(a.Name, a.ID)+"#"+a.ID, nameKey(b.Name, b.ID)+"#"+b.ID)
	})
	return stores, err
}

func (a Access) storeItems(ctx context.Context) ([]Item, error) {
	own, held := a.ownStores()
	if !held {
		return a.store.table.Partition(ctx, getStores, nil, false)
	}
	items, err := a.store.table.GetMany(ctx, getStore, storeValues(own), false)
	return slices.DeleteFunc(items, func(item Item) bool { return item == nil }), err
}

func storeValues(ids []string) []key.Map {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"storeULID": id}
	}
	return values
}

// KayaksOfStore lists a store's kayaks by ID, wherever they are just now.
func (a Access) KayaksOfStore(ctx context.Context, storeID string, page Page) (List[Kayak], error) {
	return ofStore(ctx, a, getStoreInventory, storeID, page, decodeAs[Kayak])
}

// Fleet is all kayaks of a store that are in service, whose labels are printed
// on one sheet.
func (a Access) Fleet(ctx context.Context, storeID string) ([]Kayak, error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getStoreInventory, key.Map{"storeULID": storeID}, false)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	return slices.DeleteFunc(kayaks, func(k Kayak) bool { return k.Status == KayakRetired }), err
}

// EmployeesOfStore lists who works at a store now.
func (a Access) EmployeesOfStore(ctx context.Context, storeID string, page Page) (List[StoreEmployee], error) {
	return ofStore(ctx, a, getStoreEmployees, storeID, page, decodeAs[StoreEmployee])
}

// EmploymentsAtStore lists all who ever worked at a store, person by person.
func (a Access) EmploymentsAtStore(ctx context.Context, storeID string, page Page) (List[Employment], error) {
	return ofStore(ctx, a, getEmploymentsByStore, storeID, page, decodeAs[Employment])
}

// EmploymentsOfPerson lists where somebody ever worked, store by store. A
// manager sees the times at their own stores.
func (a Access) EmploymentsOfPerson(ctx context.Context, personID string, page Page) (List[Employment], error) {
	if err := a.require(Browse); err != nil {
		return List[Employment]{}, err
	}
	q := table.Query{Pattern: getEmploymentsByPerson, Values: key.Map{"personULID": personID}}
	if own, held := a.ownStores(); held {
		q = inStores(getEmploymentsOfBoth, q.Values, own)
	}
	return readable(ctx, a, q, page, decodeAs[Employment])
}

// ofStore asks a pattern for what belongs to one store.
func ofStore[T any](ctx context.Context, a Access, p *Pattern, storeID string, page Page, decode func(Item, *T) error) (List[T], error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return List[T]{}, err
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: key.Map{"storeULID": storeID}}, page, decode)
}

// readable answers a question whose keys hold to the user's scope.
func readable[T any](ctx context.Context, a Access, q table.Query, page Page, decode func(Item, *T) error) (List[T], error) {
	if err := a.require(Browse); err != nil {
		return List[T]{}, err
	}
	return list(ctx, a.store, q, page, decode)
}

// inStores asks a pattern of a person and a store for one store after the
// other.
func inStores(p *Pattern, values key.Map, stores []string) table.Query {
	return table.Query{Pattern: p, Values: values, Segment: "storeULID", Segments: stores}
}

// Kayak finds a kayak by ID, in whichever store it is. While it moves, the
// index may show it at both stores or at none: the later version counts.
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
		return nil, fail(NotFound, "There is no kayak %s in your charge.", id)
	}
	return found, nil
}

// EventsOfKayak lists what was done to a kayak, the last first.
func (a Access) EventsOfKayak(ctx context.Context, id string, page Page) (List[Event], error) {
	if _, err := a.Kayak(ctx, id); err != nil {
		return List[Event]{}, err
	}
	return readable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": kayakPartition(id)}}, page, decodeAs[Event])
}

// KnownKayaks finds those of some kayaks that there are, wherever they are.
func (s *Store) KnownKayaks(ctx context.Context, ids []string) ([]Kayak, error) {
	var mu sync.Mutex
	var known []Kayak
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(loadWriters)
	for _, id := range ids {
		all.Go(func() error {
			items, err := s.table.Partition(ctx, getInventoryItem, key.Map{"inventoryULID": id}, false)
			kayaks, err := decodeAll(items, err, decodeAs[Kayak])
			mu.Lock()
			defer mu.Unlock()
			known = append(known, kayaks...)
			return ignoreNotFound(err)
		})
	}
	return known, all.Wait()
}

// CountKayaks counts the kayaks of every store anew, as after an import, which
// puts them there one by one.
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

// countKayaks reads the store before its kayaks: whatever changes one of them
// in between raises the store's version, and the count is made again.
func (s *Store) countKayaks(ctx context.Context, id string) error {
	is, err := readConsistently[*RentalStore](ctx, s, getStore, key.Map{"storeULID": id})
	if err != nil {
		return err
	}
	items, err := s.table.Partition(ctx, getStoreInventory, key.Map{"storeULID": id}, true)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	if err != nil {
		return err
	}
	counted := *is
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
	if counted.In == is.In && counted.Out == is.Out && counted.Repair == is.Repair {
		return nil
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	counted.Version++
	c.recordEvent(Event{Partition: storePartition(id), What: "kayaks counted"})
	c.Replace(&counted, is.Version)
	return c.Commit(ctx)
}
