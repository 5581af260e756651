package store

import (
	"cmp"
	"context"
	"time"

	"stockroom/store/key"
)

// EndEmployment records a person's last day at a store. The person remains one of the
// store's current employees until this day has passed, and EndEmployment can change the day
// until then. It returns Invalid if the last day is missing or before the first day, or if
// the person is missing or unknown. It returns Conflict if the person does not work at the
// store. It can also return NotFound.
func (a Access) EndEmployment(ctx context.Context, storeID, personID string, last time.Time, token string) error {
	if err := a.requireRentals(storeID); err != nil {
		return err
	}
	var wrong InputErrors
	if last.IsZero() {
		wrong.Reject("last", "Enter the last day.")
	}
	if personID == "" {
		wrong.Reject(fieldPerson, "Enter a name, phone number, email address or ID.")
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	return a.setLastDay(ctx, storeID, personID, last, token)
}

// KeepEmployed removes the last day of a person's employment at a store. It returns Conflict
// if the person does not work at the store, or if no last day is set. It can also return
// NotFound.
func (a Access) KeepEmployed(ctx context.Context, storeID, personID, token string) error {
	if err := a.requireRentals(storeID); err != nil {
		return err
	}
	return a.setLastDay(ctx, storeID, personID, time.Time{}, token)
}

// setLastDay sets the last day of a current employment, or removes it if last is zero.
func (a Access) setLastDay(ctx context.Context, storeID, personID string, last time.Time, token string) error {
	if before, err := a.store.alreadyApplied(ctx, storePartition(storeID), token); before || err != nil {
		return err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	employee, err := a.store.staffEntry(ctx, storeID, personID)
	if err != nil {
		return err
	}
	if employee == nil || !employee.worksOn(today) {
		person, err := a.FindRenter(ctx, personID)
		if err != nil {
			return err
		}
		return a.store.okIfApplied(ctx, storePartition(storeID), token, fail(Conflict, "%s does not work at this store.", cmp.Or(person.Name, personID)))
	}
	event := Event{Partition: storePartition(storeID), What: EventEmploymentEnded, Before: personID, Why: employee.Position}
	switch {
	case last.IsZero() && employee.To.IsZero():
		return a.store.okIfApplied(ctx, storePartition(storeID), token, fail(Conflict, "%s works at this store without a last day.", cmp.Or(employee.Name, personID)))
	case last.IsZero():
		event.What, event.Before, event.After = EventEmploymentKept, "", personID
		event.Why = joinFilled(event.Why, "last day was "+longDay(employee.To))
	case last.Before(employee.From):
		return InvalidField("last", "The last day can't be before the first day, %s.", longDay(employee.From))
	default:
		event.Why = joinFilled(event.Why, "last day "+longDay(last))
	}
	e, err := a.employmentOf(ctx, employee)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(event)
	if !last.IsZero() && last.Before(today) {
		c.DeleteVersion(employee, employee.Version)
	} else {
		employee.EmploymentID, employee.To = e.ID, last
		c.replaceNext(employee, &employee.Version)
	}
	version := e.Version
	e.To = last
	e.Version++
	if version == 0 {
		c.Create(e)
	} else {
		c.Replace(e, version)
	}
	return c.Commit(ctx)
}

// EmployeeOfStore returns the entry of a person who currently works at a store, or NotFound.
func (a Access) EmployeeOfStore(ctx context.Context, storeID, personID string) (*StoreEmployee, error) {
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	employee, err := a.store.staffEntry(ctx, storeID, personID)
	if err == nil && (employee == nil || !employee.worksOn(today)) {
		err = fail(NotFound, "%s does not work at this store.", personID)
	}
	return employee, err
}

// staffEntry makes a consistent read of a StoreEmployee. It returns nil if there is none.
func (s *Store) staffEntry(ctx context.Context, storeID, personID string) (*StoreEmployee, error) {
	employee, err := readConsistently[*StoreEmployee](ctx, s, getStoreEmployee, key.Map{"storeULID": storeID, "personULID": personID})
	return employee, ignoreNotFound(err)
}

// employmentOf returns the current Employment of a store employee. For an imported store
// employee without an Employment, it returns a new Employment with Version 0.
func (a Access) employmentOf(ctx context.Context, employee *StoreEmployee) (*Employment, error) {
	if employee.EmploymentID != "" {
		e, err := readConsistently[*Employment](ctx, a.store, getEmployment, key.Map{"employmentULID": employee.EmploymentID})
		if KindOf(err) != NotFound {
			return e, err
		}
	}
	id, err := a.store.ids.New()
	return &Employment{
		ID:         id,
		StoreID:    employee.StoreID,
		PersonID:   employee.PersonID,
		From:       employee.From,
		Position:   employee.Position,
		PersonName: employee.Name,
	}, err
}
