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

// RentalsOfStore lists what was ever rented at a store, newest first.
func (a Access) RentalsOfStore(ctx context.Context, storeID string, page Page) (List[Rental], error) {
	return ofStore(ctx, a, getRentalsByStoreNewest, storeID, page, decodeAs[Rental])
}

// RentalsOfStoreByPerson lists what one person ever rented at a store, newest
// first.
func (a Access) RentalsOfStoreByPerson(ctx context.Context, storeID, personID string, page Page) (List[Rental], error) {
	return a.rentalsOfBoth(ctx, getRentalsByStoreAndPerson, storeID, personID, page)
}

// RentalsOfPersonAtStore is the same, asked of the person.
func (a Access) RentalsOfPersonAtStore(ctx context.Context, personID, storeID string, page Page) (List[Rental], error) {
	return a.rentalsOfBoth(ctx, getRentalsByPersonAndStore, storeID, personID, page)
}

func (a Access) rentalsOfBoth(ctx context.Context, p *Pattern, storeID, personID string, page Page) (List[Rental], error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return List[Rental]{}, err
	}
	q := table.Query{Pattern: p, Values: key.Map{"storeULID": storeID, "personULID": personID}, Reverse: true}
	return list(ctx, a.store, q, page, decodeAs[Rental])
}

// RentalsOfPerson lists what somebody ever rented anywhere, newest first. A
// manager sees what was rented at their own stores, store by store.
func (a Access) RentalsOfPerson(ctx context.Context, personID string, page Page) (List[Rental], error) {
	if err := a.require(Browse); err != nil {
		return List[Rental]{}, err
	}
	q := table.Query{Pattern: getRentalsByPersonNewest, Values: key.Map{"personULID": personID}}
	if own, held := a.ownStores(); held {
		q = inStores(getRentalsByPersonAndStore, q.Values, own)
		q.Reverse = true
	}
	return readable(ctx, a, q, page, decodeAs[Rental])
}

// RentalsOfPersonByStore is RentalsOfPerson store by store for everybody, each
// store's newest first.
func (a Access) RentalsOfPersonByStore(ctx context.Context, personID string, page Page) (List[Rental], error) {
	if err := a.require(Browse); err != nil {
		return List[Rental]{}, err
	}
	if _, held := a.ownStores(); held {
		return a.RentalsOfPerson(ctx, personID, page)
	}
	q := table.Query{Pattern: getRentalsByPerson, Values: key.Map{"personULID": personID}, Reverse: true}
	return readable(ctx, a, q, page, decodeAs[Rental])
}

// RentalsOfKayak lists who ever rented a kayak, newest first. There is no key
// of a kayak and a store, so what was rented at stores in others' charge is
// left out of a manager's page after it was read.
func (a Access) RentalsOfKayak(ctx context.Context, kayakID string, page Page) (List[Rental], error) {
	return a.ofKayak(ctx, table.Query{Pattern: getRentalsByKayak, Values: key.Map{"inventoryULID": kayakID}}, page)
}

// RentalsOfKayakByPerson is RentalsOfKayak for one person.
func (a Access) RentalsOfKayakByPerson(ctx context.Context, kayakID, personID string, page Page) (List[Rental], error) {
	q := table.Query{Pattern: getRentalsByPersonAndKayak, Values: key.Map{"inventoryULID": kayakID, "personULID": personID}, Reverse: true}
	return a.ofKayak(ctx, q, page)
}

func (a Access) ofKayak(ctx context.Context, q table.Query, page Page) (List[Rental], error) {
	if _, err := a.Kayak(ctx, q.Values["inventoryULID"]); err != nil {
		return List[Rental]{}, err
	}
	found, err := list(ctx, a.store, q, page, decodeAs[Rental])
	found.Rows = slices.DeleteFunc(found.Rows, func(r Rental) bool { return !a.user.InChargeOfStore(r.StoreID) })
	return found, err
}

// RentedFromStore lists what is out from a store, person by person.
func (a Access) RentedFromStore(ctx context.Context, storeID string, page Page) (List[ActiveRental], error) {
	return ofStore(ctx, a, getActiveRentalsByStore, storeID, page, decodeAs[ActiveRental])
}

// RentedByPerson lists what somebody has out anywhere; to a manager, from
// their own stores.
func (a Access) RentedByPerson(ctx context.Context, personID string, page Page) (List[ActiveRental], error) {
	if err := a.require(Browse); err != nil {
		return List[ActiveRental]{}, err
	}
	q := table.Query{Pattern: getActiveRentalsByPerson, Values: key.Map{"personULID": personID}}
	if own, held := a.ownStores(); held {
		q = inStores(getActiveRentalsOfBoth, q.Values, own)
	}
	return readable(ctx, a, q, page, decodeAs[ActiveRental])
}

// RentedByPersonFromStore lists what somebody has out from one store.
func (a Access) RentedByPersonFromStore(ctx context.Context, personID, storeID string, page Page) (List[ActiveRental], error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return List[ActiveRental]{}, err
	}
	q := table.Query{Pattern: getActiveRentalsOfBoth, Values: key.Map{"storeULID": storeID, "personULID": personID}}
	return list(ctx, a.store, q, page, decodeAs[ActiveRental])
}

// RentalsDue lists what is due back on days up to and including the last,
// the longest due first. A manager's own stores have so little out that it
// comes whole.
func (a Access) RentalsDue(ctx context.Context, last time.Time, page Page) (List[ActiveRental], error) {
	if err := a.require(Browse); err != nil {
		return List[ActiveRental]{}, err
	}
	own, held := a.ownStores()
	if held {
		due, err := a.dueAt(ctx, own, last)
		return List[ActiveRental]{Rows: due}, err
	}
	return readable(ctx, a, table.Query{Pattern: getActiveRentalsDue, Values: dueBy(last)}, page, decodeAs[ActiveRental])
}

// OverdueAtStore lists what should be back at a store by now, the longest due
// first. A store has no more out than it has kayaks: it comes whole.
func (a Access) OverdueAtStore(ctx context.Context, storeID string) ([]ActiveRental, error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	return a.dueAt(ctx, []string{storeID}, today.AddDate(0, 0, -1))
}

// dueBy asks for days, not for instants: a day is due whole.
func dueBy(last time.Time) key.Map {
	return key.Map{"from": key.MinDate, "to": calendarDay(last)}
}

// dueAt is what is due at these stores.
func (a Access) dueAt(ctx context.Context, stores []string, last time.Time) ([]ActiveRental, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var due []ActiveRental
	all, ctx := errgroup.WithContext(ctx)
	for _, id := range stores {
		all.Go(func() error {
			items, err := a.store.table.Partition(ctx, getActiveRentalsByStore, key.Map{"storeULID": id}, false)
			out, err := decodeAll(items, err, decodeAs[ActiveRental])
			mu.Lock()
			defer mu.Unlock()
			due = append(due, out...)
			return err
		})
	}
	err := all.Wait()
	due = slices.DeleteFunc(due, func(r ActiveRental) bool { return r.Due.After(last) })
	slices.SortFunc(due, func(a, b ActiveRental) int {
		return strings.Compare(calendarDay(a.Due)+"#"+a.KayakID, calendarDay(b.Due)+"#"+b.KayakID)
	})
	return due, err
}

// Overdue counts, store by store, what should be back by now. At more
// than a thousand it stops counting, and whole is false.
func (a Access) Overdue(ctx context.Context) (byStore map[string]int, whole bool, err error) {
	if err := a.require(Browse); err != nil {
		return nil, false, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, false, err
	}
	byStore, page := map[string]int{}, Page{Limit: MaxLimit}
	for range maxOverdue / MaxLimit {
		due, err := a.RentalsDue(ctx, today.AddDate(0, 0, -1), page)
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

// maxOverdue bounds what counting the overdue asks of the table.
const maxOverdue = 1000
