package store

import (
	"context"
	"fmt"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmploymentFilter selects periods of employment and their order.
type EmploymentFilter struct {
	Year    int  // a calendar year in which the person worked; 0 for all
	Grouped bool // sorted by person or store instead of newest first
}

// EmploymentsAtStore lists the periods of employment at a store, newest first or
// grouped by person.
func (a Access) EmploymentsAtStore(ctx context.Context, storeID string, f EmploymentFilter, page Page) (List[Employment], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[Employment]{}, err
	}
	return a.employments(ctx, f.query(getStoreEmploymentsNewest, getEmploymentsByStore, "storeULID", storeID), f, page)
}

// EmploymentsOfPerson lists a person's periods of employment, newest first or
// grouped by store. Managers see only the periods at their own stores.
func (a Access) EmploymentsOfPerson(ctx context.Context, personID string, f EmploymentFilter, page Page) (List[Employment], error) {
	if err := a.require(Browse); err != nil {
		return List[Employment]{}, err
	}
	return a.employments(ctx, f.query(getEmploymentsNewest, getEmploymentsByPerson, "personULID", personID), f, page)
}

// employments runs a query. It omits periods outside the year of the filter, and
// periods at stores that the user does not manage.
func (a Access) employments(ctx context.Context, q table.Query, f EmploymentFilter, page Page) (List[Employment], error) {
	if _, limited := a.ownStores(); f.Year == 0 && !limited {
		return list(ctx, a.store, q, page, decodeAs[Employment])
	}
	return listWhere(ctx, a.store, q, page, decodeAs[Employment], func(e *Employment) bool {
		return f.includes(e) && a.user.InChargeOfStore(e.StoreID)
	})
}

// query returns a query with the pattern newest, or with the pattern grouped if f.Grouped
// is set. Keys contain only the first day of a period, so the key condition can exclude
// only periods that began after the year.
func (f EmploymentFilter) query(newest, grouped *Pattern, name, id string) table.Query {
	values := key.Map{name: id, "from": key.MinDate, "to": key.MaxDate}
	if f.Year != 0 {
		values["to"] = fmt.Sprintf("%04d-12-31", f.Year)
	}
	if f.Grouped {
		return table.Query{Pattern: grouped, Values: values}
	}
	return table.Query{Pattern: newest, Values: values}
}

// includes reports whether the person worked in the year.
func (f EmploymentFilter) includes(e *Employment) bool {
	return f.Year == 0 || e.From.Year() <= f.Year && (e.To.IsZero() || e.To.Year() >= f.Year)
}
