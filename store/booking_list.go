package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Booking returns a booking. It returns NotFound if the user does not manage the store.
func (a Access) Booking(ctx context.Context, id string) (*Booking, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	b, err := a.booking(ctx, id)
	if err != nil {
		return nil, err
	}
	return b, a.store.markCheckedIn(ctx, b)
}

// markCheckedIn sets CheckedIn of bookings. It makes one request per 100 bookings that are
// checked out.
func (s *Store) markCheckedIn(ctx context.Context, bookings ...*Booking) error {
	var ids []string
	for _, b := range bookings {
		if b.Status == BookingCheckedOut && b.RentalID != "" {
			ids = append(ids, b.RentalID)
		}
	}
	var lookups []table.Lookup
	rentals := lookUpRelated[Rental](&lookups, getRental, "rentalULID", ids)
	if len(lookups) == 0 {
		return nil
	}
	if err := s.table.LookUp(ctx, lookups, false); err != nil {
		return err
	}
	returned := map[string]bool{}
	for _, r := range rentals {
		if r != nil {
			returned[r.ID] = !r.Returned.IsZero()
		}
	}
	for _, b := range bookings {
		b.CheckedIn = returned[b.RentalID]
	}
	return nil
}

// BookingsOfKayak lists the open bookings of a kayak, earliest first. It returns NotFound
// if the method Kayak does.
func (a Access) BookingsOfKayak(ctx context.Context, kayakID string, page Page) (List[Booking], error) {
	if _, err := a.Kayak(ctx, kayakID); err != nil {
		return List[Booking]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getBookingsByKayak, Values: key.Map{"inventoryULID": kayakID}}, page, decodeAs[Booking])
}

// NextBooking returns the earliest open booking of a kayak that ends on the given day or
// later, or nil. It returns nil if the user does not manage the store of the booking.
func (a Access) NextBooking(ctx context.Context, kayakID string, day time.Time) (*Booking, error) {
	if err := a.require(RunRentals); err != nil {
		return nil, err
	}
	q := table.Query{Pattern: getBookingsByKayak, Values: key.Map{"inventoryULID": kayakID}}
	bookings, err := list(ctx, a.store, q, Page{}, decodeAs[Booking])
	i := slices.IndexFunc(bookings.Rows, func(b Booking) bool { return !b.To.Before(day) && a.user.InChargeOfStore(b.StoreID) })
	if err != nil || i < 0 {
		return nil, err
	}
	return &bookings.Rows[i], nil
}

// BookingsOfPerson lists all bookings of a person by first day, latest first. Managers
// see only bookings at their own stores. No index combines person and store, so
// BookingsOfPerson removes the bookings at other stores from each page that it reads.
func (a Access) BookingsOfPerson(ctx context.Context, personID string, page Page) (List[Booking], error) {
	if err := a.require(Browse); err != nil {
		return List[Booking]{}, err
	}
	found, err := listReadable(ctx, a, table.Query{Pattern: getBookingsByPerson, Values: key.Map{"personULID": personID}}, page, decodeAs[Booking])
	found.Rows = slices.DeleteFunc(found.Rows, func(b Booking) bool { return !a.user.InChargeOfStore(b.StoreID) })
	if err != nil {
		return found, err
	}
	rows := make([]*Booking, len(found.Rows))
	for i := range found.Rows {
		rows[i] = &found.Rows[i]
	}
	return found, a.store.markCheckedIn(ctx, rows...)
}

// EventsOfBooking lists the history of a booking, newest first.
func (a Access) EventsOfBooking(ctx context.Context, id string, page Page) (List[Event], error) {
	if _, err := a.Booking(ctx, id); err != nil {
		return List[Event]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": bookingPartition(id)}}, page, decodeAs[Event])
}

// BookingState is the state of a booking in the list of a store. A checked-out booking
// has the state BookingOut until its kayak is checked in, and then BookingEnded. It has the
// state BookingEnded at once if the active rental does not refer to it: because it already
// refers to maxRentalBookings, or because an earlier program version checked out the booking
// and stored only the first booking of a rental, or none.
type BookingState string

// States of bookings.
const (
	BookingUpcoming BookingState = "UPCOMING"
	BookingOut      BookingState = "OUT"
	BookingEnded    BookingState = "ENDED" // the kayak is checked in
	BookingDropped  BookingState = "CANCELLED"
	BookingMissed   BookingState = "NO_SHOW"
)

// BookingStates lists every BookingState.
var BookingStates = []BookingState{BookingUpcoming, BookingOut, BookingEnded, BookingDropped, BookingMissed}

func (s BookingState) status() BookingStatus {
	switch s {
	case BookingUpcoming:
		return BookingOpen
	case BookingOut, BookingEnded:
		return BookingCheckedOut
	}
	return BookingStatus(s)
}

// StoreBooking is a booking in the list of a store.
type StoreBooking struct {
	Booking
	State BookingState
}

// BookingFilter selects bookings of a store by state and first day.
type BookingFilter struct {
	StoreID string
	State   BookingState
	DateRange
}

// BookingsOfStore lists the bookings of a store in one state, by first day, earliest first.
// reverse inverts the order. The list of BookingOut is sorted by due day instead, and
// ignores the filter's days and reverse. The list of BookingEnded can have short pages: the
// index also contains the bookings of BookingOut, and BookingsOfStore omits these.
func (a Access) BookingsOfStore(ctx context.Context, f BookingFilter, reverse bool, page Page) (List[StoreBooking], error) {
	if err := a.requireStore(f.StoreID); err != nil {
		return List[StoreBooking]{}, err
	}
	if f.State == BookingOut {
		return a.bookingsOut(ctx, f.StoreID, page)
	}
	values := calendarRange(f.DateRange)
	values["storeULID"], values["status"] = f.StoreID, string(f.State.status())
	found, err := listReadable(ctx, a, table.Query{Pattern: getBookingsByStatus, Values: values, Reverse: reverse}, page, decodeBooking(f.State))
	if err != nil || f.State != BookingEnded {
		return found, err
	}
	out, err := a.activeOf(ctx, f.StoreID)
	found.Rows = slices.DeleteFunc(found.Rows, func(b StoreBooking) bool {
		return slices.ContainsFunc(out, func(r ActiveRental) bool { return slices.Contains(r.bookings(), b.ID) })
	})
	return found, err
}

func decodeBooking(state BookingState) func(Row, *StoreBooking) error {
	return func(row Row, b *StoreBooking) error {
		b.State = state
		return decodeAs(row, &b.Booking)
	}
}

// rentalBooking is a booking that an active rental has ended.
type rentalBooking struct {
	id      string
	sortKey string // the dueKey of the rental, and the position of the booking in the rental
}

// bookingsOut lists the bookings whose kayaks are out, by due day.
func (a Access) bookingsOut(ctx context.Context, storeID string, page Page) (List[StoreBooking], error) {
	out, err := a.activeOf(ctx, storeID)
	if err != nil {
		return List[StoreBooking]{}, err
	}
	var all []rentalBooking
	for i := range out {
		for n, id := range out[i].bookings() {
			all = append(all, rentalBooking{id: id, sortKey: fmt.Sprintf("%s#%03d", dueKey(out[i]), n)})
		}
	}
	sortKey := func(b rentalBooking) string { return b.sortKey }
	slices.SortFunc(all, func(a, b rentalBooking) int { return strings.Compare(a.sortKey, b.sortKey) })
	shown := pageOfSorted(all, page, sortKey)
	values := make([]key.Map, len(shown.Rows))
	for i := range shown.Rows {
		values[i] = key.Map{"bookingULID": shown.Rows[i].id}
	}
	items, err := a.store.table.GetExisting(ctx, getBooking, values, false)
	bookings, err := decodeAll(items, err, decodeBooking(BookingOut))
	return List[StoreBooking]{Rows: bookings, Prev: shown.Prev, Next: shown.Next}, err
}

// BookingsToPickUp lists the open bookings at a manager's own stores that begin on this day
// or earlier, sorted by store and first day. It lists none for other users, because no
// index lists the bookings of all stores.
func (a Access) BookingsToPickUp(ctx context.Context, day time.Time, page Page) (List[Booking], error) {
	if err := a.require(Browse); err != nil {
		return List[Booking]{}, err
	}
	own, limited := a.ownStores()
	if !limited || len(own) == 0 {
		return List[Booking]{}, nil
	}
	values := calendarRange(DateRange{To: day})
	values["status"] = string(BookingOpen)
	return listReadable(ctx, a, inStores(getBookingsByStatus, values, own), page, decodeAs[Booking])
}

func (a Access) activeOf(ctx context.Context, storeID string) ([]ActiveRental, error) {
	items, err := a.store.table.Partition(ctx, getActiveRentalsByStore, key.Map{"storeULID": storeID}, false)
	return decodeAll(items, err, decodeAs[ActiveRental])
}

func isOut(active []ActiveRental, rentalID string) bool {
	return rentalID != "" && slices.ContainsFunc(active, func(r ActiveRental) bool { return r.RentalID == rentalID })
}

// calendarRange returns the values of the placeholders ${from} and ${to} for a range of
// calendar days.
func calendarRange(r DateRange) key.Map {
	values := key.Map{"from": key.MinDate, "to": key.MaxDate}
	if !r.From.IsZero() {
		values["from"] = calendarDay(r.From)
	}
	if !r.To.IsZero() {
		values["to"] = calendarDay(r.To)
	}
	return values
}

// BookableKayak is a kayak of a store with its availability on some days.
type BookableKayak struct {
	Kayak
	Taken string    // why the kayak is not free on these days, as a phrase; "" if it is free
	Late  bool      // the kayak is free on these days, but still rented out, and due back today or earlier
	Next  time.Time // first day of the next booking of exactly this kayak within NextDays; zero if there is none
}

// NextDays is the number of days, counted from the first day, in which BookableKayaks looks
// for the next booking.
const NextDays = 14

// BookableKayaks returns the kayaks of a store, sorted by kind and name, with their
// availability from the first day to the last. It omits retired kayaks, and ignores the
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
		all[i].Late = all[i].Taken == "" && fleet.out[k.ID] != nil && !fleet.out[k.ID].Due.After(today)
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
