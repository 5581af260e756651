package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Names of the form fields of bookings.
const (
	FieldBookKayak = "kayak" // a kayak, or any kayak of a kind
	FieldBookFrom  = "from"
	FieldBookTo    = "last"
	FieldBookNote  = "note"
)

// BookingRequest is a request to add or change a booking.
type BookingRequest struct {
	StoreID string
	Person  string // a person ID, or the email address of a customer; ignored by MoveBooking
	KayakID string // "" for any kayak of Kind
	Kind    string
	From    time.Time // first day, at midnight UTC
	To      time.Time // last day
	Note    string

	Wrong InputErrors // errors that the caller has found, such as days that could not be parsed
}

// Book books a kayak, or any kayak of a kind. It returns the booking, whose ID comes from
// the form token. It returns NotFound if the user does not manage the store, and Conflict
// if no kayak is free. It can also return Forbidden or Invalid. The message of the Conflict
// names the bookings and rentals that prevent the booking.
func (a Access) Book(ctx context.Context, r BookingRequest, token string) (*Booking, error) {
	if err := a.requireRentals(r.StoreID); err != nil {
		return nil, err
	}
	if err := a.checkBooking(ctx, &r, time.Time{}); err != nil {
		return nil, err
	}
	s, err := readOne[*RentalStore](ctx, a.store, getStore, storeValues([]string{r.StoreID})[0])
	if err != nil {
		return nil, err
	}
	if err := s.requireOpen(); err != nil {
		return nil, err
	}
	person, err := a.FindRenter(ctx, r.Person)
	if err != nil {
		return nil, err
	}
	if err := person.requireOpen(); err != nil {
		return nil, err
	}
	id, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	if applied, err := a.store.alreadyApplied(ctx, bookingPartition(id), token); applied || err != nil {
		return a.bookingIf(ctx, id, err)
	}
	var booked *Booking
	err = retryOnConflict(ctx, func() error {
		booked = &Booking{
			ID: id, StoreID: r.StoreID, PersonID: person.ID, Kind: r.Kind, From: r.From, To: r.To, Status: BookingOpen, Note: r.Note,
			Created: a.store.now().UTC().Truncate(time.Second), StoreName: s.Name, PersonName: person.Name, Version: 1,
		}
		if r.KayakID != "" {
			booked.Kind = ""
		}
		plan, err := a.planBookings(ctx, r.StoreID)
		if err != nil {
			return err
		}
		if err := plan.place(ctx, nil, booked, r.KayakID); err != nil {
			return err
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		c.recordEvent(Event{Partition: bookingPartition(id), What: EventBookingAdded, After: booked.What() + " " + booked.span(), Why: "for " + booked.Renter(), Audience: StoreScope + r.StoreID})
		plan.recordDisplaced(c)
		plan.write(c)
		return plan.commit(ctx, c)
	})
	if err != nil {
		err = a.store.okIfApplied(ctx, bookingPartition(id), token, err)
	}
	return a.bookingIf(ctx, id, err)
}

// RequireBookable returns the error that Book would return for the request. It checks
// neither the person nor whether the store is archived. It returns nil if a form with this
// token has already made the booking.
func (a Access) RequireBookable(ctx context.Context, r BookingRequest, token string) error {
	if err := a.requireRentals(r.StoreID); err != nil {
		return err
	}
	if err := a.checkBooking(ctx, &r, time.Time{}); err != nil {
		return err
	}
	plan, err := a.planBookings(ctx, r.StoreID)
	if err != nil {
		return err
	}
	if err = plan.place(ctx, nil, &Booking{Kind: r.Kind, From: r.From, To: r.To, Status: BookingOpen}, r.KayakID); err == nil {
		return nil
	}
	id, idErr := a.store.newID(token)
	if idErr != nil {
		return idErr
	}
	return a.store.okIfApplied(ctx, bookingPartition(id), token, err)
}

func (a Access) bookingIf(ctx context.Context, id string, err error) (*Booking, error) {
	if err != nil {
		return nil, err
	}
	return a.BookingForChange(ctx, id)
}

// CheckDays validates the days of a request. It returns Wrong, and the errors of the days.
// began is the first day of an existing booking. A changed booking may keep this day, even
// if the day is in the past. began is zero for a new booking.
func (r *BookingRequest) CheckDays(today, began time.Time) InputErrors {
	wrong := slices.Clone(r.Wrong)
	switch {
	case r.From.IsZero():
		wrong.Reject(FieldBookFrom, "Enter the first day.")
	case r.From.Before(today) && !r.From.Equal(began):
		wrong.Reject(FieldBookFrom, "%s is in the past. Choose today or later.", longDay(r.From))
	}
	switch {
	case r.To.IsZero():
		wrong.Reject(FieldBookTo, "Enter the last day.")
	case wrong.Has(FieldBookFrom): // the last day depends on the first day
	case r.To.Before(r.From):
		wrong.Reject(FieldBookTo, "The last day is before the first day.")
	case r.To.Before(today):
		wrong.Reject(FieldBookTo, "%s is in the past. Choose today or later.", longDay(r.To))
	case daysBetween(r.From, r.To) >= MaxBookingDays:
		wrong.Reject(FieldBookTo, "Book at most %d days at a time.", MaxBookingDays)
	case r.To.After(today.AddDate(0, 0, MaxBookingAhead)):
		wrong.Reject(FieldBookTo, "%s is too far ahead. Book at most %d days ahead.", longDay(r.To), MaxBookingAhead)
	}
	return wrong
}

// checkBooking validates a request and trims its KayakID, Kind and Note. began is as in
// CheckDays.
func (a Access) checkBooking(ctx context.Context, r *BookingRequest, began time.Time) error {
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	r.KayakID, r.Kind = strings.TrimSpace(r.KayakID), strings.TrimSpace(r.Kind)
	wrong := r.CheckDays(today, began)
	if r.KayakID == "" && r.Kind == "" {
		wrong.Reject(FieldBookKayak, "Choose a kayak, or any kayak of a kind.")
	}
	return wrong.With(checkLine(FieldBookNote, &r.Note))
}

// place finds a kayak for a new or changed booking, and adds the change to the plan. before
// is the stored booking, or nil for a new one. after is the booking to store. kayakID is
// the kayak to book, or "" for any kayak of the kind.
func (p *bookingPlan) place(ctx context.Context, before, after *Booking, kayakID string) error {
	if err := p.readFleet(ctx); err != nil {
		return err
	}
	if err := p.readDays(ctx, after.From, after.To); err != nil {
		return err
	}
	p.placing = &bookingChange{before, after}
	k, err := p.choose(ctx, after, kayakID)
	if err != nil {
		return err
	}
	p.placing = nil
	after.KayakID, after.KayakName = k.ID, k.Name
	p.change(before, after)
	p.touch(k)
	return nil
}

// maxTried is the maximum number of kayaks that the function choose tries to free.
const maxTried = 10

// choose returns the kayak with this ID, or any kayak of the booking's kind if kayakID is
// "". If no such kayak is free, it tries to free one by moving other bookings to other
// kayaks.
func (p *bookingPlan) choose(ctx context.Context, b *Booking, kayakID string) (*Kayak, error) {
	from := later(b.From, p.today)
	if kayakID != "" {
		k := p.kayaks[kayakID]
		if k == nil {
			return nil, InvalidField(FieldBookKayak, "Kayak %s is not at this store.", kayakID)
		}
		return k, p.take(ctx, k, b.From, b.To, b.ID)
	}
	kayaks := p.ofKind(b.Kind)
	if len(kayaks) == 0 {
		return nil, InvalidField(FieldBookKayak, "This store has no kayak of the kind “%s”.", b.Kind)
	}
	for _, k := range kayaks { // first try the kayak that the booking already holds
		if k.ID == b.KayakID && p.isFree(k, from, b.To, b.ID) {
			return k, nil
		}
	}
	for _, k := range kayaks {
		if p.isFree(k, from, b.To, b.ID) {
			return k, nil
		}
	}
	for _, k := range kayaks[:min(len(kayaks), maxTried)] {
		switch refused, err := asConflict(p.take(ctx, k, b.From, b.To, b.ID)); {
		case err != nil:
			return nil, err
		case refused == nil:
			return k, nil
		}
	}
	return nil, &Error{Kind: Conflict, Field: FieldBookKayak, Message: "No " + b.Kind + " is free " + daySpan(from, b.To) + ". " + p.reasons(kayaks, from, b.To, b.ID)}
}

// take frees a kayak for the days of a booking by moving other bookings. owner is the ID of
// the booking. It returns Conflict if the kayak is rented on one of these days, is not in
// service, or has bookings that cannot be moved.
func (p *bookingPlan) take(ctx context.Context, k *Kayak, from, to time.Time, owner string) error {
	if k.Status != KayakIn && k.Status != KayakOut {
		return &Error{Kind: Conflict, Field: FieldBookKayak, Message: k.label() + " is " + k.Status.words() + "."}
	}
	if r := p.rentedOn(k.ID, later(from, p.today)); r != nil {
		return &Error{Kind: Conflict, Field: FieldBookKayak, Message: r.sentence(k, p.today)}
	}
	err := p.clear(ctx, k, from, to, owner)
	if refused, _ := asConflict(err); refused != nil {
		refused.Field = FieldBookKayak
		return refused
	}
	return err
}

// sentence says who rents the kayak, and until when.
func (r *ActiveRental) sentence(k *Kayak, today time.Time) string {
	text := k.label() + " is rented out to " + nameOrID(r.PersonName, r.PersonID) + " until " + longDay(r.Due)
	if r.Due.Before(today) {
		text += " and is overdue"
	}
	return text + "."
}

// maxReasons is the maximum number of kayaks that a message names.
const maxReasons = 3

// reasons returns one sentence for each kayak that is not free, with the reason. It names
// at most maxReasons kayaks.
func (p *bookingPlan) reasons(kayaks []*Kayak, from, to time.Time, except string) string {
	var sentences []string
	for _, k := range kayaks {
		r, clashing := p.rentedOn(k.ID, from), p.clashes(k.ID, from, to, except)
		switch {
		case len(sentences) == maxReasons:
			return strings.Join(sentences, " ")
		case k.Status == KayakRetired:
			continue
		case r != nil:
			sentences = append(sentences, r.sentence(k, p.today))
		case len(clashing) > 0:
			sentences = append(sentences, clashing[0].Sentence())
		case k.Status == KayakRepair:
			sentences = append(sentences, k.label()+" is "+k.Status.words()+".")
		}
	}
	return strings.Join(sentences, " ")
}
