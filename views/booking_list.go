package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Bookings lists the bookings of a store that have the same state.
type Bookings struct {
	Page
	List
	Store    store.RentalStore
	State    store.BookingState
	From, To ui.Input // range of the first day of a booking
	Today    time.Time
	Rows     []store.StoreBooking
}

var bookingStateBadges = map[store.BookingState]ui.Badge{
	store.BookingUpcoming: {Word: "Upcoming", Tone: ui.Neutral},
	store.BookingOut:      {Word: "Out", Tone: ui.Waiting},
	store.BookingEnded:    {Word: "Ended", Tone: ui.Good},
	store.BookingDropped:  {Word: "Cancelled", Tone: ui.Ended},
	store.BookingMissed:   {Word: "No-show", Tone: ui.Ended},
}

func bookingStateBadge(s store.BookingState) ui.Badge { return badge(bookingStateBadges, s) }

// BookingStateText returns the name of a state as pages show it.
func BookingStateText(s store.BookingState) string { return bookingStateBadge(s).Word }

// BookingsPath returns the path of the bookings of a store.
func BookingsPath(storeID string) string { return StorePath(storeID) + "/bookings" }

// fields returns the filter fields. The list of bookings whose kayak is out has no filters.
func (p *Bookings) fields() []ui.Field {
	if p.State == store.BookingOut {
		return nil
	}
	return dayFields("Begins", p.From, p.To)
}

func (p *Bookings) tabs() []ui.Tab {
	return statusTabs(List{Path: p.Path, Params: p.hiddenParams("sort")}, p.State, "", store.BookingStates, bookingStateBadge)
}

// bookingPeriods are the periods that the filters offer.
var bookingPeriods = periodsOf("Today", "Tomorrow", "Yesterday", "This week", "Next week", "Last week", "This month", "Next month", "Last month")

func (p *Bookings) order() string {
	switch {
	case p.State == store.BookingOut:
		return "sorted by due date"
	case p.Sort.NewestFirst:
		return "by first day, latest first"
	}
	return "by first day, earliest first"
}

func (p *Bookings) bookingBadge(b *store.StoreBooking) ui.Badge {
	if b.State == store.BookingUpcoming {
		return bookingBadge(&b.Booking, p.Today)
	}
	return bookingStateBadge(b.State)
}
