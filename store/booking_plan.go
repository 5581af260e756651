package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// bookingPlan collects changes to the bookings of one store, to be written in one
// transaction. It tracks which booking holds which kayak on each day.
//
// Every booking, check-out, extension or check-in also writes the kayak, on the condition that
// its version has not changed. The kayak is read before its days and rentals. Two changes
// that take the same days of a kayak therefore cannot both succeed.
type bookingPlan struct {
	store   *Store
	storeID string
	today   time.Time

	kayaks map[string]*Kayak        // the fleet of the store, by ID; nil until readFleet is called
	rented map[string]*ActiveRental // active rentals, by kayak ID; nil until readFleet is called
	held   map[kayakDay]*BookingDay // bookings by kayak and day, with the planned changes
	from   time.Time                // first day that was read; zero if no day was read
	to     time.Time                // last day that was read

	changed   []bookingChange
	displaced []bookingChange  // those of changed that move a booking to another kayak to make room
	ended     []bookingChange  // those of changed that end a booking because its kayak is rented out
	reopened  []bookingChange  // those of changed that open a booking again because its kayak comes back earlier
	placing   *bookingChange   // the change for which choose looks for a kayak; nil otherwise
	report    *ChangedBookings // see Access.Affected
	named     string           // ID of the booking that a check-out names; "" for none
	rents     map[string]bool  // kayaks of a check-out, an extension or a check-in: the caller writes them, and the plan moves no booking to them
	touched   []*Kayak         // kayaks that the plan writes, because bookings take their days
}

// ChangedBookings contains the bookings that a change has affected, except those that the
// user has named.
type ChangedBookings struct {
	Moved []Booking // moved to other kayaks, to make room
	Ended []Booking // checked out, because a rental of the same person now includes their days

	Reopened []Booking // open again, because a rental now ends before their days
}

// changeActions is the number of actions for the event of the change, and for the counts
// and totals of the store.
const changeActions = 5

type kayakDay struct {
	kayakID string
	day     string // see calendarDay
}

// bookingChange is a booking before and after a change. before is nil for a new booking.
type bookingChange struct{ before, after *Booking }

func (a Access) planBookings(ctx context.Context, storeID string) (*bookingPlan, error) {
	today, err := a.store.Today(ctx)
	return &bookingPlan{
		store: a.store, storeID: storeID, today: today, report: a.Affected,
		held: map[kayakDay]*BookingDay{}, rents: map[string]bool{},
	}, err
}

// readFleet makes consistent reads of all kayaks and active rentals of the store. It
// discards booking days that were read earlier, because they must be read after the kayaks.
func (p *bookingPlan) readFleet(ctx context.Context) error {
	if p.kayaks != nil {
		return nil
	}
	items, err := p.store.table.Partition(ctx, getStoreInventory, key.Map{"storeULID": p.storeID}, true)
	kayaks, err := decodeAll(items, err, decodeAs[Kayak])
	if err != nil {
		return err
	}
	out, err := p.store.OutFrom(ctx, p.storeID)
	if err != nil {
		return err
	}
	p.kayaks, p.rented = map[string]*Kayak{}, map[string]*ActiveRental{}
	p.held, p.from = map[kayakDay]*BookingDay{}, time.Time{}
	for i := range kayaks {
		p.kayaks[kayaks[i].ID] = &kayaks[i]
	}
	for i := range out {
		p.rented[out[i].KayakID] = &out[i]
	}
	return nil
}

// readDays makes consistent reads of the bookings in the weeks of these days, and applies the
// planned changes to them. It reads each week only once.
func (p *bookingPlan) readDays(ctx context.Context, from, to time.Time) error {
	from, to = monday(from), monday(to).AddDate(0, 0, 6)
	if p.from.IsZero() {
		p.from, p.to = from, from.AddDate(0, 0, -1)
	}
	for _, more := range []DateRange{{From: from, To: p.from.AddDate(0, 0, -1)}, {From: p.to.AddDate(0, 0, 1), To: to}} {
		if more.To.Before(more.From) {
			continue
		}
		days, err := p.store.bookingDays(ctx, p.storeID, more.From, more.To)
		if err != nil {
			return err
		}
		p.from, p.to = earlier(p.from, more.From), later(p.to, more.To)
		for i := range days {
			p.held[keyOfDay(&days[i])] = &days[i]
		}
	}
	for _, c := range p.changed {
		p.apply(c)
	}
	return nil
}

func keyOfDay(d *BookingDay) kayakDay { return kayakDay{d.KayakID, calendarDay(d.Day)} }

// bookingDays makes consistent reads of the bookings of a store on these days, with one
// Query for each week. If to is before from, there are none.
func (s *Store) bookingDays(ctx context.Context, storeID string, from, to time.Time) ([]BookingDay, error) {
	if to.Before(from) {
		return nil, nil
	}
	var mu sync.Mutex
	var all []BookingDay
	reads, ctx := errgroup.WithContext(ctx)
	for week := monday(from); !week.After(to); week = week.AddDate(0, 0, 7) {
		values := key.Map{
			"storeULID": storeID, "week": calendarDay(week),
			"from": calendarDay(later(from, week)), "to": calendarDay(earlier(to, week.AddDate(0, 0, 6))),
		}
		reads.Go(table.Recovering(func() error {
			items, err := s.table.Partition(ctx, getBookingDays, values, true)
			days, err := decodeAll(items, err, decodeAs[BookingDay])
			mu.Lock()
			defer mu.Unlock()
			all = append(all, days...)
			return err
		}))
	}
	err := reads.Wait()
	return all, err
}

func (p *bookingPlan) apply(c bookingChange) {
	for _, d := range c.before.days() {
		if held := p.held[keyOfDay(d)]; held != nil && held.BookingID == d.BookingID {
			delete(p.held, keyOfDay(d))
		}
	}
	for _, d := range c.after.days() {
		p.held[keyOfDay(d)] = d
	}
}

func (p *bookingPlan) change(before, after *Booking) {
	c := bookingChange{before, after}
	p.changed = append(p.changed, c)
	p.apply(c)
}

// clashes returns the bookings that hold the kayak on these days, earliest first, with
// one BookingDay for each booking. It omits the booking whose ID is except.
func (p *bookingPlan) clashes(kayakID string, from, to time.Time, except string) []*BookingDay {
	var found []*BookingDay
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		d := p.held[kayakDay{kayakID, calendarDay(day)}]
		if d != nil && d.BookingID != except && !slices.ContainsFunc(found, func(o *BookingDay) bool { return o.BookingID == d.BookingID }) {
			found = append(found, d)
		}
	}
	return found
}

// bookedBy returns the bookings that a person has from today to the day last, earliest first,
// with one BookingDay for each booking. The days must have been read.
func (p *bookingPlan) bookedBy(personID string, last time.Time) []BookingDay {
	var found []BookingDay
	for _, d := range p.held {
		if d.PersonID == personID && d.Day.Equal(later(d.From, p.today)) && !d.Day.After(last) {
			found = append(found, *d)
		}
	}
	slices.SortFunc(found, func(a, b BookingDay) int {
		return cmp.Or(a.From.Compare(b.From), strings.Compare(a.BookingID, b.BookingID))
	})
	return found
}

// rentedOn returns the active rental that uses the kayak on the given day or later, or nil
// if the kayak is due back before that day. An overdue kayak counts as due back today.
func (p *bookingPlan) rentedOn(kayakID string, from time.Time) *ActiveRental {
	r := p.rented[kayakID]
	if r == nil || later(r.Due, p.today).Before(from) {
		return nil
	}
	return r
}

// isFree reports whether a kayak can be booked for these days. It ignores the booking
// whose ID is except.
func (p *bookingPlan) isFree(k *Kayak, from, to time.Time, except string) bool {
	return (k.Status == KayakIn || k.Status == KayakOut) && !p.rents[k.ID] && p.rentedOn(k.ID, from) == nil && len(p.clashes(k.ID, from, to, except)) == 0
}

// ofKind returns the kayaks of a kind by ID, those that are in the store first, because
// others can come back late.
func (p *bookingPlan) ofKind(kind string) []*Kayak {
	var in, others []*Kayak
	for _, id := range slices.Sorted(maps.Keys(p.kayaks)) {
		switch k := p.kayaks[id]; {
		case k.Kind != kind:
		case k.Status == KayakIn:
			in = append(in, k)
		default:
			others = append(others, k)
		}
	}
	return append(in, others...)
}

// maxDisplaced is the maximum number of bookings that a change moves to other kayaks to
// free one kayak. A check-out can free several kayaks.
const maxDisplaced = 2

// clear frees the days of a kayak for a booking or a rental. owner is the ID of the
// booking, or "". It moves up to maxDisplaced other bookings to kayaks that are free on all
// days of these bookings. Only bookings for any kayak of a kind can be moved. If clear
// cannot move all other bookings, or the transaction would have too many actions, it moves
// none and returns a Conflict that names them.
func (p *bookingPlan) clear(ctx context.Context, k *Kayak, from, to time.Time, owner string) error {
	if to.Before(from) {
		return nil
	}
	if err := p.readDays(ctx, from, to); err != nil {
		return err
	}
	found := p.clashes(k.ID, from, to, owner)
	if len(found) == 0 {
		return nil
	}
	if len(found) > maxDisplaced || slices.ContainsFunc(found, func(d *BookingDay) bool { return d.Kind == "" }) {
		return errBooked(found)
	}
	if err := p.readFleet(ctx); err != nil {
		return err
	}
	first, last := from, to
	for _, d := range found {
		first, last = earlier(first, d.From), later(last, d.To)
	}
	if err := p.readDays(ctx, first, last); err != nil {
		return err
	}
	if found = p.clashes(k.ID, from, to, owner); len(found) > maxDisplaced {
		return errBooked(found)
	}
	var targets []*Kayak
	for _, d := range found {
		i := slices.IndexFunc(p.ofKind(d.Kind), func(other *Kayak) bool {
			return other.ID != k.ID && !slices.Contains(targets, other) && !d.From.Before(p.from) && !d.To.After(p.to) && p.isFree(other, d.From, d.To, "")
		})
		if i < 0 || d.Kind == "" {
			return errBooked(found)
		}
		targets = append(targets, p.ofKind(d.Kind)[i])
	}
	needed := p.actions()
	for _, d := range found {
		needed += displaceActions(d)
	}
	if needed > table.MaxActions {
		return errBooked(found)
	}
	bookings, err := p.bookingsOf(ctx, found)
	if err != nil {
		return err
	}
	for i, b := range bookings {
		p.displace(b, targets[i])
	}
	return nil
}

// clearForRental is like clear, for a rental of the kayak until the day to. The message of its
// Conflict also says which due days are possible. renter is the ID of the person who rents the
// kayak, whose own booking a later due day would end. It is "" if no due day ends a booking.
func (p *bookingPlan) clearForRental(ctx context.Context, k *Kayak, from, to time.Time, renter string) error {
	err := p.clear(ctx, k, from, to, "")
	if refused, _ := asConflict(err); refused != nil && refused.Field != "" { // the error of errBooked
		refused.Message += otherDueDays(p.clashes(k.ID, from, to, ""), from, renter)
	}
	return err
}

// otherDueDays returns a sentence with the due days, from the day from on, that are possible
// for a rental although a kayak has these bookings. It returns "" if there are none.
func otherDueDays(booked []*BookingDay, from time.Time, renter string) string {
	before := booked[0].From.AddDate(0, 0, -1)
	isPossible, isOwn := !before.Before(from), len(booked) == 1 && booked[0].PersonID == renter
	choice := ""
	switch {
	case isPossible && isOwn:
		choice = longDay(before) + " (the day before this booking) or " + longDay(booked[0].To) + " (its last day)"
	case isOwn:
		choice = longDay(booked[0].To) + " (its last day)"
	case isPossible:
		choice = longDay(before) + " or earlier"
	default:
		return ""
	}
	return " Choose " + choice + " as the due date."
}

// bookingsOf makes consistent reads of the bookings of these days. It returns Conflict if a
// booking has changed since its day was read.
func (p *bookingPlan) bookingsOf(ctx context.Context, days []*BookingDay) ([]*Booking, error) {
	ids := make([]key.Map, len(days))
	for i, d := range days {
		ids[i] = key.Map{"bookingULID": d.BookingID}
	}
	items, err := p.store.table.GetExisting(ctx, getBooking, ids, true)
	read, err := decodeAll(items, err, decodeAs[Booking])
	if err != nil {
		return nil, err
	}
	bookings := make([]*Booking, len(days))
	for i, d := range days {
		at := slices.IndexFunc(read, func(b Booking) bool { return b.ID == d.BookingID })
		if at < 0 || !read[at].IsOpen() || read[at].KayakID != d.KayakID || !read[at].From.Equal(d.From) || !read[at].To.Equal(d.To) {
			return nil, fail(Conflict, "A booking of this kayak has just changed. Try again.")
		}
		bookings[i] = &read[at]
	}
	return bookings, nil
}

// displace moves a booking to another kayak.
func (p *bookingPlan) displace(before *Booking, to *Kayak) {
	after := *before
	after.KayakID, after.KayakName = to.ID, to.Name
	after.Version++
	p.change(before, &after)
	p.displaced = append(p.displaced, bookingChange{before, &after})
	p.touch(to)
}

// touch adds a kayak to the writes of the plan, unless the caller writes the kayak.
func (p *bookingPlan) touch(k *Kayak) {
	if !p.rents[k.ID] && !slices.ContainsFunc(p.touched, func(other *Kayak) bool { return other.ID == k.ID }) {
		p.touched = append(p.touched, k)
	}
}

// errBooked returns a Conflict that names the bookings.
func errBooked(by []*BookingDay) *Error {
	sentences := make([]string, len(by))
	for i, d := range by {
		sentences[i] = d.Sentence()
	}
	return &Error{Kind: Conflict, Message: strings.Join(sentences, " "), Field: fieldKayaks}
}

// write adds the writes of the plan to the change: bookings, their days, and kayaks that
// the caller does not write.
func (p *bookingPlan) write(c *change) {
	for _, b := range p.changed {
		if b.before == nil {
			c.Create(b.after)
		} else {
			c.Replace(b.after, b.before.Version)
		}
	}
	days := p.changedDays()
	for _, at := range slices.SortedFunc(maps.Keys(days), func(a, b kayakDay) int { return strings.Compare(a.kayakID+a.day, b.kayakID+b.day) }) {
		switch d := days[at]; {
		case d.owner == nil:
			c.Create(d.now)
		case d.now == nil:
			c.DeleteWith(d.owner, belongsTo(d.owner.BookingID))
		default:
			c.Put(d.now, belongsTo(d.owner.BookingID))
		}
	}
	for _, k := range p.touched {
		next := *k
		next.Version++
		c.Replace(&next, k.Version)
	}
}

// dayChange contains the bookings that hold a kayak on one day: before a change (owner)
// and after it (now). Either can be nil.
type dayChange struct{ owner, now *BookingDay }

func (p *bookingPlan) changedDays() map[kayakDay]dayChange {
	days := map[kayakDay]dayChange{}
	for _, b := range p.changed {
		for _, d := range b.before.days() {
			days[keyOfDay(d)] = dayChange{owner: d, now: days[keyOfDay(d)].now}
		}
		for _, d := range b.after.days() {
			days[keyOfDay(d)] = dayChange{owner: days[keyOfDay(d)].owner, now: d}
		}
	}
	return days
}

// actions returns the number of actions that the transaction needs so far: those of the
// caller, those of the method write, and the events of bookings.
func (p *bookingPlan) actions() int {
	n := changeActions + rentalActions*len(p.rents) + len(p.ended) + len(p.reopened) + len(p.displaced)
	if b := p.placing; b != nil {
		n += 2 + len(b.before.days()) + b.after.Days() // the booking, its kayak and its days
	}
	return n + len(p.changed) + len(p.changedDays()) + len(p.touched)
}

// endActions returns the number of actions that end the booking of d: one for each day,
// and one each for booking and event.
func endActions(d *BookingDay) int { return daysBetween(d.From, d.To) + 3 }

// displaceActions returns the number of actions that move the booking of d to another
// kayak: two for each day, and one each for booking, kayak and event.
func displaceActions(d *BookingDay) int { return 2*(daysBetween(d.From, d.To)+1) + 3 }

// recordDisplaced adds the events of the bookings that the plan moves to other kayaks to make
// room.
func (p *bookingPlan) recordDisplaced(c *change) {
	for _, b := range p.displaced {
		c.recordEvent(Event{
			Partition: bookingPartition(b.after.ID), What: EventBookingMoved,
			Before: kayakLabel(b.before.KayakName, b.before.KayakID), After: kayakLabel(b.after.KayakName, b.after.KayakID),
			Why: "to make room for another booking or rental",
		})
	}
}

// commit commits the change. It then reports the bookings that the plan has changed. If the
// change conflicts with another one, it reports none, because a retry can change other
// bookings or find that the form has been submitted before.
func (p *bookingPlan) commit(ctx context.Context, c *change) error {
	err := c.Commit(ctx)
	if p.report == nil {
		return err
	}
	*p.report = ChangedBookings{}
	if err == nil || KindOf(err) == Unconfirmed {
		*p.report = ChangedBookings{Moved: p.reported(p.displaced), Ended: p.reported(p.ended), Reopened: p.reported(p.reopened)}
	}
	return err
}

// reported returns the bookings after these changes, except the one that the check-out names.
func (p *bookingPlan) reported(changes []bookingChange) []Booking {
	var all []Booking
	for _, b := range changes {
		if b.after.ID != p.named {
			all = append(all, *b.after)
		}
	}
	return all
}

// asConflict returns an error of the kind Conflict as an *Error. It returns any other
// error as the second result.
func asConflict(err error) (*Error, error) {
	var refused *Error
	if errors.As(err, &refused) && refused.Kind == Conflict {
		return refused, nil
	}
	return nil, err
}
