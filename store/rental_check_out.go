package store

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// CheckOut is a request to rent out kayaks of one store.
type CheckOut struct {
	StoreID  string
	Person   string // a person ID, or the email address of a customer
	KayakIDs []string
	Due      time.Time // the day when all kayaks are due back, at midnight UTC
	Rate     *Amount   // the sum of the daily rates that the form showed; nil if it showed none

	Deposit       Amount // deposit for each kayak; zero for none
	DepositMethod PayMethod

	// BookingID is a booking that the check-out fulfills, or "". The check-out also fulfills
	// bookings that the person has for these kayaks; see planCheckOut.
	BookingID string
}

// CheckOut rents out all of the kayaks or none, at their current rates, and records the
// deposit as a payment. It returns the new rentals, or none if the form was already
// applied. It moves other bookings of the days until out.Due to other kayaks. It returns
// NotFound if the user does not manage the store. It returns Conflict if a kayak is not
// available, if a booking cannot be moved, or if the form showed other rates. It can also
// return Forbidden or Invalid.
func (a Access) CheckOut(ctx context.Context, out CheckOut, token string) ([]Rental, error) {
	if err := a.requireRentals(out.StoreID); err != nil {
		return nil, err
	}
	ids, err := parseKayakIDs(out.KayakIDs)
	if err != nil {
		return nil, err
	}
	if err := a.checkDueDay(ctx, out.Due); err != nil {
		return nil, err
	}
	if err := a.CheckDeposit(ctx, out); err != nil {
		return nil, err
	}
	if out.Deposit.Sign() == 0 {
		out.DepositMethod = ""
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, storeValues([]string{out.StoreID})[0])
	if err != nil {
		return nil, err
	}
	if err := s.requireOpen(); err != nil {
		return nil, err
	}
	person, err := a.FindRenter(ctx, out.Person)
	if err != nil {
		return nil, err
	}
	if err := person.requireOpen(); err != nil {
		return nil, err
	}
	out.Person = person.ID
	var rentals []Rental
	err = a.changeKayaks(ctx, ids, token, func() error {
		kayaks, err := a.readKayaks(ctx, out.StoreID, ids)
		if err != nil {
			return err
		}
		unavailable, err := a.unavailableKayaks(ctx, out.StoreID, kayaks)
		if err != nil {
			return err
		}
		if unavailable != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, unavailable)
		}
		if err := out.requireRate(kayaks); err != nil {
			return err
		}
		plan, ended, err := a.planCheckOut(ctx, &out, kayaks)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, err)
		}
		rentals, err = a.writeCheckOut(ctx, s, person, kayaks, &out, plan, ended, token)
		return err
	})
	return rentals, err
}

// requireRate returns Conflict if the sum of the daily rates differs from that in the form.
func (out *CheckOut) requireRate(kayaks []*Kayak) error {
	var sum Amount
	for _, k := range kayaks {
		sum = sum.Plus(k.DailyRate)
	}
	if out.Rate != nil && out.Rate.Compare(sum) != 0 {
		return fail(Conflict, "The daily rate has changed. Nothing was checked out. Continue to see the new rate.")
	}
	return nil
}

// writeCheckOut writes a check-out. The argument ended contains the bookings of each kayak
// that the plan ends.
func (a Access) writeCheckOut(ctx context.Context, s *RentalStore, person *Renter, kayaks []*Kayak, out *CheckOut, plan *bookingPlan, ended [][]*Booking, token string) ([]Rental, error) {
	c, err := a.change(ctx, token)
	if err != nil {
		return nil, err
	}
	counts, payments := storeCounts{}, rentalPayments{change: c}
	now := a.store.now().UTC().Truncate(time.Second)
	rentals := make([]Rental, len(kayaks))
	for i, k := range kayaks {
		id, err := a.store.ids.New()
		if err != nil {
			return nil, err
		}
		rentals[i] = Rental{
			ID: id, StoreID: s.ID, PersonID: person.ID, KayakID: k.ID, Out: now, Due: out.Due, Rate: k.DailyRate,
			Deposit: out.Deposit, DepositBy: out.DepositMethod,
			StoreName: s.Name, PersonName: person.Name, KayakName: k.Name, Version: 1,
		}
		c.recordEvent(Event{
			Partition: kayakPartition(k.ID), What: EventKayakCheckedOut, Before: string(k.Status), After: string(KayakOut),
			Why:    fmt.Sprintf("to %s until %s", person.Name, longDay(out.Due)) + depositNote(out.Deposit, out.DepositMethod),
			Values: eventValues(EventValue{Name: kayakStatus[0].Name, Before: string(k.Status), After: string(KayakOut)}),
		})
		c.setStatus(k, KayakOut, counts)
		active := rentals[i].active()
		c.recordEnded(ended[i], &rentals[i], active)
		c.Create(active)
		c.Create(&rentals[i])
		payments.add(&rentals[i], DepositTaken, out.DepositMethod, out.Deposit, "")
	}
	plan.recordDisplaced(c)
	plan.write(c)
	if err := payments.save(now); err != nil {
		return nil, err
	}
	c.addCounts(counts)
	return rentals, plan.commit(ctx, c)
}

// depositNote describes a deposit for the event of a check-out. Without a deposit,
// it returns "".
func depositNote(deposit Amount, method PayMethod) string {
	if deposit.Sign() == 0 {
		return ""
	}
	return fmt.Sprintf(", deposit %s %s", deposit, method.phrase())
}

// active returns the active rental that a check-out creates together with the rental.
func (r *Rental) active() *ActiveRental {
	return &ActiveRental{
		StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, RentalID: r.ID, Out: r.Out, Due: r.Due, Rate: r.Rate,
		Deposit: r.Deposit, DepositBy: r.DepositBy,
		StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName, Version: 1,
	}
}

// KayakLabel returns the name and ID of the kayak, for sentences.
func (r *Rental) KayakLabel() string { return kayakLabel(r.KayakName, r.KayakID) }

// Renter returns the name of the person, or the ID if the name is unknown.
func (r *Rental) Renter() string { return cmp.Or(r.PersonName, r.PersonID) }
