package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Returning is what a return comes to, before it is made.
type Returning struct {
	Lines   []ReturnLine
	Staying []ActiveRental // what the same people have out from the store besides
	Total   Amount
}

// ReturnLine is one kayak that comes back.
type ReturnLine struct {
	ActiveRental
	Days     int // started, the first and the last included
	LateDays int // of them, after the day on which it was due
	Charge   Amount
}

// rented is a kayak that is out, with both records of it.
type rented struct {
	kayak  *Kayak
	active *ActiveRental
	rental *Rental
}

// Returning says what it comes to if these kayaks come back to a store now.
func (a Access) Returning(ctx context.Context, storeID string, kayaks []string) (*Returning, error) {
	if err := a.inChargeOfStore(storeID); err != nil {
		return nil, err
	}
	ids, err := kayakIDs(kayaks)
	if err != nil {
		return nil, err
	}
	out, err := a.store.OutFrom(ctx, storeID)
	if err != nil {
		return nil, err
	}
	back, err := pickActive(out, ids)
	if err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	r := &Returning{}
	people := map[string]bool{}
	for _, active := range back {
		people[active.PersonID] = true
		r.add(active, a.store.now(), settings.Zone())
	}
	r.Staying = slices.DeleteFunc(out, func(o ActiveRental) bool {
		return !people[o.PersonID] || slices.Contains(ids, o.KayakID)
	})
	return r, nil
}

func (r *Returning) add(active *ActiveRental, now time.Time, zone *time.Location) {
	days := StartedDays(active.Out, now, zone)
	line := ReturnLine{ActiveRental: *active, Days: days, LateDays: LateDays(active.Due, now, zone), Charge: active.Rate.Times(days)}
	r.Lines = append(r.Lines, line)
	r.Total = r.Total.Plus(line.Charge)
}

// OutFrom reads all that is out from a store, for what may lead to a change.
func (s *Store) OutFrom(ctx context.Context, storeID string) ([]ActiveRental, error) {
	items, err := s.table.Partition(ctx, getActiveRentalsByStore, key.Map{"storeULID": storeID}, true)
	return decodeAll(items, err, decodeAs[ActiveRental])
}

// pickActive finds what is out of some kayaks, in the order of their IDs.
func pickActive(out []ActiveRental, ids []string) ([]*ActiveRental, error) {
	found := make([]*ActiveRental, len(ids))
	for i, id := range ids {
		at := slices.IndexFunc(out, func(r ActiveRental) bool { return r.KayakID == id })
		if at < 0 {
			refused := fail(Conflict, "Kayak %s is not out from this store.", id)
			refused.Field = fieldKayaks
			return nil, refused
		}
		found[i] = &out[at]
	}
	return found, nil
}

// rented reads kayaks that are out from a store, with both records of each. An
// imported rental may stand among those that are out and lack its history,
// which then begins with it.
func (a Access) rented(ctx context.Context, storeID string, ids []string) ([]rented, error) {
	out, err := a.store.OutFrom(ctx, storeID)
	if err != nil {
		return nil, err
	}
	active, err := pickActive(out, ids)
	if err != nil {
		return nil, err
	}
	kayaks, err := a.kayaksAt(ctx, storeID, ids)
	if err != nil {
		return nil, err
	}
	values := make([]key.Map, len(ids))
	for i := range active {
		if active[i].RentalID == "" {
			if active[i].RentalID, err = a.store.ids.New(); err != nil {
				return nil, err
			}
		}
		values[i] = key.Map{"rentalULID": active[i].RentalID}
	}
	items, err := a.store.table.GetMany(ctx, getRental, values, true)
	if err != nil {
		return nil, err
	}
	all := make([]rented, len(ids))
	for i, item := range items {
		all[i] = rented{kayak: kayaks[i], active: active[i], rental: active[i].history()}
		if item == nil {
			continue
		}
		if all[i].rental, err = table.DecodeAs[*Rental](schema, item, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// history is an active rental as it would stand in the history.
func (r *ActiveRental) history() *Rental {
	return &Rental{
		ID: r.RentalID, StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, Out: r.Out, Due: r.Due, Rate: r.Rate,
		StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName,
	}
}

// keep writes a rental into the history: over the version that was read, or
// for the first time.
func (c *change) keep(r *Rental) {
	seen := r.Version
	r.Version++
	if seen == 0 {
		c.Create(r)
	} else {
		c.Replace(r, seen)
	}
}

// Return takes kayaks back, all or none, and charges each started day at the
// rate that was agreed. The charge is the one that was shown: if the day has
// changed since, another one is due, and the return is a conflict.
func (a Access) Return(ctx context.Context, storeID string, kayaks []string, shown Amount, once string) error {
	if err := a.runs(storeID); err != nil {
		return err
	}
	ids, err := kayakIDs(kayaks)
	if err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	return a.rent(ctx, ids, once, func() error {
		rented, err := a.rented(ctx, storeID, ids)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), once, err)
		}
		c, err := a.change(ctx, once)
		if err != nil {
			return err
		}
		counts, back := storeCounts{}, Returning{}
		now := a.store.now().UTC().Truncate(time.Second)
		for i, r := range rented {
			back.add(r.active, now, settings.Zone())
			line := back.Lines[i]
			c.recordEvent(Event{
				Partition: kayakPartition(r.kayak.ID), What: "returned", Before: string(r.kayak.Status), After: string(KayakIn),
				Why: fmt.Sprintf("by %s after %d started days, %d late, for %s", line.PersonID, line.Days, line.LateDays, line.Charge),
			})
			c.turn(r.kayak, KayakIn, counts)
			c.DeleteVersion(r.active, r.active.Version)
			r.rental.Returned, r.rental.Charge = now, line.Charge
			if now.Before(r.rental.Out) {
				r.rental.Returned = r.rental.Out // the clocks of two servers may differ by moments
			}
			c.keep(r.rental)
		}
		if back.Total.Compare(shown) != 0 {
			return fail(Conflict, "The charge has changed since it was shown, because another day has begun. Nothing was returned yet; look at it again.")
		}
		c.count(counts)
		return c.Commit(ctx)
	})
}
