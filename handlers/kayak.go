package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showKayak(r *request) error {
	q, err := r.query(pickParams("person")...)
	if err != nil {
		return err
	}
	person, err := r.pickFilter(q, "person", store.ChooseRenter)
	if err != nil {
		return err
	}
	k, err := r.shop.Kayak(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var at *store.RentalStore
	bookings := partOf(r, "bookings", bookingColumns, k.ID, store.Access.BookingsOfKayak)
	rentals := partOf(r, "rentals", rentalColumns, k.ID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
		if person.chosen != nil {
			return a.RentalsOfKayakByPerson(ctx, id, person.id(), p)
		}
		return a.RentalsOfKayak(ctx, id, p)
	})
	events := partOf(r, "events", eventColumns, k.ID, store.Access.EventsOfKayak)
	return respondDetail(r, q, detailPage{
		path: views.KayakPath(k.ID), lists: []listPart{bookings, rentals, events},
		reads: []func(context.Context) error{func(ctx context.Context) error {
			return ifFound(&at)(r.shop.RentalStore(ctx, k.StoreID))
		}},
		page: func() templ.Component {
			return views.KayakPage(views.Kayak{
				Page: r.page(cmp.Or(k.Name, k.ID)), Kayak: *k, Store: at, Person: person.field(), Today: r.today(), Bookings: bookings.view(), Rentals: rentals.view(), Events: events.view(),
				CanNote: r.user.May(store.WriteNotes), Token: r.newFormToken(),
			})
		},
		json: func() any {
			return struct {
				*store.Kayak
				Bookings firstRows[store.Booking]
				Rentals  firstRows[store.Rental]
				Events   firstRows[store.Event]
			}{k, bookings.json(), rentals.json(), events.json()}
		},
	})
}

var kayakColumns = []web.Column[store.Kayak]{
	{Name: "InventoryID", Cell: func(k store.Kayak) web.Cell { return web.Text(k.ID) }},
	minorColumn(referColumn("StoreID", func(k store.Kayak) string { return k.StoreID })),
	{Name: "Name", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Name) }},
	{Name: "Kind", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Kind) }},
	{Name: "Serial", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Serial) }, Minor: true},
	{Name: "DailyRate", Cell: func(k store.Kayak) web.Cell { return amount(k.DailyRate) }},
	{Name: "Condition", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Condition) }},
	{Name: "Status", Cell: func(k store.Kayak) web.Cell { return web.Text(string(k.Status)) }, Words: func(k store.Kayak) string { return views.KayakStatusText(k.Status) }},
}
