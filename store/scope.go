package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxScope is the maximum number of warehouses and stores of a manager or an access token.
// Pages read them one by one.
const maxScope = 20

// Prefixes of the IDs in a scope. A scope is a string that lists a user's warehouses and
// stores.
const (
	WarehouseScope = "w#"
	StoreScope     = "store#"
)

// ScopeParts returns the user's warehouses and stores, such as w#12345 and store#7.
func (u *User) ScopeParts() []string {
	var parts []string
	for _, id := range u.Warehouses {
		parts = append(parts, WarehouseScope+id)
	}
	for _, id := range u.Stores {
		parts = append(parts, StoreScope+id)
	}
	return parts
}

// inChargeOf reports whether the user may see all of these warehouses and stores. places
// has the format of ScopeParts.
func (u *User) inChargeOf(places []string) bool {
	for _, place := range places {
		warehouse, ok := strings.CutPrefix(place, WarehouseScope)
		if ok && !u.InCharge(warehouse) || !ok && !u.InChargeOfStore(strings.TrimPrefix(place, StoreScope)) {
			return false
		}
	}
	return true
}

// Scope formats the user's warehouses and stores for ParseScope.
func (u *User) Scope() string { return strings.Join(u.ScopeParts(), ",") }

// ParseScope parses a scope in the format of Scope, such as w#12345,store#7.
func ParseScope(text string) (warehouses, stores []string, err error) {
	for place := range strings.SplitSeq(text, ",") {
		place = strings.TrimSpace(place)
		if id, found := strings.CutPrefix(place, WarehouseScope); found {
			warehouses = append(warehouses, id)
		} else if id, found := strings.CutPrefix(place, StoreScope); found {
			stores = append(stores, id)
		} else if place != "" {
			return nil, nil, InvalidField("scope", "“%s” is not a warehouse or store. Enter w#ID for a warehouse or store#ID for a store.", place)
		}
	}
	return warehouses, stores, nil
}

// ScopePlaces returns the warehouses and stores of users, by ID with a prefix, such as
// w#101. It makes one request per 100 of them. The result omits those that do not exist.
func (a Access) ScopePlaces(ctx context.Context, users []User) (map[string]Choice, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	var all User
	for i := range users {
		all.Warehouses = append(all.Warehouses, users[i].Warehouses...)
		all.Stores = append(all.Stores, users[i].Stores...)
	}
	return a.store.scopePlaces(ctx, all)
}

// MaxTokenPlaceReads is the maximum number of requests of TokenPlaces.
const MaxTokenPlaceReads = MaxAccessTokens * maxScope / 100

// TokenPlaces returns the warehouses and stores of the access tokens of one user, by ID with
// a prefix, such as w#101. It makes one request per 100 of them. The result omits those that
// do not exist, and those that the signed-in user does not manage.
func (a Access) TokenPlaces(ctx context.Context, tokens []AccessToken) (map[string]Choice, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var all User
	for i := range tokens {
		all.Warehouses = append(all.Warehouses, tokens[i].Warehouses...)
		all.Stores = append(all.Stores, tokens[i].Stores...)
	}
	all.Warehouses = slices.DeleteFunc(all.Warehouses, func(id string) bool { return !a.user.InCharge(id) })
	all.Stores = slices.DeleteFunc(all.Stores, func(id string) bool { return !a.user.InChargeOfStore(id) })
	return a.store.scopePlaces(ctx, all)
}

// scopePlaces returns the warehouses and stores in the scope of all.
func (s *Store) scopePlaces(ctx context.Context, all User) (map[string]Choice, error) {
	invalid := func(id string) bool { return key.CheckID(id) != nil }
	all.Warehouses, all.Stores = slices.DeleteFunc(all.Warehouses, invalid), slices.DeleteFunc(all.Stores, invalid)
	found := map[string]Choice{}
	var lookups []table.Lookup
	warehouses := lookUpRelated[Warehouse](&lookups, getWarehouse, "warehouseID", all.Warehouses)
	stores := lookUpRelated[RentalStore](&lookups, getStore, "storeULID", all.Stores)
	if len(lookups) == 0 {
		return found, nil
	}
	if err := s.table.LookUp(ctx, lookups, false); err != nil {
		return nil, err
	}
	for _, w := range warehouses {
		if w != nil {
			found[WarehouseScope+w.ID] = w.place()
		}
	}
	for _, s := range stores {
		if s != nil {
			found[StoreScope+s.ID] = s.place()
		}
	}
	return found, nil
}

// place returns the warehouse as a Choice. The ID of the Choice has a prefix, because a
// warehouse and a store can have the same ID.
func (w *Warehouse) place() Choice {
	return Choice{ID: WarehouseScope + w.ID, Name: nameOrID(w.Name, w.ID), Note: joinFilled("Warehouse "+w.ID, w.Address.City), codes: []string{w.ID}}
}

// place returns the store as a Choice, whose ID has a prefix.
func (s *RentalStore) place() Choice {
	return Choice{ID: StoreScope + s.ID, Name: nameOrID(s.Name, s.ID), Note: joinFilled("Store "+s.ID, s.Address.City), codes: []string{s.ID}}
}

func (r *SearchResults) places() []Choice {
	var all []Choice
	for i := range r.Warehouses {
		all = append(all, r.Warehouses[i].place())
	}
	for i := range r.Stores {
		all = append(all, r.Stores[i].place())
	}
	return all
}

// checkPlaces returns Invalid if a warehouse or store in the scope does not exist.
func (s *Store) checkPlaces(ctx context.Context, u *User) error {
	for _, places := range []struct {
		pattern  *Pattern
		id, what string
		ids      []string
	}{
		{getWarehouse, "warehouseID", "warehouse", u.Warehouses},
		{getStore, "storeULID", "store", u.Stores},
	} {
		values := make([]key.Map, len(places.ids))
		for i, id := range places.ids {
			values[i] = key.Map{places.id: id}
		}
		items, err := s.table.GetMany(ctx, places.pattern, values, true)
		if err != nil {
			return err
		}
		for i, id := range places.ids {
			if items[i] == nil {
				return InvalidField("scope", "No %s has the ID %s.", places.what, id)
			}
		}
	}
	return nil
}
