package store

import (
	"fmt"
	"time"
)

// A kayak that is out has a Rental and an ActiveRental. A person who works at a store has
// an Employment and a StoreEmployee, called the staff entry. CheckBusiness requires that
// both items exist and match.

// state returns a digest of the values that a rental and its active rental have in common.
func (r *Rental) state() string {
	return digest(r.StoreID, r.PersonID, r.KayakID, fmt.Sprint(r.Returned.IsZero()))
}

// rentalReference returns the reference of an active rental to its rental. Imported
// active rentals may have no rental.
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
			return fmt.Sprintf("belongs to person %s, but the rental %s belongs to kayak %s, store %s and person %s", r.PersonID, rental.ID, rental.KayakID, rental.StoreID, rental.PersonID)
		}
		return ""
	}
	return all
}

// activeReference returns the reference of a rental to its active rental, or none if
// the rental is checked in.
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
				return fmt.Sprintf("is not checked in, but the active rental of its kayak belongs to the rental %s", Quoted(active.RentalID))
			}
			return ""
		},
	}}
}

// maxCheckedDays is the maximum number of days of a rental that CheckBusiness compares with
// bookings.
const maxCheckedDays = 366

// days returns, for each day of the rental until its due day, the statement that its kayak
// is used. It returns statements for at most maxCheckedDays days.
func (r *ActiveRental) days(zone *time.Location) []statement {
	var all []statement
	for day := dayIn(r.Out, zone); !day.After(r.Due) && len(all) < maxCheckedDays; day = day.AddDate(0, 0, 1) {
		all = append(all, usedOn(r.KayakID, day, "rental "+r.PersonID)...)
	}
	return all
}

// usedOn returns the statement that a kayak is used on a day. It returns nil if kayakID
// is "". The argument by identifies the booking or rental that uses it.
func usedOn(kayakID string, day time.Time, by string) []statement {
	if kayakID == "" {
		return nil
	}
	return []statement{{factGroup{factUsed, kayakID, calendarDay(day)}, by}}
}

// bookable returns a digest that shows whether the kayak can have open bookings. The
// reference of an open booking to its kayak requires this digest.
func (k *Kayak) bookable() string { return digest(fmt.Sprint(k.Status != KayakRetired)) }

// kayakReference returns the reference of a booking to its kayak. The kayak of an open
// booking must be in the store of the booking, and must not be retired. The kayak of an
// ended booking can be in any store, and can be retired.
func (b *Booking) kayakReference() []reference {
	if !b.IsOpen() || b.KayakID == "" {
		return toShared(CheckBooking, "kayak", factKayaks, b.KayakID)
	}
	k := &Kayak{ID: b.KayakID, StoreID: b.StoreID}
	return []reference{{
		rule: CheckBooking, to: entityGroup(k), label: fmt.Sprintf("kayak %s in store %s", b.KayakID, b.StoreID), want: k.bookable(),
		differs: func(other Entity) string {
			if k, ok := other.(*Kayak); ok && k.Status == KayakRetired {
				return fmt.Sprintf("is open, but the kayak %s is retired", k.ID)
			}
			return ""
		},
	}}
}

// state returns a digest of the values that an employment has in common with its
// staff entry.
func (e *Employment) state() string {
	return digest(e.StoreID, e.PersonID, calendarDay(e.To))
}

// employmentReference returns the reference of a staff entry to its employment.
// Imported staff entries may have no employment.
func (e *StoreEmployee) employmentReference() []reference {
	all := to(CheckEmployed, "employment", getEmployment, "employmentULID", e.EmploymentID)
	if len(all) == 0 {
		return nil
	}
	all[0].want = (&Employment{StoreID: e.StoreID, PersonID: e.PersonID, To: e.To}).state()
	all[0].differs = func(other Entity) string {
		employment, ok := other.(*Employment)
		switch {
		case !ok:
			return ""
		case e.To.IsZero() && !employment.To.IsZero():
			return fmt.Sprintf("is current, but the employment %s ended on %s", employment.ID, calendarDay(employment.To))
		case employment.StoreID != e.StoreID || employment.PersonID != e.PersonID:
			return fmt.Sprintf("has the employment %s, which belongs to person %s in store %s", employment.ID, employment.PersonID, employment.StoreID)
		case !employment.To.Equal(e.To):
			return fmt.Sprintf("ends on %s, but its employment %s has a different last day, or none", calendarDay(e.To), employment.ID)
		}
		return ""
	}
	return all
}

// staffReference returns the reference of an employment to its staff entry, or none
// if the employment has a last day, even in the future.
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

// entityGroup returns the subject of facts about the item of an entity.
func entityGroup(e Entity) factGroup {
	d, _ := schema.Definition(e.EntityType())
	pk, _ := d.Table.PK.Render(e)
	sk, _ := d.Table.SK.Render(e)
	return factGroup{factItems, pk, sk}
}
