package store

import (
	"context"
	"fmt"
	"time"
)

// CheckOut is what somebody takes along from a store.
type CheckOut struct {
	StoreID  string
	Person   string // an ID, or the e-mail address of a customer
	KayakIDs []string
	Due      time.Time // the calendar day by which all are to be back, at midnight UTC
}

// CheckOut rents kayaks out, all or none: each stands in the history and among
// the rentals that are out, at the rate that it has today. A kayak that is not
// in is a conflict, which says where it is instead.
func (a Access) CheckOut(ctx context.Context, out CheckOut, once string) error {
	if err := a.runs(out.StoreID); err != nil {
		return err
	}
	ids, err := kayakIDs(out.KayakIDs)
	if err != nil {
		return err
	}
	if err := a.dueDay(ctx, out.Due); err != nil {
		return err
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, storeValues([]string{out.StoreID})[0])
	if err != nil {
		return err
	}
	person, err := a.FindRenter(ctx, out.Person)
	if err != nil {
		return err
	}
	return a.rent(ctx, ids, once, func() error {
		kayaks, err := a.kayaksAt(ctx, out.StoreID, ids)
		if err != nil {
			return err
		}
		for _, k := range kayaks {
			if k.Status != KayakIn {
				refused := fail(Conflict, "%s is %s: nothing was checked out.", k.label(), k.Status.words())
				refused.Field = fieldKayaks
				return a.store.okIfApplied(ctx, kayakPartition(ids[0]), once, refused)
			}
		}
		return a.hand(ctx, s, person, kayaks, out.Due, once)
	})
}

// label is how a kayak is called in a sentence.
func (k *Kayak) label() string {
	if k.Name == "" {
		return "Kayak " + k.ID
	}
	return fmt.Sprintf("%s (%s)", k.Name, k.ID)
}

// words are a state within a sentence.
func (s KayakStatus) words() string {
	switch s {
	case KayakIn:
		return "in"
	case KayakOut:
		return "out already"
	case KayakRepair:
		return "being repaired"
	case KayakRetired:
		return "retired"
	}
	return fmt.Sprintf("in the unknown state %q", string(s))
}

// hand writes a check-out.
func (a Access) hand(ctx context.Context, s *RentalStore, person *Renter, kayaks []*Kayak, due time.Time, once string) error {
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	counts := storeCounts{}
	now := a.store.now().UTC().Truncate(time.Second)
	for _, k := range kayaks {
		id, err := a.store.ids.New()
		if err != nil {
			return err
		}
		r := &Rental{
			ID: id, StoreID: s.ID, PersonID: person.ID, KayakID: k.ID, Out: now, Due: due, Rate: k.DailyRate,
			StoreName: s.Name, PersonName: person.Name, KayakName: k.Name, Version: 1,
		}
		c.recordEvent(Event{
			Partition: kayakPartition(k.ID), What: "checked out", Before: string(k.Status), After: string(KayakOut),
			Why: fmt.Sprintf("to %s until %s", person.ID, calendarDay(due)),
		})
		c.turn(k, KayakOut, counts)
		c.Create(r.active())
		c.Create(r)
	}
	c.count(counts)
	return c.Commit(ctx)
}

// active is a rental as it stands among those that are out.
func (r *Rental) active() *ActiveRental {
	return &ActiveRental{
		StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, RentalID: r.ID, Out: r.Out, Due: r.Due, Rate: r.Rate,
		StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName, Version: 1,
	}
}

// Extend lets kayaks that are out stay out until a later day.
func (a Access) Extend(ctx context.Context, storeID string, kayaks []string, due time.Time, once string) error {
	if err := a.runs(storeID); err != nil {
		return err
	}
	ids, err := kayakIDs(kayaks)
	if err != nil {
		return err
	}
	if err := a.dueDay(ctx, due); err != nil {
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
		for _, r := range rented {
			if !due.After(r.active.Due) {
				refused := fail(Conflict, "%s may stay out until %s already.", r.kayak.label(), calendarDay(r.active.Due))
				refused.Field = fieldDue
				return a.store.okIfApplied(ctx, kayakPartition(ids[0]), once, refused)
			}
			c.recordEvent(Event{Partition: kayakPartition(r.kayak.ID), What: "extended", Before: calendarDay(r.active.Due), After: calendarDay(due), Why: "for " + r.active.PersonID})
			seen := r.active.Version
			r.active.Due = due
			r.active.Version++
			c.Replace(r.active, seen)
			r.rental.Due = due
			c.keep(r.rental)
		}
		return c.Commit(ctx)
	})
}
