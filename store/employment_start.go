package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// Hiring is who begins to work at a store, as what and when.
type Hiring struct {
	StoreID  string
	Person   string // an ID, or the e-mail address of a customer
	Position string
	From     time.Time // the first day, at midnight UTC
}

// Hire lets somebody work at a store. They may work at others besides, and
// come back to one that they left.
func (a Access) Hire(ctx context.Context, h Hiring, once string) error {
	if err := a.runs(h.StoreID); err != nil {
		return err
	}
	if before, err := a.store.done(ctx, storePartition(h.StoreID), once); before || err != nil {
		return err
	}
	if h.From.IsZero() {
		return InvalidField("from", "Say which day is the first.")
	}
	person, err := a.FindRenter(ctx, h.Person)
	if err != nil {
		return err
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": h.StoreID})
	if err != nil {
		return err
	}
	id, err := a.store.ids.New()
	if err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: storePartition(s.ID), What: "hired", After: person.ID, Why: h.Position})
	c.Create(&StoreEmployee{StoreID: s.ID, PersonID: person.ID, EmploymentID: id, From: h.From, Position: h.Position, Name: person.Name, Version: 1})
	c.Create(&Employment{ID: id, StoreID: s.ID, PersonID: person.ID, From: h.From, Position: h.Position, StoreName: s.Name, PersonName: person.Name, Version: 1})
	err = c.Commit(ctx)
	if KindOf(err) == Conflict {
		refused := fail(Conflict, "%s works here already.", person.Name)
		refused.Field = fieldPerson
		return refused
	}
	return err
}

// Leave ends somebody's time at a store on a day, the last that they work.
func (a Access) Leave(ctx context.Context, storeID, personID string, last time.Time, once string) error {
	if err := a.runs(storeID); err != nil {
		return err
	}
	if before, err := a.store.done(ctx, storePartition(storeID), once); before || err != nil {
		return err
	}
	works, err := readConsistently[*StoreEmployee](ctx, a.store, getStoreEmployee, key.Map{"storeULID": storeID, "personULID": personID})
	if KindOf(err) == NotFound {
		return a.store.okIfApplied(ctx, storePartition(storeID), once, fail(Conflict, "%s does not work here any more.", personID))
	}
	if err != nil {
		return err
	}
	switch {
	case last.IsZero():
		return InvalidField("to", "Say which day is the last.")
	case last.Before(works.From):
		return InvalidField("to", "The last day lies before the first, which was %s.", calendarDay(works.From))
	}
	e, err := a.employmentOf(ctx, works)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: storePartition(storeID), What: "left", Before: personID, Why: works.Position})
	c.DeleteVersion(works, works.Version)
	seen := e.Version
	e.To = last
	e.Version++
	if seen == 0 {
		c.Create(e)
	} else {
		c.Replace(e, seen)
	}
	return c.Commit(ctx)
}

// employmentOf reads the time that somebody's work at a store belongs to.
// Imported staff may lack it: then it is written when they leave.
func (a Access) employmentOf(ctx context.Context, works *StoreEmployee) (*Employment, error) {
	if works.EmploymentID != "" {
		e, err := readConsistently[*Employment](ctx, a.store, getEmployment, key.Map{"employmentULID": works.EmploymentID})
		if KindOf(err) != NotFound {
			return e, err
		}
	}
	id, err := a.store.ids.New()
	return &Employment{ID: id, StoreID: works.StoreID, PersonID: works.PersonID, From: works.From, Position: works.Position, PersonName: works.Name}, err
}
