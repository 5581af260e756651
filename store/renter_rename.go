package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxRenamedRentals is the maximum number of active rentals, and of unpaid rental charges,
// to which renameRenter copies a new name. An active rental takes two writes: its Rental
// also contains the name.
const maxRenamedRentals = 20

// renameRenter adds writes that copy the new name of a person to the person's active rentals
// and unpaid rental charges. Records with another name, paid charges and returned rentals
// keep their copy. If the transaction has no space left, for example because a long name has
// many search words, the remaining records keep their copy too.
func (s *Store) renameRenter(ctx context.Context, c *change, id, former, name string) error {
	if former == name {
		return nil
	}
	person := key.Map{"personULID": id}
	active, err := list(ctx, s, table.Query{Pattern: getActiveRentalsByPerson, Values: person}, Page{Limit: maxRenamedRentals}, decodeAs[ActiveRental])
	if err != nil {
		return err
	}
	payments, err := list(ctx, s, table.Query{Pattern: getPaymentsByRenter, Values: person}, Page{Limit: MaxLimit}, decodeAs[RentalPayment])
	if err != nil {
		return err
	}
	var lookups []table.Lookup // the indexes may not contain the newest versions
	actives, rentals := make([]*ActiveRental, len(active.Rows)), make([]*Rental, len(active.Rows))
	for i := range active.Rows {
		r := &active.Rows[i]
		lookups = append(lookups, lookUp(getActiveRental, key.Map{"storeULID": r.StoreID, "personULID": id, "inventoryULID": r.KayakID}, &actives[i]))
		if r.RentalID != "" { // imported active rentals may have no rental
			lookups = append(lookups, lookUp(getRental, key.Map{"rentalULID": r.RentalID}, &rentals[i]))
		}
	}
	charges := make([]*RentalPayment, 0, maxRenamedRentals)
	for i := range payments.Rows {
		if p := &payments.Rows[i]; p.IsUnpaid() && len(charges) < maxRenamedRentals {
			charges = append(charges, nil)
			lookups = append(lookups, lookUp(getRentalPayment, key.Map{"storeULID": p.StoreID, "day": calendarDay(p.Day), "paymentULID": p.ID}, &charges[len(charges)-1]))
		}
	}
	if err := s.table.LookUp(ctx, lookups, true); err != nil {
		return err
	}
	// hasSpace reports whether an active rental and its rental still fit into the transaction.
	// The record with the new name follows later, and needs one action too.
	hasSpace := func() bool { return c.Len()+3 < c.MaxLen() }
	for i, r := range actives {
		if !hasSpace() {
			break
		}
		if r != nil && r.PersonName == former {
			r.PersonName = name
			c.replaceNext(r, &r.Version)
		}
		if r := rentals[i]; r != nil && r.Returned.IsZero() && r.PersonName == former {
			r.PersonName = name
			c.replaceNext(r, &r.Version)
		}
	}
	for _, p := range charges {
		if p != nil && p.IsUnpaid() && p.PersonName == former && hasSpace() {
			p.PersonName = name
			c.replaceNext(p, &p.Version)
		}
	}
	return nil
}
