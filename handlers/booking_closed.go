package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// closedBooking returns the page that says how a booking ended. It replaces the forms of a
// booking that is no longer open.
func (r *request) closedBooking(b *store.Booking, title string) (templ.Component, error) {
	events, err := r.shop.EventsOfBooking(r.ctx(), b.ID, store.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	p := views.BookingClosed{Page: r.page(title), Booking: *b}
	if len(events.Rows) > 0 {
		p.End = &events.Rows[0]
	}
	return views.BookingClosedPage(p), nil
}
