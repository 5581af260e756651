package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// requireStore returns NotFound if the user is a manager, but not of this store. The error
// is the same for a store that does not exist, so that managers do not learn which other
// stores exist. requireStore can also return Forbidden.
func (a Access) requireStore(storeID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if !a.user.InChargeOfStore(storeID) {
		return fail(NotFound, "Store %s not found, or not one of yours.", storeID)
	}
	return nil
}

// ownStores returns the stores of a manager. limited is false for other users, who
// can see all stores.
func (a Access) ownStores() (ids []string, limited bool) {
	return a.user.Stores, a.user.Role == Manager
}

// RentalStore returns a store. It returns NotFound if the store does not exist or
// the user does not manage it.
func (a Access) RentalStore(ctx context.Context, id string) (*RentalStore, error) {
	if err := a.requireStore(id); err != nil {
		return nil, err
	}
	return readOne[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": id})
}

// RentalStores returns all stores, sorted by name. Managers get only their own stores.
func (a Access) RentalStores(ctx context.Context, which Archived) ([]RentalStore, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	rows, err := a.storeRows(ctx)
	stores, err := decodeAll(rows, err, decodeAs[RentalStore])
	stores = slices.DeleteFunc(stores, func(s RentalStore) bool { return !which.includes(s.Archived) })
	slices.SortFunc(stores, func(a, b RentalStore) int {
		return strings.Compare(nameKey(a.Name, a.ID)+"#"+a.ID, nameKey(b.Name, b.ID)+"#"+b.ID)
	})
	return stores, err
}

func (a Access) storeRows(ctx context.Context) ([]Row, error) {
	own, limited := a.ownStores()
	if !limited {
		return a.store.table.Partition(ctx, getStores, nil, false)
	}
	return a.store.table.GetExisting(ctx, getStore, storeValues(own), false)
}

func storeValues(ids []string) []key.Map {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"storeULID": id}
	}
	return values
}

// EmployeesOfStore lists the current employees of a store. It includes people whose last day
// has not passed yet.
func (a Access) EmployeesOfStore(ctx context.Context, storeID string, page Page) (List[StoreEmployee], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[StoreEmployee]{}, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return List[StoreEmployee]{}, err
	}
	q := table.Query{Pattern: getStoreEmployees, Values: key.Map{"storeULID": storeID}}
	return listWhere(ctx, a.store, q, page, decodeAs[StoreEmployee], func(e *StoreEmployee) bool { return e.worksOn(today) })
}

// listOfStore runs a query with a pattern whose only parameter is the store.
func listOfStore[T any](ctx context.Context, a Access, p *Pattern, storeID string, page Page, decode func(Row, *T) error) (List[T], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[T]{}, err
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: key.Map{"storeULID": storeID}}, page, decode)
}

// listReadable runs a query. It returns Forbidden without the permission Browse. The caller
// must limit the query to the user's own warehouses or stores.
func listReadable[T any](ctx context.Context, a Access, q table.Query, page Page, decode func(Row, *T) error) (List[T], error) {
	if err := a.require(Browse); err != nil {
		return List[T]{}, err
	}
	return list(ctx, a.store, q, page, decode)
}

// inStores returns a query that reads a pattern for one store after the other.
func inStores(p *Pattern, values key.Map, stores []string) table.Query {
	return table.Query{Pattern: p, Values: values, Segment: "storeULID", Segments: stores}
}
