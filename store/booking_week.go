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

// WeekDays is the number of days of a StoreWeek.
const WeekDays = 7

// StoreWeek contains the rentals, bookings and repairs of a store's kayaks in one week.
type StoreWeek struct {
	Monday time.Time // at midnight UTC
	Today  time.Time
	Kinds  []WeekKind // sorted by name
}

// WeekKind contains the kayaks of one kind in a StoreWeek.
type WeekKind struct {
	Kind   string        // "" for kayaks without a kind
	Rate   Amount        // lowest daily rate
	Free   [WeekDays]int // free kayaks on each day; 0 for past days
	Kayaks []WeekKayak   // sorted by name
}

// WeekKayak is the week of one kayak.
type WeekKayak struct {
	Kayak
	Days [WeekDays]WeekDay
	Late bool // the kayak is overdue today, whichever week this is
}

// WeekDay says whether a kayak is rented out, booked or in repair on one day. If it is
// none of these, it is free. Ended is a booking of a past day that has ended: the kayak
// was checked in, the person did not come, or the booking was cancelled. Returned is a
// rental of a past day whose kayak was checked in.
type WeekDay struct {
	Day     time.Time
	Rental  *ActiveRental `json:",omitempty"`
	Booking *BookingDay   `json:",omitempty"`
	Ended   *Booking      `json:",omitempty"`
	Repair  bool

	Returned *Rental `json:",omitempty"`
}

// IsFree reports whether the kayak is free on the day. The day can be in the past.
func (d *WeekDay) IsFree() bool { return d.Rental == nil && d.Booking == nil && !d.Repair }

// StoreWeek returns the week of a store that contains a day, with one Query each for the
// kayaks, the active rentals and the bookings. If the week began before today, it also
// reads the rentals that have ended; see returnedInWeek.
func (a Access) StoreWeek(ctx context.Context, storeID string, day time.Time) (*StoreWeek, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	w := &StoreWeek{Monday: monday(day), Today: dayIn(a.store.now(), settings.Zone())}
	fleet, err := a.readFleetBookings(ctx, storeID, a.bookingsOfWeek(storeID, w.Monday, w.Today))
	if err != nil {
		return nil, err
	}
	if w.Monday.Before(w.Today) {
		if fleet.returned, err = a.returnedInWeek(ctx, storeID, w.Monday, settings.Zone()); err != nil {
			return nil, err
		}
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
	out    map[string]*ActiveRental // active rentals, by kayak ID
	held   map[kayakDay]*BookingDay
	ended  map[kayakDay]*Booking // see WeekDay.Ended

	returned map[kayakDay]*Rental // see WeekDay.Returned
}

// fleetBookings reads the kayaks of a store with their rentals, and with the open bookings
// on these days.
func (a Access) fleetBookings(ctx context.Context, storeID string, from, to time.Time) (*fleetBookings, error) {
	return a.readFleetBookings(ctx, storeID, func(ctx context.Context) ([]BookingDay, []Booking, error) {
		days, err := a.store.bookingDays(ctx, storeID, from, to)
		return days, nil, err
	})
}

// readBookings is a function that reads booking days, and bookings that have ended.
type readBookings func(context.Context) ([]BookingDay, []Booking, error)

// bookingsOfWeek returns a function that reads the bookings of a week with one Query. If
// the week began before today, the function also reads bookings that have ended. They have
// no booking days, so the Query then reads all bookings that can overlap the week instead
// of their days.
func (a Access) bookingsOfWeek(storeID string, first, today time.Time) readBookings {
	last := first.AddDate(0, 0, WeekDays-1)
	if !first.Before(today) {
		return func(ctx context.Context) ([]BookingDay, []Booking, error) {
			days, err := a.store.bookingDays(ctx, storeID, first, last)
			return days, nil, err
		}
	}
	return func(ctx context.Context) (days []BookingDay, ended []Booking, err error) {
		values := calendarRange(DateRange{From: first.AddDate(0, 0, 1-MaxBookingDays), To: last})
		values["storeULID"] = storeID
		items, err := a.store.table.Partition(ctx, getBookingsByStore, values, false)
		bookings, err := decodeAll(items, err, decodeAs[Booking])
		for i := range bookings {
			if b := &bookings[i]; !b.IsOpen() {
				ended = append(ended, *b)
			}
			for _, d := range bookings[i].days() {
				if !d.Day.Before(first) && !d.Day.After(last) {
					days = append(days, *d)
				}
			}
		}
		return days, ended, err
	}
}

func (a Access) readFleetBookings(ctx context.Context, storeID string, read readBookings) (*fleetBookings, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	f := &fleetBookings{out: map[string]*ActiveRental{}, held: map[kayakDay]*BookingDay{}, ended: map[kayakDay]*Booking{}}
	var out []ActiveRental
	var ended []Booking
	reads, readCtx := errgroup.WithContext(ctx)
	reads.Go(table.Recovering(func() (err error) {
		f.kayaks, err = a.Fleet(readCtx, storeID)
		return err
	}))
	reads.Go(table.Recovering(func() (err error) {
		out, err = a.activeOf(readCtx, storeID)
		for i := range out {
			f.out[out[i].KayakID] = &out[i]
		}
		return err
	}))
	reads.Go(table.Recovering(func() error {
		days, found, err := read(readCtx)
		for i := range days {
			f.held[keyOfDay(&days[i])] = &days[i]
		}
		ended = found
		return err
	}))
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	for i := range ended {
		if !isOut(out, ended[i].RentalID) {
			f.addEnded(&ended[i])
		}
	}
	return f, nil
}

// weekRentals is the maximum number of pages of rentals that returnedInWeek reads. A page
// has MaxLimit rentals.
const weekRentals = 5

// returnedInWeek returns the ended rentals of a week by kayak and day. If a kayak has
// several on one day, it returns the one that began last. It reads at most weekRentals
// pages, newest rental first. It stops earlier at rentals that began more than
// MaxBookingDays before the week.
func (a Access) returnedInWeek(ctx context.Context, storeID string, first time.Time, zone *time.Location) (map[kayakDay]*Rental, error) {
	found := map[kayakDay]*Rental{}
	since, end := first.AddDate(0, 0, -MaxBookingDays), first.AddDate(0, 0, WeekDays)
	year, month, day := end.Date()
	page := Page{Limit: MaxLimit, At: &Position{SK: key.Time(key.StartOfDay(year, month, day, zone)), ItemPK: table.KeyEnd, ItemSK: table.KeyEnd}}
	for range weekRentals {
		rentals, err := a.RentalsOfStore(ctx, storeID, page)
		if err != nil {
			return nil, err
		}
		for i := range rentals.Rows {
			r := &rentals.Rows[i]
			if r.Returned.IsZero() {
				continue
			}
			last := dayIn(r.Returned, zone)
			for day := later(dayIn(r.Out, zone), first); !day.After(last) && day.Before(end); day = day.AddDate(0, 0, 1) {
				if at := (kayakDay{r.KayakID, calendarDay(day)}); found[at] == nil {
					found[at] = r
				}
			}
		}
		page.At = rentals.Next
		if n := len(rentals.Rows); page.At == nil || n > 0 && dayIn(rentals.Rows[n-1].Out, zone).Before(since) {
			break
		}
	}
	return found, nil
}

// addEnded adds an ended booking to each of its days. If several ended bookings of a kayak
// include the same day, it keeps one that was checked out. If none was, it prefers a
// no-show to a cancelled one.
func (f *fleetBookings) addEnded(b *Booking) {
	rank := []BookingStatus{BookingCancelled, BookingNoShow, BookingCheckedOut}
	for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
		at := kayakDay{b.KayakID, calendarDay(day)}
		if other := f.ended[at]; other == nil || slices.Index(rank, other.Status) < slices.Index(rank, b.Status) {
			f.ended[at] = b
		}
	}
}

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
	if r := fleet.out[k.ID]; r != nil {
		row.Late = r.Due.Before(w.Today)
	}
	for n := range row.Days {
		d := &row.Days[n]
		d.Day = w.Monday.AddDate(0, 0, n)
		d.Booking = fleet.held[kayakDay{k.ID, calendarDay(d.Day)}]
		d.Repair = k.Status == KayakRepair && !d.Day.Before(w.Today)
		if d.Day.Before(w.Today) {
			d.Ended, d.Returned = fleet.ended[kayakDay{k.ID, calendarDay(d.Day)}], fleet.returned[kayakDay{k.ID, calendarDay(d.Day)}]
		}
		if r := fleet.out[k.ID]; r != nil && !d.Day.Before(dayIn(r.Out, zone)) && !d.Day.After(later(r.Due, w.Today)) {
			d.Rental = r
		}
		if d.IsFree() && !d.Day.Before(w.Today) {
			of.Free[n]++
		}
	}
	of.Kayaks = append(of.Kayaks, row)
}
