package store

import (
	"fmt"
)

// A kayak that is out has two items: the rental and the active rental. A person who
// works at a store also has two: the employment and the staff entry. Each item
// requires the other.

// state is the value that an active rental and its rental must have in common.
func (r *Rental) state() string {
	return digest(r.StoreID, r.PersonID, r.KayakID, fmt.Sprint(r.Returned.IsZero()))
}

// rentalReference returns the reference to the rental. An imported active rental
// may have none yet.
func (r *ActiveRental) rentalReference() []reference {
	all := to(CheckRentalActive, "rental", getRental, "rentalULID", r.RentalID)
	if len(all) == 0 {
		return nil
	}
	all[0].want = (&Rental{StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID}).state()
	all[0].differs = func(other Entity) string {
		rental, ok := other.(*Rental)
		switch {
		case !ok:
			return ""
		case !rental.Returned.IsZero():
			return fmt.Sprintf("is still active, but the rental %s is checked in", rental.ID)
		case rental.StoreID != r.StoreID || rental.PersonID != r.PersonID || rental.KayakID != r.KayakID:
			return fmt.Sprintf("is of person %s, but the rental %s is of kayak %s, store %s and person %s", r.PersonID, rental.ID, rental.KayakID, rental.StoreID, rental.PersonID)
		}
		return ""
	}
	return all
}

// activeReference returns the reference of a rental that is not checked in to its
// active rental.
func (r *Rental) activeReference() []reference {
	if !r.Returned.IsZero() {
		return nil
	}
	active := &ActiveRental{StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID}
	return []reference{{
		rule:  CheckRentalActive,
		to:    entityGroup(active),
		label: labelOf(active) + " by person " + r.PersonID,
		want:  digest(r.ID),
		differs: func(other Entity) string {
			if active, ok := other.(*ActiveRental); ok && active.RentalID != r.ID {
				return fmt.Sprintf("is not checked in, but the active rental of its kayak belongs to the rental %q", active.RentalID)
			}
			return ""
		},
	}}
}

// state is the value that a staff entry and its employment must have in common.
func (e *Employment) state() string {
	return digest(e.StoreID, e.PersonID, fmt.Sprint(e.To.IsZero()))
}

// employmentReference returns the reference to the employment. Imported staff may
// have none.
func (e *StoreEmployee) employmentReference() []reference {
	all := to(CheckEmployed, "employment", getEmployment, "employmentULID", e.EmploymentID)
	if len(all) == 0 {
		return nil
	}
	all[0].want = (&Employment{StoreID: e.StoreID, PersonID: e.PersonID}).state()
	all[0].differs = func(other Entity) string {
		employment, ok := other.(*Employment)
		switch {
		case !ok:
			return ""
		case !employment.To.IsZero():
			return fmt.Sprintf("is current, but the employment %s ended on %s", employment.ID, calendarDay(employment.To))
		case employment.StoreID != e.StoreID || employment.PersonID != e.PersonID:
			return fmt.Sprintf("has the employment %s, which is of person %s in store %s", employment.ID, employment.PersonID, employment.StoreID)
		}
		return ""
	}
	return all
}

// staffReference returns the reference of an employment that has not ended to its
// staff entry.
func (e *Employment) staffReference() []reference {
	if !e.To.IsZero() {
		return nil
	}
	staff := &StoreEmployee{StoreID: e.StoreID, PersonID: e.PersonID}
	return []reference{{
		rule:  CheckEmployed,
		to:    entityGroup(staff),
		label: labelOf(staff),
		want:  digest(e.ID),
		differs: func(other Entity) string {
			if staff, ok := other.(*StoreEmployee); ok && staff.EmploymentID != e.ID && staff.EmploymentID != "" {
				return fmt.Sprintf("has not ended, but the staff entry of the person has the employment %s", staff.EmploymentID)
			}
			return ""
		},
	}}
}

// entityGroup returns the group of the item with the key of an entity.
func entityGroup(e Entity) factGroup {
	d, _ := schema.Definition(e.EntityType())
	pk, _ := d.Table.PK.Render(e)
	sk, _ := d.Table.SK.Render(e)
	return factGroup{factItems, pk, sk}
}
