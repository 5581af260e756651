package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// NewEmployment is a request to record that a person starts to work at a store.
type NewEmployment struct {
	StoreID  string
	Person   string     // a person ID, or the email address of a customer
	New      *NewRenter // a new person, instead of Person, whom CheckNewRenter accepts; may be nil
	Position string
	From     time.Time // the first day, at midnight UTC
}

// StartEmployment records that a person starts to work at a store. A person can work at
// several stores and can return to a store. If the person is new, the same transaction also
// adds the person, with an ID from the form token. StartEmployment returns NotFound if the
// user does not manage the store. It returns Invalid if the person is unknown or an employee
// whom the user may not see, if the person works at the store until a last day, or if the
// store is archived. It also returns Invalid if the first day is missing, more than a year
// ahead, or not after the last day of the person's former employment at the store. It returns
// Conflict if the person already works at the store without a last day.
func (a Access) StartEmployment(ctx context.Context, n NewEmployment, token string) error {
	if err := a.requireRentals(n.StoreID); err != nil {
		return err
	}
	if before, err := a.store.alreadyApplied(ctx, storePartition(n.StoreID), token); before || err != nil {
		return err
	}
	var wrong InputErrors
	if n.From.IsZero() {
		wrong.Reject("from", "Enter the first day.")
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	if latest := today.AddDate(1, 0, 0); n.From.After(latest) {
		wrong.Reject("from", "Enter a first day within the next year, at the latest %s.", longDay(latest))
	}
	person, added, err := a.personToHire(ctx, n, token)
	if err := wrong.With(err); err != nil {
		return err
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": n.StoreID})
	if err != nil {
		return err
	}
	if err := s.requireOpen(); err != nil {
		return err
	}
	former, err := a.store.staffEntry(ctx, s.ID, person.ID)
	if err != nil {
		return err
	}
	if former != nil && !former.To.IsZero() && former.worksOn(today) {
		return InvalidField(fieldPerson, "%s works at this store until %s. Hire this person again after that day, or change the last day in the list of staff.", person.Name, longDay(former.To))
	}
	if added == nil {
		if err := a.checkFirstDay(ctx, s.ID, person, n.From); err != nil {
			return err
		}
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
	if added != nil {
		c.recordEvent(Event{Partition: personPartition(added.ID), What: EventPersonAdded})
		c.Create(added)
	}
	employee := &StoreEmployee{
		StoreID:      s.ID,
		PersonID:     person.ID,
		EmploymentID: id,
		From:         n.From,
		Position:     n.Position,
		Name:         person.Name,
		Version:      1,
	}
	if former != nil && !former.To.IsZero() {
		employee.Version = former.Version + 1
		c.Replace(employee, former.Version)
	} else {
		c.Create(employee)
	}
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
		conflict := fail(Conflict, "%s already works at this store.", person.Name)
		conflict.Field = fieldPerson
		return conflict
	}
	return err
}

// checkFirstDay returns Invalid if the first day of a new employment is not after the last
// day of a former one at the store. It checks only the person's ten latest employments. It
// reads an index, which is updated with a delay.
func (a Access) checkFirstDay(ctx context.Context, storeID string, person *Renter, from time.Time) error {
	q := EmploymentFilter{}.query(getEmploymentsNewest, getEmploymentsByPerson, "personULID", person.ID)
	latest, err := list(ctx, a.store, q, Page{Limit: 10}, decodeAs[Employment])
	if err != nil {
		return err
	}
	for i := range latest.Rows {
		if e := &latest.Rows[i]; e.StoreID == storeID && !e.To.IsZero() && !from.After(e.To) {
			return InvalidField("from", "%s's last day at this store was %s. Enter a later first day.", person.Name, longDay(e.To))
		}
	}
	return nil
}

// personToHire returns the person of a new employment. For a new person, it also
// returns the Person to add. It rejects employees whom the user may not see. Otherwise, a
// manager could see any employee after hiring them, because managers may see the employees
// of their own stores; see lookUpOwnStaff.
func (a Access) personToHire(ctx context.Context, n NewEmployment, token string) (person *Renter, added *Person, err error) {
	if n.New == nil {
		person, err = a.FindRenter(ctx, n.Person)
		if err == nil && person.hidden {
			err = InvalidField(fieldPerson, "%s is an employee of another warehouse or store. Ask an admin to record the employment.", person.Name)
		}
		return person, nil, err
	}
	if err := n.New.check().Err(); err != nil { // New.check also trims the fields
		return nil, nil, err
	}
	id, err := a.store.newID(token)
	if err != nil {
		return nil, nil, err
	}
	added = &Person{ID: id, Name: n.New.Name, Email: n.New.Email, Phones: filledLines([]string{n.New.Phone}), Version: 1}
	return &Renter{ID: id, Name: added.Name, Email: added.Email}, added, nil
}
