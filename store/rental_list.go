package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// RentalsOfStore lists all rentals of a store, newest first.
func (a Access) RentalsOfStore(ctx context.Context, storeID string, page Page) (List[Rental], error) {
	return listOfStore(ctx, a, getRentalsByStoreNewest, storeID, page, decodeAs[Rental])
}

// RentalsOfStoreByPerson lists all rentals of one person at a store, newest
// first.
func (a Access) RentalsOfStoreByPerson(ctx context.Context, storeID, personID string, page Page) (List[Rental], error) {
	return a.rentalsOfPersonAndStore(ctx, getRentalsByStoreAndPerson, storeID, personID, page)
}

// RentalsOfPersonAtStore returns the same list as RentalsOfStoreByPerson. It reads the
// index by person instead of the index by store.
func (a Access) RentalsOfPersonAtStore(ctx context.Context, personID, storeID string, page Page) (List[Rental], error) {
	return a.rentalsOfPersonAndStore(ctx, getRentalsByPersonAndStore, storeID, personID, page)
}

func (a Access) rentalsOfPersonAndStore(ctx context.Context, p *Pattern, storeID, personID string, page Page) (List[Rental], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[Rental]{}, err
	}
	q := table.Query{Pattern: p, Values: key.Map{"storeULID": storeID, "personULID": personID}, Reverse: true}
	return list(ctx, a.store, q, page, decodeAs[Rental])
}

// RentalsOfPerson lists all rentals of a person, newest first. For a manager, it
// lists the rentals of the manager's own stores, grouped by store.
func (a Access) RentalsOfPerson(ctx context.Context, personID string, page Page) (List[Rental], error) {
	if err := a.require(Browse); err != nil {
		return List[Rental]{}, err
	}
	q := table.Query{Pattern: getRentalsByPersonNewest, Values: key.Map{"personULID": personID}}
	if own, limited := a.ownStores(); limited {
		q = inStores(getRentalsByPersonAndStore, q.Values, own)
		q.Reverse = true
	}
	return listReadable(ctx, a, q, page, decodeAs[Rental])
}

// RentalsOfPersonByStore lists the rentals of a person, grouped by store, and newest
// first within a store. Managers see only rentals of their own stores.
func (a Access) RentalsOfPersonByStore(ctx context.Context, personID string, page Page) (List[Rental], error) {
	if err := a.require(Browse); err != nil {
		return List[Rental]{}, err
	}
	if _, limited := a.ownStores(); limited {
		return a.RentalsOfPerson(ctx, personID, page)
	}
	q := table.Query{Pattern: getRentalsByPerson, Values: key.Map{"personULID": personID}, Reverse: true}
	return listReadable(ctx, a, q, page, decodeAs[Rental])
}

// RentalsOfKayak lists all rentals of a kayak, newest first. Managers see only rentals of
// their own stores. No index combines kayak and store. RentalsOfKayak therefore reads a
// page of the kayak's rentals at all stores, and then removes those at stores that the user
// does not manage. A page can therefore have fewer rows.
func (a Access) RentalsOfKayak(ctx context.Context, kayakID string, page Page) (List[Rental], error) {
	return a.rentalsOfKayak(ctx, table.Query{Pattern: getRentalsByKayak, Values: key.Map{"inventoryULID": kayakID}}, page)
}

// RentalsOfKayakByPerson lists the rentals of a kayak by one person, newest first.
// Managers see only rentals of their own stores, so a page can have fewer rows.
func (a Access) RentalsOfKayakByPerson(ctx context.Context, kayakID, personID string, page Page) (List[Rental], error) {
	q := table.Query{Pattern: getRentalsByPersonAndKayak, Values: key.Map{"inventoryULID": kayakID, "personULID": personID}, Reverse: true}
	return a.rentalsOfKayak(ctx, q, page)
}

func (a Access) rentalsOfKayak(ctx context.Context, q table.Query, page Page) (List[Rental], error) {
	if _, err := a.Kayak(ctx, q.Values["inventoryULID"]); err != nil {
		return List[Rental]{}, err
	}
	found, err := list(ctx, a.store, q, page, decodeAs[Rental])
	found.Rows = slices.DeleteFunc(found.Rows, func(r Rental) bool { return !a.user.InChargeOfStore(r.StoreID) })
	return found, err
}

// RentedFromStore lists the active rentals of a store, grouped by person.
func (a Access) RentedFromStore(ctx context.Context, storeID string, page Page) (List[ActiveRental], error) {
	return listOfStore(ctx, a, getActiveRentalsByStore, storeID, page, decodeAs[ActiveRental])
}

// RentedByPerson lists the active rentals of a person. Managers see only rentals of
// their own stores.
func (a Access) RentedByPerson(ctx context.Context, personID string, page Page) (List[ActiveRental], error) {
	if err := a.require(Browse); err != nil {
		return List[ActiveRental]{}, err
	}
	q := table.Query{Pattern: getActiveRentalsByPerson, Values: key.Map{"personULID": personID}}
	if own, limited := a.ownStores(); limited {
		q = inStores(getActiveRentalsOfBoth, q.Values, own)
	}
	return listReadable(ctx, a, q, page, decodeAs[ActiveRental])
}

// RentedByPersonFromStore lists the active rentals of a person at one store.
func (a Access) RentedByPersonFromStore(ctx context.Context, personID, storeID string, page Page) (List[ActiveRental], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[ActiveRental]{}, err
	}
	q := table.Query{Pattern: getActiveRentalsOfBoth, Values: key.Map{"storeULID": storeID, "personULID": personID}}
	return list(ctx, a.store, q, page, decodeAs[ActiveRental])
}

// RentalsDue lists the active rentals that are due back on the given calendar days, in
// the order of their due days. If from is zero, the list also contains all earlier
// days. Managers get rentals of their own stores only, all on one page.
func (a Access) RentalsDue(ctx context.Context, from, last time.Time, page Page) (List[ActiveRental], error) {
	if err := a.require(Browse); err != nil {
		return List[ActiveRental]{}, err
	}
	own, limited := a.ownStores()
	if limited {
		due, err := a.dueAt(ctx, own, from, last)
		return List[ActiveRental]{Rows: due}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getActiveRentalsDue, Values: dueBetween(from, last)}, page, decodeAs[ActiveRental])
}

// ActiveRentals returns the active rentals with these IDs (see RentalRowID), in the order
// of their due days, and their renters by ID. It omits rentals that have ended, and rentals
// of stores that the user does not manage.
func (a Access) ActiveRentals(ctx context.Context, ids []string) ([]ActiveRental, map[string]*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, nil, err
	}
	var values []key.Map
	for _, id := range ids {
		if parts := strings.Split(id, "#"); len(parts) == 3 && a.user.InChargeOfStore(parts[0]) {
			values = append(values, key.Map{"storeULID": parts[0], "personULID": parts[1], "inventoryULID": parts[2]})
		}
	}
	items, err := a.store.table.GetExisting(ctx, getActiveRental, values, false)
	rentals, err := decodeAll(items, err, decodeAs[ActiveRental])
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(rentals, func(a, b ActiveRental) int { return strings.Compare(dueKey(a), dueKey(b)) })
	var people []string
	for i := range rentals {
		people = append(people, rentals[i].PersonID)
	}
	renters, err := a.renters(ctx, people)
	return rentals, renters, err
}

// OverdueAtStore lists the overdue rentals of a store, longest overdue first. Each
// page reads all active rentals of the store.
func (a Access) OverdueAtStore(ctx context.Context, storeID string, page Page) (List[ActiveRental], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[ActiveRental]{}, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return List[ActiveRental]{}, err
	}
	due, err := a.dueAt(ctx, []string{storeID}, time.Time{}, today.AddDate(0, 0, -1))
	if err != nil {
		return List[ActiveRental]{}, err
	}
	return pageOfSorted(due, page, dueKey), nil
}

// pageOfSorted returns one page of rows, which must be sorted by sortKey.
func pageOfSorted[T any](all []T, page Page, sortKey func(T) string) List[T] {
	from, to := 0, min(page.Rows(), len(all))
	if at := page.At; at != nil {
		place, found := slices.BinarySearchFunc(all, at.SK, func(row T, sk string) int { return strings.Compare(sortKey(row), sk) })
		switch {
		case !at.Back && found:
			from = place + 1
		case !at.Back:
			from = place
		default:
			from = max(0, place-page.Rows())
		}
		if to = min(from+page.Rows(), len(all)); at.Back && place > 0 {
			to = place
		}
	}
	l := List[T]{Rows: all[from:to]}
	switch {
	case from > 0 && from == to: // no row after the position is left
		l.Prev = &Position{SK: page.At.SK, Back: true}
	case from > 0:
		l.Prev = &Position{SK: sortKey(all[from]), Back: true}
	}
	if to < len(all) {
		l.Next = &Position{SK: sortKey(all[to-1])}
	}
	return l
}

// dueKey returns the sort key of a rental in a list by due day.
func dueKey(r ActiveRental) string { return calendarDay(r.Due) + "#" + r.KayakID }

// dueBetween returns the parameters for rentals that are due in a range of days. The
// arguments from and last are the first and the last day of the range. If from is zero, the
// range also includes all earlier days.
func dueBetween(from, last time.Time) key.Map {
	values := key.Map{"from": key.MinDate, "to": calendarDay(last)}
	if !from.IsZero() {
		values["from"] = calendarDay(from)
	}
	return values
}

// dueAt returns the active rentals of stores that are due in a range of days; see
// dueBetween.
func (a Access) dueAt(ctx context.Context, stores []string, from, last time.Time) ([]ActiveRental, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var due []ActiveRental
	reads, ctx := errgroup.WithContext(ctx)
	for _, id := range stores {
		reads.Go(func() error {
			items, err := a.store.table.Partition(ctx, getActiveRentalsByStore, key.Map{"storeULID": id}, false)
			out, err := decodeAll(items, err, decodeAs[ActiveRental])
			mu.Lock()
			defer mu.Unlock()
			due = append(due, out...)
			return err
		})
	}
	err := reads.Wait()
	due = slices.DeleteFunc(due, func(r ActiveRental) bool { return r.Due.Before(from) || r.Due.After(last) })
	slices.SortFunc(due, func(a, b ActiveRental) int {
		return strings.Compare(dueKey(a), dueKey(b))
	})
	return due, err
}

// Overdue counts the overdue rentals of each store. It reads at most maxOverdue /
// MaxLimit pages; if there are more, complete is false.
func (a Access) Overdue(ctx context.Context) (byStore map[string]int, complete bool, err error) {
	if err := a.require(Browse); err != nil {
		return nil, false, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, false, err
	}
	byStore, page := map[string]int{}, Page{Limit: MaxLimit}
	for range maxOverdue / MaxLimit {
		due, err := a.RentalsDue(ctx, time.Time{}, today.AddDate(0, 0, -1), page)
		if err != nil {
			return nil, false, err
		}
		for i := range due.Rows {
			byStore[due.Rows[i].StoreID]++
		}
		if page.At = due.Next; page.At == nil {
			return byStore, true, nil
		}
	}
	return byStore, false, nil
}

// maxOverdue is the number of rentals after which Overdue stops counting.
const maxOverdue = 1000
