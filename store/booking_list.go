package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Booking returns a booking. It returns NotFound if the user does not manage the store.
func (a Access) Booking(ctx context.Context, id string) (*Booking, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.booking(ctx, id)
}

// BookingsOfKayak lists the open bookings of a kayak, earliest first.
func (a Access) BookingsOfKayak(ctx context.Context, kayakID string, page Page) (List[Booking], error) {
	if _, err := a.Kayak(ctx, kayakID); err != nil {
		return List[Booking]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getBookingsByKayak, Values: key.Map{"inventoryULID": kayakID}}, page, decodeAs[Booking])
}

// BookingsOfPerson lists all bookings of a person by first day, latest first. Managers
// see only bookings at their own stores. No index combines person and store, so it reads
// a page of all stores and then removes the bookings at other stores.
func (a Access) BookingsOfPerson(ctx context.Context, personID string, page Page) (List[Booking], error) {
	if err := a.require(Browse); err != nil {
		return List[Booking]{}, err
	}
	found, err := listReadable(ctx, a, table.Query{Pattern: getBookingsByPerson, Values: key.Map{"personULID": personID}}, page, decodeAs[Booking])
	found.Rows = slices.DeleteFunc(found.Rows, func(b Booking) bool { return !a.user.InChargeOfStore(b.StoreID) })
	return found, err
}

// EventsOfBooking lists the history of a booking, newest first.
func (a Access) EventsOfBooking(ctx context.Context, id string, page Page) (List[Event], error) {
	if _, err := a.Booking(ctx, id); err != nil {
		return List[Event]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": bookingPartition(id)}}, page, decodeAs[Event])
}

// WeekDays is the number of days of a StoreWeek.
const WeekDays = 7

// StoreWeek contains the rentals, bookings and repairs of a store's kayaks in one week.
type StoreWeek struct {
	Monday time.Time // at midnight UTC
	Today  time.Time
	Kinds  []WeekKind // by name
}

// WeekKind contains the kayaks of one kind in a StoreWeek.
type WeekKind struct {
	Kind   string // "" for kayaks without a kind
	Rate   Amount // lowest daily rate
	Free   [WeekDays]int
	Kayaks []WeekKayak // by name
}

// WeekKayak is the week of one kayak.
type WeekKayak struct {
	Kayak
	Days [WeekDays]WeekDay
}

// WeekDay says whether a kayak is rented out, booked or in repair on one day. If it is
// none of these, it is free.
type WeekDay struct {
	Day     time.Time
	Rental  *ActiveRental `json:",omitempty"`
	Booking *BookingDay   `json:",omitempty"`
	Repair  bool
}

// IsFree reports whether the kayak is free on the day. The day can be in the past.
func (d *WeekDay) IsFree() bool { return d.Rental == nil && d.Booking == nil && !d.Repair }

// StoreWeek returns the week of a store that contains a day, with one Query each for the
// kayaks, the rentals and the bookings.
func (a Access) StoreWeek(ctx context.Context, storeID string, day time.Time) (*StoreWeek, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	w := &StoreWeek{Monday: monday(day), Today: dayIn(a.store.now(), settings.Zone())}
	fleet, err := a.fleetBookings(ctx, storeID, w.Monday, w.Monday.AddDate(0, 0, WeekDays-1))
	if err != nil {
		return nil, err
	}
	for i := range fleet.kayaks {
		w.add(&fleet.kayaks[i], fleet, settings.Zone())
	}
	slices.SortFunc(w.Kinds, func(a, b WeekKind) int { return strings.Compare(a.Kind, b.Kind) })
	for i := range w.Kinds {
		slices.SortFunc(w.Kinds[i].Kayaks, func(a, b WeekKayak) int {
			return cmp.Or(strings.Compare(key.Fold(a.Name), key.Fold(b.Name)), strings.Compare(a.ID, b.ID))
		})
	}
	return w, nil
}

// fleetBookings contains the kayaks of a store with their rentals and bookings.
type fleetBookings struct {
	kayaks []Kayak
	out    map[string]*ActiveRental // by kayak ID
	held   map[kayakDay]*BookingDay
}

func (a Access) fleetBookings(ctx context.Context, storeID string, from, to time.Time) (*fleetBookings, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	f := &fleetBookings{out: map[string]*ActiveRental{}, held: map[kayakDay]*BookingDay{}}
	reads, readCtx := errgroup.WithContext(ctx)
	reads.Go(table.Recovering(func() (err error) {
		f.kayaks, err = a.Fleet(readCtx, storeID)
		return err
	}))
	reads.Go(table.Recovering(func() error {
		items, err := a.store.table.Partition(readCtx, getActiveRentalsByStore, key.Map{"storeULID": storeID}, false)
		out, err := decodeAll(items, err, decodeAs[ActiveRental])
		for i := range out {
			f.out[out[i].KayakID] = &out[i]
		}
		return err
	}))
	reads.Go(table.Recovering(func() error {
		days, err := a.store.bookingDays(readCtx, storeID, from, to)
		for i := range days {
			f.held[keyOfDay(&days[i])] = &days[i]
		}
		return err
	}))
	return f, reads.Wait()
}

// add adds a kayak to its kind.
func (w *StoreWeek) add(k *Kayak, fleet *fleetBookings, zone *time.Location) {
	at := slices.IndexFunc(w.Kinds, func(o WeekKind) bool { return o.Kind == k.Kind })
	if at < 0 {
		at = len(w.Kinds)
		w.Kinds = append(w.Kinds, WeekKind{Kind: k.Kind, Rate: k.DailyRate})
	}
	of, row := &w.Kinds[at], WeekKayak{Kayak: *k}
	if k.DailyRate.Compare(of.Rate) < 0 {
		of.Rate = k.DailyRate
	}
	for n := range row.Days {
		d := &row.Days[n]
		d.Day = w.Monday.AddDate(0, 0, n)
		d.Booking = fleet.held[kayakDay{k.ID, calendarDay(d.Day)}]
		d.Repair = k.Status == KayakRepair && !d.Day.Before(w.Today)
		if r := fleet.out[k.ID]; r != nil && !d.Day.Before(dayIn(r.Out, zone)) && !d.Day.After(later(r.Due, w.Today)) {
			d.Rental = r
		}
		if d.IsFree() && !d.Day.Before(w.Today) {
			of.Free[n]++
		}
	}
	of.Kayaks = append(of.Kayaks, row)
}

// BookableKayak is a kayak of a store with its availability on some days.
type BookableKayak struct {
	Kayak
	Taken string    // why the kayak is not free on these days, as a phrase; "" if it is free
	Next  time.Time // first day of the next booking within NextDays; zero if there is none
}

// NextDays is the number of days after the first day in which BookableKayaks looks for the
// next booking.
const NextDays = 14

// BookableKayaks returns the kayaks of a store that are not retired, by kind and name,
// with their availability from the first day (from) to the last day (to). It ignores the
// booking whose ID is except.
func (a Access) BookableKayaks(ctx context.Context, storeID string, from, to time.Time, except string) ([]BookableKayak, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	to = earlier(to, from.AddDate(0, 0, MaxBookingDays-1))
	end := later(to, from.AddDate(0, 0, NextDays-1))
	fleet, err := a.fleetBookings(ctx, storeID, from, end)
	if err != nil {
		return nil, err
	}
	plan := &bookingPlan{today: today, held: fleet.held, rented: fleet.out}
	all := make([]BookableKayak, len(fleet.kayaks))
	for i := range fleet.kayaks {
		k := &fleet.kayaks[i]
		all[i] = BookableKayak{Kayak: *k, Taken: plan.taken(k, from, to, except)}
		for _, d := range plan.clashes(k.ID, from, end, except) {
			if d.Kind == "" && d.Day.After(to) {
				all[i].Next = d.Day
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b BookableKayak) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(key.Fold(a.Name), key.Fold(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// taken says why a kayak is not free on these days, or returns "".
func (p *bookingPlan) taken(k *Kayak, from, to time.Time, except string) string {
	if r := p.rentedOn(k.ID, from); r != nil && r.Due.Before(p.today) {
		return "overdue"
	} else if r != nil {
		return "rented out until " + longDay(r.Due)
	}
	if found := p.clashes(k.ID, from, to, except); len(found) > 0 {
		return "booked " + daySpan(found[0].From, found[0].To)
	}
	if k.Status != KayakIn && k.Status != KayakOut {
		return k.Status.words()
	}
	return ""
}
