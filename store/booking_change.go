package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// BookingForChange makes a consistent read of a booking. It returns NotFound if there is
// no such booking or the user does not manage its store.
func (a Access) BookingForChange(ctx context.Context, id string) (*Booking, error) {
	if err := a.require(RunRentals); err != nil {
		return nil, err
	}
	return a.booking(ctx, id)
}

func (a Access) booking(ctx context.Context, id string) (*Booking, error) {
	b, err := readConsistently[*Booking](ctx, a.store, getBooking, key.Map{"bookingULID": id})
	if KindOf(err) == NotFound || err == nil && !a.user.InChargeOfStore(b.StoreID) {
		return nil, fail(NotFound, "Booking %s not found, or not at one of your stores.", id)
	}
	return b, err
}

// MoveBooking changes the days, the kayak and the note of an open booking. It returns
// Forbidden, NotFound, Invalid, or Conflict if the version is outdated, the booking is
// not open, or no kayak is free.
func (a Access) MoveBooking(ctx context.Context, id string, version int, r BookingRequest, token string) error {
	return a.changeBooking(ctx, id, version, token, func(c *change, plan *bookingPlan, b *Booking) error {
		if err := a.checkBooking(ctx, &r, b.From); err != nil {
			return err
		}
		after := *b
		after.From, after.To, after.Note, after.Kind = r.From, r.To, r.Note, r.Kind
		if r.KayakID != "" {
			after.Kind = ""
		}
		if err := plan.place(ctx, b, &after, r.KayakID); err != nil {
			return err
		}
		before, now := b.What()+" "+b.span(), after.What()+" "+after.span()
		if before == now && after.Note == b.Note {
			return InvalidField(FieldBookFrom, "Change the days, the kayak or the note.")
		}
		c.recordEvent(Event{Partition: bookingPartition(id), What: EventBookingMoved, Before: before, After: now})
		after.Version++
		plan.recordDisplaced(c)
		return nil
	})
}

// CancelBooking cancels an open booking. It returns Forbidden, NotFound, Invalid, or
// Conflict if the version is outdated or the booking is not open.
func (a Access) CancelBooking(ctx context.Context, id string, version int, why, token string) error {
	return a.endBooking(ctx, id, version, BookingCancelled, EventBookingCancelled, why, token)
}

// RecordNoShow ends an open booking whose person did not come. It returns Invalid before
// the first day or if the reason is invalid, and Conflict if the version is outdated or the
// booking is not open. It can also return Forbidden or NotFound.
func (a Access) RecordNoShow(ctx context.Context, id string, version int, why, token string) error {
	return a.endBooking(ctx, id, version, BookingNoShow, EventBookingNoShow, why, token)
}

func (a Access) endBooking(ctx context.Context, id string, version int, to BookingStatus, what EventCode, why, token string) error {
	return a.changeBooking(ctx, id, version, token, func(c *change, plan *bookingPlan, b *Booking) error {
		if to == BookingNoShow && plan.today.Before(b.From) {
			return InvalidField("", "The booking begins on %s. A no-show can be recorded from that day on.", longDay(b.From))
		}
		why, err := checkOptionalReason(why)
		if err != nil {
			return err
		}
		after := *b
		after.Status = to
		after.Version++
		c.recordEvent(Event{Partition: bookingPartition(id), What: what, Before: string(b.Status), After: string(to), Why: why, Audience: StoreScope + b.StoreID})
		plan.change(b, &after)
		return nil
	})
}

// changeBooking changes an open booking. It calls the function change to record the event
// and to plan the change. It retries if another item of the transaction has changed.
func (a Access) changeBooking(ctx context.Context, id string, version int, token string, change func(*change, *bookingPlan, *Booking) error) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	err := retryOnConflict(ctx, func() error {
		b, err := a.booking(ctx, id)
		switch {
		case err != nil:
			return err
		case !b.IsOpen():
			return fail(Conflict, "This booking is %s. Only an open booking can be changed.", b.Status.words())
		case b.Version != version:
			return errOutdated()
		}
		plan, err := a.planBookings(ctx, b.StoreID)
		if err != nil {
			return err
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		if err := change(c, plan, b); err != nil {
			return err
		}
		plan.write(c)
		return plan.commit(ctx, c)
	})
	if err != nil && KindOf(err) != NotFound {
		return a.store.okIfApplied(ctx, bookingPartition(id), token, err)
	}
	return err
}

// words returns the status as part of a sentence.
func (s BookingStatus) words() string {
	switch s {
	case BookingOpen:
		return "open"
	case BookingCheckedOut:
		return "checked out"
	case BookingCancelled:
		return "cancelled"
	case BookingNoShow:
		return "a no-show"
	}
	return string(s)
}

// requireNoBookings returns Conflict if open bookings hold a kayak. It reads an index,
// which contains bookings of any day, but may not contain the latest changes yet. It
// therefore makes consistent reads of the bookings that it finds. For new bookings, it also
// makes consistent reads of the days on which a new booking can be. A booking that is
// made later changes the version of the kayak, so the caller's write fails.
func (a Access) requireNoBookings(ctx context.Context, k *Kayak) error {
	items, err := a.store.table.Partition(ctx, getBookingsByKayak, key.Map{"inventoryULID": k.ID}, false)
	found, err := decodeAll(items, err, decodeAs[Booking])
	if err != nil {
		return err
	}
	ids := make([]key.Map, len(found))
	for i := range found {
		ids[i] = key.Map{"bookingULID": found[i].ID}
	}
	items, err = a.store.table.GetExisting(ctx, getBooking, ids, true)
	bookings, err := decodeAll(items, err, decodeAs[Booking])
	if err != nil {
		return err
	}
	for i := range bookings {
		if b := &bookings[i]; b.IsOpen() && b.KayakID == k.ID {
			return errHasBooking(b.Sentence())
		}
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	days, err := a.store.bookingDays(ctx, k.StoreID, today, today.AddDate(0, 0, MaxBookingAhead))
	if err != nil {
		return err
	}
	for i := range days {
		if days[i].KayakID == k.ID {
			return errHasBooking(days[i].Sentence())
		}
	}
	return nil
}

func errHasBooking(sentence string) error {
	return fail(Conflict, "%s Move or cancel the booking first.", sentence)
}

// planCheckOut frees the kayaks from today until the due day, by moving bookings to other
// kayaks. It returns Conflict if a booking cannot be moved, the kayaks have too many booked
// days for one transaction, or the booking that out names is not open. It returns Invalid
// or NotFound if this booking does not match the check-out.
//
// planCheckOut ends the bookings that the check-out fulfills: the one that out names, and
// those that the person has for these kayaks, if they include today or end on the due day or
// before. A later booking that ends after the due day holds the kayak for more days than the
// rental, so it stays open. The same applies to a booking whose days overlap those of the
// booking that out names, if both would be for one kayak. The booking that out names can be
// of another person, and may begin later. planCheckOut returns the plan, and for each kayak
// the bookings that it ends.
func (a Access) planCheckOut(ctx context.Context, out *CheckOut, kayaks []*Kayak) (plan *bookingPlan, ended [][]*Booking, err error) {
	if plan, err = a.planBookings(ctx, out.StoreID); err != nil {
		return nil, nil, err
	}
	last := lastBookable(plan.today, out.Due)
	ended = make([][]*Booking, len(kayaks))
	for _, k := range kayaks {
		plan.rents[k.ID] = true
	}
	var named *Booking
	at := -1 // the position of the kayak that fulfills the named booking
	if plan.named = out.BookingID; plan.named != "" {
		if named, at, err = a.bookingAtCheckOut(ctx, plan, out, kayaks, last); err != nil {
			return nil, nil, err
		}
		ended[at] = append(ended[at], plan.end(named, kayaks[at]))
	}
	const tooMany = "These kayaks have too many booked days to check out together. Check out some of the booked ones first, then the others."
	own, err := plan.endOwn(ctx, kayaks, last, tooMany, func(i int, d *BookingDay) bool {
		if i == at && !d.From.After(named.To) && !d.To.Before(named.From) {
			return false // the person has booked two kayaks for these days, and this kayak is only one of them
		}
		return d.PersonID == out.Person && (!d.From.After(plan.today) || !d.To.After(last))
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range kayaks {
		ended[i] = append(ended[i], own[i]...)
	}
	for i, k := range kayaks {
		renter := out.Person
		if i == at {
			renter = "" // the person has booked two kayaks for these days, so no due day ends the other booking
		}
		if err := plan.clearForRental(ctx, k, plan.today, last, renter); err != nil {
			return nil, nil, err
		}
	}
	return plan, ended, nil
}

// errTooManyDays returns the Conflict for n kayaks whose bookings need more actions than a
// transaction can have. The argument one is the message for one kayak, and several that for
// more than one.
func errTooManyDays(n int, one, several string) *Error {
	if n == 1 {
		several = one
	}
	return &Error{Kind: Conflict, Field: fieldKayaks, Message: several}
}

// tooLate is the message of errTooManyDays for one kayak if an earlier due day needs fewer
// actions.
const tooLate = "This kayak has too many booked days until the due day. Choose an earlier day."

// end marks a booking as checked out with the kayak k. It returns the booking after the
// change.
func (p *bookingPlan) end(b *Booking, k *Kayak) *Booking {
	after := *b
	after.Status = BookingCheckedOut
	after.KayakID, after.KayakName = k.ID, k.Name
	after.Version++
	p.change(b, &after)
	p.ended = append(p.ended, bookingChange{b, &after})
	return &after
}

// endOwn ends bookings that hold one of the kayaks between today and the day last. The
// function fulfills chooses them; its argument i is the position of the kayak. endOwn returns
// the bookings of each kayak after the change. It returns errTooManyDays with the message
// tooMany, before it reads any booking, if the transaction would have too many actions.
func (p *bookingPlan) endOwn(ctx context.Context, kayaks []*Kayak, last time.Time, tooMany string, fulfills func(i int, d *BookingDay) bool) ([][]*Booking, error) {
	last = later(p.today, last)
	if err := p.readDays(ctx, p.today, last); err != nil {
		return nil, err
	}
	var days []*BookingDay
	var at []int // the positions of the kayaks of days
	needed := p.actions()
	for i, k := range kayaks {
		for _, d := range p.clashes(k.ID, p.today, last, "") {
			if fulfills(i, d) {
				days, at = append(days, d), append(at, i)
				needed += endActions(d)
			}
		}
	}
	if needed > table.MaxActions {
		return nil, errTooManyDays(len(kayaks), tooLate, tooMany)
	}
	bookings, err := p.bookingsOf(ctx, days)
	if err != nil {
		return nil, err
	}
	own := make([][]*Booking, len(kayaks))
	for n, b := range bookings {
		own[at[n]] = append(own[at[n]], p.end(b, kayaks[at[n]]))
	}
	return own, nil
}

// reopenAfter opens the bookings that the rentals no longer include if the kayaks are due back,
// or come back, on this day; see reopen. It returns the bookings of each rental after the
// change.
func (p *bookingPlan) reopenAfter(ctx context.Context, rented []rentedKayak, due time.Time) ([][]*Booking, error) {
	endedBefore, err := p.store.endedBookings(ctx, rented, due)
	if err != nil {
		return nil, err
	}
	for i := range endedBefore {
		if err := p.readDays(ctx, p.today, later(p.today, endedBefore[i].To)); err != nil {
			return nil, err
		}
	}
	reopened := make([][]*Booking, len(rented))
	for i, r := range rented {
		reopened[i] = p.reopen(r.active, endedBefore, due)
	}
	return reopened, nil
}

// reopen opens the bookings of the renter that a rental has ended, and that begin after the
// day due, but not after the present due day: the renter has checked out the kayak early for
// a booking that begins later. It omits a booking if another one holds the kayak on one of its
// days. It returns the bookings after the change. The argument endedBefore contains bookings of
// this rental and of others. The days of these bookings must have been read.
func (p *bookingPlan) reopen(r *ActiveRental, endedBefore []Booking, due time.Time) []*Booking {
	var open []*Booking
	for i := range endedBefore {
		before := &endedBefore[i]
		if before.Status != BookingCheckedOut || before.RentalID != r.RentalID || before.PersonID != r.PersonID {
			continue
		}
		if !before.From.After(due) || before.From.After(r.Due) || len(p.clashes(r.KayakID, before.From, before.To, "")) > 0 {
			continue
		}
		after := *before
		after.Status, after.RentalID = BookingOpen, ""
		after.Version++
		p.change(before, &after)
		p.reopened = append(p.reopened, bookingChange{before, &after})
		open = append(open, &after)
	}
	return open
}

// endedBookings makes consistent reads of the bookings that the rentals have ended.
// It omits rentals that are due on this day or earlier.
func (s *Store) endedBookings(ctx context.Context, rented []rentedKayak, due time.Time) ([]Booking, error) {
	var ids []key.Map
	for _, r := range rented {
		if !due.Before(r.active.Due) {
			continue
		}
		for _, id := range r.active.bookings() {
			ids = append(ids, key.Map{"bookingULID": id})
		}
	}
	items, err := s.table.GetExisting(ctx, getBooking, ids, true)
	return decodeAll(items, err, decodeAs[Booking])
}

// recordReopened adds the events of bookings that are open again, and removes the bookings
// from the rental. The argument why is the reason in the events.
func (c *change) recordReopened(bookings []*Booking, active *ActiveRental, why string) {
	for _, b := range bookings {
		active.removeBooking(b.ID)
		c.recordEvent(Event{
			Partition: bookingPartition(b.ID), What: EventBookingReopened,
			Before: string(BookingCheckedOut), After: string(BookingOpen), Why: why,
		})
	}
}

// recordEnded adds the events of bookings that a rental ends, and links the bookings
// with the rental.
func (c *change) recordEnded(bookings []*Booking, r *Rental, active *ActiveRental) {
	for _, b := range bookings {
		active.addBooking(b.ID)
		b.RentalID = r.ID
		c.recordEvent(Event{
			Partition: bookingPartition(b.ID), What: EventBookingCheckedOut,
			Before: string(BookingOpen), After: string(BookingCheckedOut), Why: r.KayakLabel() + " to " + r.Renter(),
		})
	}
}

// lastBookable returns the last day of a rental on which there can be bookings.
func lastBookable(today, due time.Time) time.Time {
	return earlier(due, today.AddDate(0, 0, MaxBookingAhead))
}

// bookingAtCheckOut returns the booking that a check-out names, and the position of the
// kayak that fulfills it. If it can choose, it leaves other bookings of the person until the
// day last to the kayaks that they hold.
func (a Access) bookingAtCheckOut(ctx context.Context, plan *bookingPlan, out *CheckOut, kayaks []*Kayak, last time.Time) (b *Booking, at int, err error) {
	b, err = a.booking(ctx, out.BookingID)
	switch {
	case err != nil:
		return nil, 0, err
	case b.StoreID != out.StoreID:
		return nil, 0, InvalidField(fieldKayaks, "The booking is at another store, %s.", nameOrID(b.StoreName, b.StoreID))
	case !b.IsOpen():
		return nil, 0, fail(Conflict, "This booking is %s. Only an open booking can be checked out.", b.Status.words())
	}
	last = later(plan.today, last)
	if err := plan.readDays(ctx, plan.today, last); err != nil {
		return nil, 0, err
	}
	hasOther := func(k *Kayak) bool {
		return slices.ContainsFunc(plan.clashes(k.ID, plan.today, last, b.ID), func(d *BookingDay) bool { return d.PersonID == out.Person })
	}
	at = -1
	for i, k := range kayaks {
		if !b.accepts(k) {
			continue
		}
		if at < 0 || k.ID == b.KayakID || kayaks[at].ID != b.KayakID && hasOther(kayaks[at]) && !hasOther(k) {
			at = i
		}
	}
	if at < 0 {
		return nil, 0, InvalidField(fieldKayaks, "The booking is for %s. Choose a kayak that matches, or change the booking.", b.What())
	}
	return b, at, nil
}
