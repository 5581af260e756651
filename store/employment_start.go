package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// NewEmployment is a request to record that a person starts to work at a store.
type NewEmployment struct {
	StoreID  string
	Person   string // an ID, or the email address of a customer
	Position string
	From     time.Time // the first day, at midnight UTC
}

// StartEmployment records that a person starts to work at a store. A person
// can work at several stores, and can come back to one. It returns NotFound,
// Invalid for an unknown person or without a first day, or Conflict if the
// person works at the store already.
func (a Access) StartEmployment(ctx context.Context, n NewEmployment, token string) error {
	if err := a.requireRentals(n.StoreID); err != nil {
		return err
	}
	if before, err := a.store.alreadyApplied(ctx, storePartition(n.StoreID), token); before || err != nil {
		return err
	}
	if n.From.IsZero() {
		return InvalidField("from", "Enter the first day.")
	}
	person, err := a.FindRenter(ctx, n.Person)
	if err != nil {
		return err
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": n.StoreID})
	if err != nil {
		return err
	}
	id, err := a.store.ids.New()
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: storePartition(s.ID), What: EventEmploymentStarted, After: person.ID, Why: n.Position})
	c.Create(&StoreEmployee{
		StoreID:      s.ID,
		PersonID:     person.ID,
		EmploymentID: id,
		From:         n.From,
		Position:     n.Position,
		Name:         person.Name,
		Version:      1,
	})
	c.Create(&Employment{
		ID:         id,
		StoreID:    s.ID,
		PersonID:   person.ID,
		From:       n.From,
		Position:   n.Position,
		StoreName:  s.Name,
		PersonName: person.Name,
		Version:    1,
	})
	err = c.Commit(ctx)
	if KindOf(err) == Conflict {
		conflict := fail(Conflict, "%s already works here.", person.Name)
		conflict.Field = fieldPerson
		return conflict
	}
	return err
}
