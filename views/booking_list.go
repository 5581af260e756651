package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Bookings lists the bookings of a store in one state.
type Bookings struct {
	Page
	List     // URL parameters: status, from, to, sort, limit
	Store    store.RentalStore
	State    store.BookingState
	From, To ui.Input // range of first days
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

// BookingStateText returns the word for a state.
func BookingStateText(s store.BookingState) string { return bookingStateBadge(s).Word }

// BookingsPath returns the path of the bookings of a store.
func BookingsPath(storeID string) string { return StorePath(storeID) + "/bookings" }

// fields returns the filters. The list of kayaks that are rented out has no filters.
func (p *Bookings) fields() []ui.Field {
	if p.State == store.BookingOut {
		return nil
	}
	return dayFields("Begins", p.From, p.To)
}

// tabs returns a tab for each state.
func (p *Bookings) tabs() []ui.Tab {
	return statusTabs(List{Path: p.Path, Params: p.hiddenParams("sort")}, p.State, "", store.BookingStates, bookingStateBadge)
}

// bookingPeriods are the periods that the filters offer.
var bookingPeriods = periodsOf("Today", "Yesterday", "This week", "Last week", "This month", "Last month")

// order describes how the list is sorted.
func (p *Bookings) order() string {
	switch {
	case p.State == store.BookingOut:
		return "sorted by due day"
	case p.Sort.NewestFirst:
		return "by first day, latest first"
	}
	return "by first day, earliest first"
}

// bookingBadge returns the badge of a booking in the list.
func (p *Bookings) bookingBadge(b *store.StoreBooking) ui.Badge {
	if b.State == store.BookingUpcoming {
		return bookingBadge(&b.Booking, p.Today)
	}
	return bookingStateBadge(b.State)
}
