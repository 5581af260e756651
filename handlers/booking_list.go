package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

var storeBookingColumns = append(recordColumns(bookingColumns, func(b store.StoreBooking) store.Booking { return b.Booking }), web.Column[store.StoreBooking]{
	Name: "State", Cell: func(b store.StoreBooking) web.Cell { return web.Text(string(b.State)) }, Words: func(b store.StoreBooking) string { return views.BookingStateText(b.State) }, Minor: true,
})

// listBookings lists the bookings of a store in one state, by default the upcoming ones.
// Bookings whose kayak is out are sorted by due day and cannot be filtered by first day.
func listBookings(r *request) error {
	q, err := r.query("status", "from", "to")
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	f := store.BookingFilter{StoreID: s.ID, State: cmp.Or(web.OneNamed(q, "status", store.BookingStates, views.BookingStateText), store.BookingUpcoming), DateRange: r.days(q)}
	isOut, isUpcoming := f.State == store.BookingOut, f.State == store.BookingUpcoming
	return respondList(r, q, listPage[store.StoreBooking]{
		file: "bookings", columns: storeBookingColumns, newestFirst: !isUpcoming && !isOut, reversible: !isOut,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StoreBooking], error) {
			return r.shop.BookingsOfStore(ctx, f, q.Reverse() == isUpcoming, p)
		},
		page: func(l views.List, rows []store.StoreBooking) templ.Component {
			return views.BookingsPage(views.Bookings{
				Page: r.page("Bookings of " + cmp.Or(s.Name, s.ID)), List: l, Store: *s, State: f.State, From: queryInput(q, "from"), To: queryInput(q, "to"), Today: r.today(), Rows: rows,
			})
		},
	})
}
