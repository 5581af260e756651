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

// maxMoved is the maximum number of bookings that MovedBookings names.
const maxMoved = 3

// MovedBookings returns sentences for a message, with links: which bookings were moved to
// which other kayaks to make room. It returns "" if there are none.
func MovedBookings(moved []store.Booking) string {
	message := ""
	for i := range moved[:min(maxMoved, len(moved))] {
		b := &moved[i]
		message += " " + messageLink(BookingPath(b.ID), "Booking for "+b.Renter()) + " moved to " + nameOr(b.KayakName, b.KayakID) + " to make room."
	}
	if more := len(moved) - maxMoved; more > 0 {
		message += " " + capital(count(more, "more booking", "more bookings")) + " moved to other kayaks."
	}
	return message
}

// bookedKayak returns the kayak of a booking, or "Any" and the kind if the booking is for
// any kayak of that kind.
func bookedKayak(b *store.Booking) string {
	if b.Kind != "" {
		return "Any " + b.Kind
	}
	return nameOr(b.KayakName, b.KayakID)
}
