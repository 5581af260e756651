package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

var bookingColumns = []web.Column[store.Booking]{
	{Name: "BookingID", Cell: func(b store.Booking) web.Cell { return web.Text(b.ID) }, Minor: true},
	{Name: "StoreID", Cell: func(b store.Booking) web.Cell { return web.Text(b.StoreID) }, Minor: true},
	{Name: "PersonID", Cell: func(b store.Booking) web.Cell { return web.Text(b.PersonID) }, Minor: true},
	{Name: "InventoryID", Cell: func(b store.Booking) web.Cell { return web.Text(b.KayakID) }, Minor: true},
	{Name: "Kind", Cell: func(b store.Booking) web.Cell { return web.Text(b.Kind) }},
	{Name: "From", Cell: func(b store.Booking) web.Cell { return calendarDay(b.From) }},
	{Name: "To", Cell: func(b store.Booking) web.Cell { return calendarDay(b.To) }},
	{Name: "Status", Cell: func(b store.Booking) web.Cell { return web.Text(string(b.Status)) }, Words: func(b store.Booking) string { return views.BookingStatusText(b.Status) }},
	{Name: "Note", Cell: func(b store.Booking) web.Cell { return web.Text(b.Note) }, Minor: true},
	{Name: "RentalID", Cell: func(b store.Booking) web.Cell { return web.Text(b.RentalID) }, Minor: true},
	{Name: "Created", Cell: func(b store.Booking) web.Cell { return instant(b.Created) }, Minor: true},
	{Name: "StoreName", Cell: func(b store.Booking) web.Cell { return web.Text(b.StoreName) }, Minor: true},
	{Name: "PersonName", Cell: func(b store.Booking) web.Cell { return web.Text(b.PersonName) }},
	{Name: "ItemName", Cell: func(b store.Booking) web.Cell { return web.Text(b.KayakName) }},
}

func showBooking(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	b, err := r.shop.Booking(r.ctx(), r.id())
	if err != nil {
		return err
	}
	inRepair := false
	if b.IsOpen() && !b.To.Before(r.today()) {
		k, err := r.shop.Kayak(r.ctx(), b.KayakID)
		if err != nil && store.KindOf(err) != store.NotFound {
			return err
		}
		inRepair = err == nil && k.Status == store.KayakRepair
	}
	events := partOf(r, "events", eventColumns, b.ID, store.Access.EventsOfBooking)
	return respondDetail(r, q, detailPage{
		path: views.BookingPath(b.ID), lists: []listPart{events},
		page: func() templ.Component {
			return views.BookingPage(views.Booking{Page: r.page("Booking for " + b.Renter()), Booking: *b, Today: r.today(), InRepair: inRepair, Events: events.view()})
		},
		json: func() any {
			return struct {
				*store.Booking
				Events firstRows[store.Event]
			}{b, events.json()}
		},
	})
}

// showBookingEnd returns a handler that shows a form that ends a booking.
func showBookingEnd(kind views.BookingEndKind) func(*request) error {
	return func(r *request) error { return r.showForm(r.bookingEnd(kind)) }
}

// endBooking returns a handler that ends a booking by calling end.
func endBooking(kind views.BookingEndKind, done string, end func(store.Access, context.Context, string, int, string, string) error) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm("why")
		if err != nil {
			return err
		}
		err = end(r.shop, r.ctx(), r.id(), form.Version(), form.Get("why"), form.Token())
		return r.finishChange(err, done, views.BookingPath(r.id()), r.rerender(form, r.bookingEnd(kind)))
	}
}

func (r *request) bookingEnd(kind views.BookingEndKind) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		b, err := r.shop.BookingForChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		if !b.IsOpen() {
			return r.closedBooking(b, kind.Title())
		}
		return views.BookingEndPage(views.BookingEnd{
			Page: r.page(kind.Title()), Form: r.formState(form, rejected, b.Version), Kind: kind, Booking: *b, Why: formInput(form, rejected, "why"),
		}), nil
	}
}
