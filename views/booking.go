package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Booking is the page of a booking.
type Booking struct {
	Page
	Booking  store.Booking
	Today    time.Time
	InRepair bool // the kayak of an open booking is in repair
	Events   Part[store.Event]
}

var bookingBadges = map[store.BookingStatus]ui.Badge{
	store.BookingOpen:       {Word: "Booked", Tone: ui.Neutral},
	store.BookingCheckedOut: {Word: "Checked out", Tone: ui.Good},
	store.BookingCancelled:  {Word: "Cancelled", Tone: ui.Ended},
	store.BookingNoShow:     {Word: "No-show", Tone: ui.Ended},
}

// bookingBadge returns the badge of a booking. An open booking that begins today is due,
// and one that began earlier is late. A booking whose kayak is checked in has ended.
func bookingBadge(b *store.Booking, today time.Time) ui.Badge {
	switch {
	case b.CheckedIn:
		return bookingStateBadge(store.BookingEnded)
	case b.IsOpen() && b.From.Before(today):
		return ui.Badge{Word: "Not picked up", Tone: ui.Wrong}
	case b.IsOpen() && b.From.Equal(today):
		return ui.Badge{Word: "Due today", Tone: ui.Waiting}
	}
	return badge(bookingBadges, b.Status)
}

// BookedCheckOutPath returns the address of the check-out form for a booking.
func BookedCheckOutPath(b *store.Booking) string {
	return StorePath(b.StoreID) + "/check-out?booking=" + ui.Segment(b.ID)
}

// bookingColumns selects the columns of a table of bookings.
type bookingColumns struct{ person, booked, store bool }

// bookedClass returns the CSS class of the column with the kayak. The class hides the
// column on phones if the column with the person also shows the kayak.
func (c bookingColumns) bookedClass() string {
	if c.person {
		return "p2"
	}
	return ""
}

// maxNamed is the maximum number of bookings that a check-out names, and that ChangedBookings
// names for each kind of change.
const maxNamed = 3

// ChangedBookings returns sentences for a message, with links, about the bookings that a
// change has affected. It returns "" if there are none.
func ChangedBookings(changed *store.ChangedBookings) string {
	moved := func(b *store.Booking) string {
		return " was moved to " + nameOr(b.KayakName, b.KayakID) + " to make room"
	}
	ended := func(b *store.Booking) string { return " (" + bookedSpan(b) + ") is now part of the rental" }
	reopened := func(b *store.Booking) string { return " (" + bookedSpan(b) + ") is open again" }
	return nameBookings(changed.Moved, moved, "was moved to another kayak", "were moved to other kayaks") +
		nameBookings(changed.Ended, ended, "is now part of the rental", "are now part of the rental") +
		nameBookings(changed.Reopened, reopened, "is open again", "are open again")
}

// nameBookings returns a sentence about each of the first maxNamed bookings, and one about
// the others. The argument what returns the end of the sentence about a booking. The last
// sentence ends with other or, for several bookings, with others.
func nameBookings(bookings []store.Booking, what func(*store.Booking) string, other, others string) string {
	message := ""
	for i := range bookings[:min(maxNamed, len(bookings))] {
		b := &bookings[i]
		message += " The " + messageLink(BookingPath(b.ID), "booking for "+b.Renter()) + what(b) + "."
	}
	if more := len(bookings) - maxNamed; more > 0 {
		message += " " + count(more, "more booking "+other, "more bookings "+others) + "."
	}
	return message
}

// bookedSpan returns the kayak and the days of a booking, as part of a sentence.
func bookedSpan(b *store.Booking) string {
	return nameOr(b.KayakName, b.KayakID) + ", " + dates(b.From, b.To)
}

// bookedKayak returns the kayak of a booking, or "Any" and the kind if the booking is for
// any kayak of that kind.
func bookedKayak(b *store.Booking) string {
	if b.Kind != "" {
		return "Any " + b.Kind
	}
	return nameOr(b.KayakName, b.KayakID)
}
