package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/table"
)

// Extension is a request to move the due day of rented kayaks of one store to a later or
// an earlier day.
type Extension struct {
	StoreID string
	Kayaks  []string  // IDs
	Due     time.Time // the new due day, at midnight UTC
	Shown   []string  // the Identity of each rental that the form showed
}

// Extend moves the due day of the kayaks to another day, today or later, for all of them or
// for none. It returns the rentals, or none if the form was already applied. It returns
// NotFound if the user does not manage the store.
//
// If the new day is later, it moves bookings of the additional days to other kayaks, and
// ends bookings of the renters themselves for these kayaks if they end on the new due day or
// before. If the new day is earlier, it opens bookings that the rental has ended and that
// begin after the new due day. The charge does not depend on the due day; see StartedDays.
//
// It returns Conflict if a booking cannot be moved, if a kayak is not out or is already due
// on that day, or if a kayak was rented again after the form was opened. It can also return
// Forbidden or Invalid.
func (a Access) Extend(ctx context.Context, e Extension, token string) ([]Rental, error) {
	storeID, due := e.StoreID, e.Due
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	var wrong InputErrors
	ids, err := parseKayakIDs(e.Kayaks)
	if err := wrong.Add(err); err != nil {
		return nil, err
	}
	if err := wrong.With(a.checkDueDay(ctx, due)); err != nil {
		return nil, err
	}
	var extended []Rental
	err = a.changeKayaks(ctx, ids, token, func() error {
		rented, err := a.readRented(ctx, storeID, ids, e.Shown)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, err)
		}
		for _, r := range rented {
			if due.Equal(r.active.Due) {
				same := fail(Conflict, "%s is already due back on %s. Choose another day.", r.kayak.label(), longDay(due))
				same.Field = fieldDue
				return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, same)
			}
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		plan, ended, reopened, err := a.planExtension(ctx, storeID, rented, due)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, err)
		}
		extended = nil
		for i, r := range rented {
			c.recordEvent(Event{
				Partition: kayakPartition(r.kayak.ID), What: EventKayakExtended, Before: longDay(r.active.Due), After: longDay(due),
				Why: "for " + r.rental.Renter(),
			})
			c.recordEnded(ended[i], r.rental, r.active)
			c.recordReopened(reopened[i], r.active, "the kayak is due back earlier")
			before := r.active.Version
			r.active.Due = due
			r.active.Version++
			c.Replace(r.active, before)
			r.rental.Due = due
			c.saveRental(r.rental)
			version := r.kayak.Version
			r.kayak.Version++ // a new version makes a concurrent booking of the same days fail; see bookingPlan
			c.Replace(r.kayak, version)
			extended = append(extended, *r.rental)
		}
		plan.recordDisplaced(c)
		plan.write(c)
		return plan.commit(ctx, c)
	})
	return extended, err
}

// planExtension frees the kayaks on the additional days, by moving bookings to other kayaks.
// It returns Conflict if a booking cannot be moved. It ends the renters' own bookings for the
// kayaks that end on the new due day or before, and opens those that the rentals no longer
// include; see reopen. It returns the plan, and the ended and reopened bookings for each
// kayak.
func (a Access) planExtension(ctx context.Context, storeID string, rented []rentedKayak, due time.Time) (plan *bookingPlan, ended, reopened [][]*Booking, err error) {
	if plan, err = a.planBookings(ctx, storeID); err != nil {
		return nil, nil, nil, err
	}
	last := lastBookable(plan.today, due)
	kayaks := make([]*Kayak, len(rented))
	for i, r := range rented {
		kayaks[i] = r.kayak
		plan.rents[r.kayak.ID] = true
	}
	const tooMany = "These kayaks have too many booked days for one change. Change some of them first, then the others."
	ended, err = plan.endOwn(ctx, kayaks, last, tooMany, func(i int, d *BookingDay) bool {
		return d.PersonID == rented[i].rental.PersonID && !d.To.After(last)
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if reopened, err = plan.reopenAfter(ctx, rented, due); err != nil {
		return nil, nil, nil, err
	}
	if plan.actions() > table.MaxActions {
		return nil, nil, nil, errTooManyDays(len(rented), "This kayak has too many booked days after the new due day. Choose a later day.", tooMany)
	}
	for _, r := range rented {
		from := later(r.active.Due.AddDate(0, 0, 1), plan.today)
		if err := plan.clearForRental(ctx, r.kayak, from, last, r.rental.PersonID); err != nil {
			if refused, _ := asConflict(err); refused != nil {
				refused.Field = fieldDue
			}
			return nil, nil, nil, err
		}
	}
	return plan, ended, reopened, nil
}

// ExtensionQuote contains the rentals of kayaks whose due day is to be moved.
type ExtensionQuote struct {
	Rentals []ActiveRental
	Due     time.Time // a new due day that is possible; zero if a booking prevents the days that QuoteExtension tries
}

// QuoteExtension finds the rentals of the kayaks, and suggests a new due day: the first day
// after today and after all their due days. If a booking of one of the kayaks prevents this,
// it suggests today, if all kayaks are overdue and no booking prevents today either. It
// returns NotFound if the user does not manage the store, and Conflict if a kayak is not out.
// It returns Invalid if there are no kayak IDs or too many, or if one is invalid.
func (a Access) QuoteExtension(ctx context.Context, storeID string, kayaks []string) (*ExtensionQuote, error) {
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	out, err := a.store.OutFrom(ctx, storeID)
	if err != nil {
		return nil, err
	}
	ids, err := parseKayakIDs(knownKayakIDs(out, kayaks))
	if err != nil {
		return nil, err
	}
	active, err := a.findActive(ctx, storeID, out, ids)
	if err != nil {
		return nil, err
	}
	quote := &ExtensionQuote{}
	first, last := active[0].Due, active[0].Due
	for _, r := range active {
		quote.Rentals = append(quote.Rentals, *r)
		first, last = earlier(first, r.Due), later(last, r.Due)
	}
	suggested := later(last, today).AddDate(0, 0, 1)
	days, err := a.store.bookingDays(ctx, storeID, later(first.AddDate(0, 0, 1), today), lastBookable(today, suggested))
	if err != nil {
		return nil, err
	}
	for _, day := range []time.Time{suggested, today} {
		if day.After(last) && !slices.ContainsFunc(active, func(r *ActiveRental) bool { return r.isBookedUntil(days, day) }) {
			quote.Due = day
			break
		}
	}
	return quote, nil
}

// isBookedUntil reports whether the kayak is booked on any day after its due day, up to and
// including the day last. It ignores bookings of the renter that end on the day last or before,
// because an extension ends them; see planExtension.
func (r *ActiveRental) isBookedUntil(days []BookingDay, last time.Time) bool {
	return slices.ContainsFunc(days, func(d BookingDay) bool {
		return d.KayakID == r.KayakID && d.Day.After(r.Due) && !d.Day.After(last) && (d.PersonID != r.PersonID || d.To.After(last))
	})
}
