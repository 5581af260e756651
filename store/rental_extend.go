package store

import (
	"context"
	"slices"
	"time"
)

// Extension is a request to move the due day of rented kayaks of one store.
type Extension struct {
	StoreID string
	Kayaks  []string  // IDs
	Due     time.Time // the new due day, at midnight UTC
	Shown   []string  // the Identity of each rental that the form showed
}

// Extend moves the due day of the kayaks to a later day, for all of them or for none. It
// returns the rentals, or none if the form was already applied. It returns NotFound if the
// user does not manage the store. It moves bookings of the additional days to other kayaks.
// It returns Conflict if a booking cannot be moved, if a kayak is not out or is already due
// on that day or later, or if a kayak was rented again after the form was opened. It can
// also return Forbidden or Invalid.
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
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		plan, err := a.planExtension(ctx, storeID, rented, due)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, err)
		}
		extended = nil
		for _, r := range rented {
			if !due.After(r.active.Due) {
				notLater := fail(Conflict, "%s is already due back on %s. Choose a later day.", r.kayak.label(), longDay(r.active.Due))
				notLater.Field = fieldDue
				return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, notLater)
			}
			c.recordEvent(Event{
				Partition: kayakPartition(r.kayak.ID), What: EventKayakExtended, Before: longDay(r.active.Due), After: longDay(due),
				Why: "for " + r.rental.Renter(),
			})
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
// It returns Conflict if a booking cannot be moved.
func (a Access) planExtension(ctx context.Context, storeID string, rented []rentedKayak, due time.Time) (*bookingPlan, error) {
	plan, err := a.planBookings(ctx, storeID)
	if err != nil {
		return nil, err
	}
	plan.otherActions += rentalActions * len(rented)
	for _, r := range rented {
		plan.written[r.kayak.ID], plan.excluded[r.kayak.ID] = true, true
	}
	for _, r := range rented {
		from := later(r.active.Due.AddDate(0, 0, 1), plan.today)
		if err := plan.clear(ctx, r.kayak, from, lastBookable(plan.today, due), ""); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// SuggestExtension returns a new due day for the kayaks: the first day after today and
// after all their due days. If a booking of one of the kayaks prevents this,
// SuggestExtension returns today, if all kayaks are overdue and no booking prevents today
// either. Otherwise, it returns the zero time. It ignores kayaks that are not out. The
// result shown contains the Identity of each rental, for Extension.
func (a Access) SuggestExtension(ctx context.Context, storeID string, kayaks []string) (due time.Time, shown []string, err error) {
	if err := a.requireRentals(storeID); err != nil {
		return time.Time{}, nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return time.Time{}, nil, err
	}
	out, err := a.activeOf(ctx, storeID)
	if err != nil {
		return time.Time{}, nil, err
	}
	ids := knownKayakIDs(out, kayaks)
	out = slices.DeleteFunc(out, func(r ActiveRental) bool { return !slices.Contains(ids, r.KayakID) })
	tomorrow := today.AddDate(0, 0, 1)
	if len(out) == 0 {
		return tomorrow, nil, nil
	}
	for i := range out {
		shown = append(shown, out[i].Identity())
	}
	first, last := out[0].Due, out[0].Due
	for i := range out {
		first, last = earlier(first, out[i].Due), later(last, out[i].Due)
	}
	suggested := later(last.AddDate(0, 0, 1), tomorrow)
	days, err := a.store.bookingDays(ctx, storeID, later(first.AddDate(0, 0, 1), today), lastBookable(today, suggested))
	if err != nil {
		return time.Time{}, nil, err
	}
	for _, day := range []time.Time{suggested, today} {
		if day.After(last) && !slices.ContainsFunc(out, func(r ActiveRental) bool { return r.isBookedUntil(days, day) }) {
			return day, shown, nil
		}
	}
	return time.Time{}, shown, nil
}

// isBookedUntil reports whether the kayak is booked on any day after its due day, up to and
// including last.
func (r *ActiveRental) isBookedUntil(days []BookingDay, last time.Time) bool {
	return slices.ContainsFunc(days, func(d BookingDay) bool {
		return d.KayakID == r.KayakID && d.Day.After(r.Due) && !d.Day.After(last)
	})
}
