package store

import (
	"fmt"
)

// Two items say that a kayak is out, and two that a person works at a store. Each
// requires the other.

// state is what an active rental requires of its rental.
func (r *Rental) state() string {
	return digest(r.StoreID, r.PersonID, r.KayakID, fmt.Sprint(r.Returned.IsZero()))
}

// rentalReference requires the rental. An imported active rental may have none yet.
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

// activeReference requires the active rental of a rental that is not checked in.
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

// state is what a staff entry requires of its employment.
func (e *Employment) state() string {
	return digest(e.StoreID, e.PersonID, fmt.Sprint(e.To.IsZero()))
}

// employmentReference requires the employment. Imported staff may have none.
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

// staffReference requires the staff entry of an employment that has not ended.
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
