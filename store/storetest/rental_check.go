package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
)

// Entities returns all entities of a table.
func Entities(ctx context.Context, db store.DB, table string) ([]store.Entity, error) {
	var all []store.Entity
	in := &dynamodb.ScanInput{TableName: &table}
	for {
		out, err := db.Scan(ctx, in)
		if err != nil {
			return nil, err
		}
		for _, item := range out.Items {
			entity, err := store.Decode(item)
			if err != nil {
				return nil, err
			}
			all = append(all, entity)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return all, nil
		}
	}
}

// RentalFaults returns the contradictions between records of the kayak rental. A kayak
// must be at one store and have at most one active rental, and its rentals must not
// overlap. The active rentals must be the rentals that were not returned. The counts of a
// store must match its kayaks. Each store employee must have an employment that has not
// ended. An open booking must hold its kayak on each of its days, and no other booking
// may. A rented kayak must not be booked for days until the due day, but an overdue kayak
// may be.
func RentalFaults(entities []store.Entity) []string {
	c := rentalCheck{
		stores: map[string]*store.RentalStore{}, counted: map[string]*store.RentalStore{}, kayaks: map[string]*store.Kayak{},
		rentals: map[string]*store.Rental{}, history: map[string][]*store.Rental{}, active: map[string]*store.ActiveRental{}, times: map[string]*store.Employment{},
		bookings: map[string]*store.Booking{}, held: map[string]int{},
	}
	for _, entity := range entities {
		c.take(entity)
	}
	for _, entity := range entities {
		c.judge(entity)
	}
	for id, rentals := range c.history {
		c.sequence(id, rentals)
	}
	slices.Sort(c.faults)
	return c.faults
}

type rentalCheck struct {
	stores, counted map[string]*store.RentalStore
	kayaks          map[string]*store.Kayak
	active          map[string]*store.ActiveRental // active rentals by kayak ID
	rentals         map[string]*store.Rental
	history         map[string][]*store.Rental // rentals by kayak ID
	times           map[string]*store.Employment
	bookings        map[string]*store.Booking
	held            map[string]int // number of days that a booking holds, by booking ID
	faults          []string
}

func (c *rentalCheck) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// count returns the counts that a store must have.
func (c *rentalCheck) count(id string) *store.RentalStore {
	if c.counted[id] == nil {
		c.counted[id] = &store.RentalStore{}
	}
	return c.counted[id]
}

func (c *rentalCheck) take(entity store.Entity) {
	switch e := entity.(type) {
	case *store.RentalStore:
		c.stores[e.ID] = e
	case *store.Kayak:
		if c.kayaks[e.ID] != nil {
			c.fault("kayak %s is at %s and at %s", e.ID, c.kayaks[e.ID].StoreID, e.StoreID)
		}
		c.kayaks[e.ID] = e
		at := c.count(e.StoreID)
		switch e.Status {
		case store.KayakIn:
			at.In++
		case store.KayakOut:
			at.Out++
		case store.KayakRepair:
			at.Repair++
		}
	case *store.ActiveRental:
		if c.active[e.KayakID] != nil {
			c.fault("kayak %s is out twice, to %s and to %s", e.KayakID, c.active[e.KayakID].PersonID, e.PersonID)
		}
		c.active[e.KayakID] = e
	case *store.Rental:
		c.rentals[e.ID] = e
		c.history[e.KayakID] = append(c.history[e.KayakID], e)
	case *store.Employment:
		c.times[e.ID] = e
	case *store.Booking:
		c.bookings[e.ID] = e
	case *store.BookingDay:
		c.held[e.BookingID]++
	}
}

func (c *rentalCheck) judge(entity store.Entity) {
	switch e := entity.(type) {
	case *store.RentalStore:
		if is := c.count(e.ID); e.In != is.In || e.Out != is.Out || e.Repair != is.Repair {
			c.fault("store %s counts %d in, %d out, %d in repair; its kayaks are %d in, %d out, %d in repair", e.ID, e.In, e.Out, e.Repair, is.In, is.Out, is.Repair)
		}
	case *store.Kayak:
		if out := c.active[e.ID] != nil; out != (e.Status == store.KayakOut) {
			c.fault("kayak %s has status %s, but has an active rental: %v", e.ID, e.Status, out)
		}
		if c.stores[e.StoreID] == nil {
			c.fault("kayak %s is at store %s, which does not exist", e.ID, e.StoreID)
		}
	case *store.ActiveRental:
		r := c.rentals[e.RentalID]
		switch {
		case r == nil:
			c.fault("kayak %s has an active rental, but rental %s does not exist", e.KayakID, e.RentalID)
		case !r.Returned.IsZero() || r.KayakID != e.KayakID || r.PersonID != e.PersonID || r.StoreID != e.StoreID || !r.Out.Equal(e.Out) || !r.Due.Equal(e.Due):
			c.fault("kayak %s has the active rental %+v, but the rental %+v", e.KayakID, *e, *r)
		}
		if k := c.kayaks[e.KayakID]; k == nil || k.StoreID != e.StoreID {
			c.fault("kayak %s is out from store %s, but belongs to another store", e.KayakID, e.StoreID)
		}
	case *store.Rental:
		if a := c.active[e.KayakID]; e.Returned.IsZero() && (a == nil || a.RentalID != e.ID) {
			c.fault("rental %s is not checked in, but has no active rental", e.ID)
		}
		if !e.Returned.IsZero() && (e.Returned.Before(e.Out) || e.Charge.Compare(e.Rate) < 0) {
			c.fault("rental %s: checked out %s, checked in %s, charged %s; want check-in after check-out and at least one day at its rate", e.ID, e.Out, e.Returned, e.Charge)
		}
	case *store.Booking:
		want := 0
		if e.IsOpen() {
			want = e.Days()
		}
		if c.held[e.ID] != want {
			c.fault("booking %+v holds %d days, want %d", *e, c.held[e.ID], want)
		}
		if k := c.kayaks[e.KayakID]; k == nil || e.IsOpen() && k.StoreID != e.StoreID {
			c.fault("booking %s at store %s is for kayak %s, which is not there", e.ID, e.StoreID, e.KayakID)
		}
	case *store.BookingDay:
		b := c.bookings[e.BookingID]
		if b == nil || b.KayakID != e.KayakID || b.StoreID != e.StoreID || e.Day.Before(b.From) || e.Day.After(b.To) || b.Version != e.Version {
			c.fault("booking day %+v differs from its booking %+v", *e, b)
		}
		if a := c.active[e.KayakID]; a != nil && e.Day.After(a.Out) && !e.Day.After(a.Due) {
			c.fault("kayak %s is booked on %s, but rented out from %s to %s", e.KayakID, e.Day, a.Out, a.Due)
		}
	case *store.StoreEmployee:
		if t := c.times[e.EmploymentID]; t == nil || !t.To.Equal(e.To) || t.StoreID != e.StoreID || t.PersonID != e.PersonID {
			c.fault("person %s works at store %s, but the employment %s is %+v", e.PersonID, e.StoreID, e.EmploymentID, t)
		}
	}
}

// sequence checks that rentals of the same kayak do not overlap.
func (c *rentalCheck) sequence(id string, rentals []*store.Rental) {
	slices.SortFunc(rentals, func(a, b *store.Rental) int {
		return cmp.Or(a.Out.Compare(b.Out), strings.Compare(a.ID, b.ID)) // rentals of the same second have ascending IDs
	})
	var back time.Time
	for i, r := range rentals {
		if r.Out.Before(back) || i > 0 && rentals[i-1].Returned.IsZero() {
			c.fault("kayak %s was checked out at %s in rental %s, before it was checked in at %s", id, r.Out, r.ID, back)
		}
		back = r.Returned
	}
}
