package handlers

import (
	"context"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// rented contains the bookings and rentals on a person's page.
type rented struct {
	store ui.Input
	out   *part[store.ActiveRental]
	all   *part[store.Rental]
	paid  *single[store.List[store.RentalPayment]] // newest payments, of which the page shows the unpaid charges

	today  time.Time
	booked *part[store.Booking]
}

// rented returns the parts with a person's bookings and rentals. The list of all rentals
// can be limited to the store in the query string.
func (r *request) rented(q *web.Query, personID string) *rented {
	at := q.Get("store")
	if at != "" && at != views.EachStore && !r.user.InChargeOfStore(at) {
		q.Fail("store", "Store "+at+" not found, or not one of yours.")
	}
	return &rented{
		store:  queryInput(q, "store"),
		today:  r.today(),
		booked: partOf(r, "bookings", bookingColumns, personID, store.Access.BookingsOfPerson),
		out:    partOf(r, "out", activeRentalColumns, personID, store.Access.RentedByPerson),
		all: partOf(r, "rentals", rentalColumns, personID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
			switch at {
			case "":
				return a.RentalsOfPerson(ctx, id, p)
			case views.EachStore:
				return a.RentalsOfPersonByStore(ctx, id, p)
			}
			return a.RentalsOfPersonAtStore(ctx, id, at, p)
		}),
		paid: &single[store.List[store.RentalPayment]]{fetch: func(ctx context.Context) (store.List[store.RentalPayment], error) {
			return r.shop.RentalPaymentsOf(ctx, personID, store.Page{Limit: store.MaxLimit})
		}},
	}
}

func (p *rented) lists() []listPart { return []listPart{p.out, p.booked, p.all} }

// view returns the bookings and rentals for the page. The filter offers only the stores of
// these rentals, so that the page does not have to read all stores.
func (p *rented) view() views.Rented {
	stores := []store.RentalStore{}
	offer := func(id, name string) {
		known := slices.ContainsFunc(stores, func(s store.RentalStore) bool { return s.ID == id })
		if id != "" && id != views.EachStore && !known {
			stores = append(stores, store.RentalStore{ID: id, Name: name})
		}
	}
	for _, rental := range p.all.found.Rows {
		offer(rental.StoreID, rental.StoreName)
	}
	offer(p.store.Value, "")
	unpaid := views.Part[store.RentalPayment]{Rows: p.unpaid(), Failed: p.paid.failed != nil, Unreadable: p.paid.found.Unreadable}
	unpaid.Shown = len(unpaid.Rows)
	return views.Rented{
		Today: p.today, Unpaid: unpaid, UnpaidLack: p.paid.found.Next != nil, Bookings: p.booked.view(), Out: p.out.view(), Rentals: p.all.view(), Store: p.store, Stores: stores,
	}
}

// unpaid returns the unpaid charges among the newest payments, newest first.
func (p *rented) unpaid() []store.RentalPayment {
	rows := []store.RentalPayment{}
	for i := range p.paid.found.Rows {
		if payment := &p.paid.found.Rows[i]; payment.IsUnpaid() {
			rows = append(rows, *payment)
		}
	}
	slices.SortStableFunc(rows, func(a, b store.RentalPayment) int { return b.At.Compare(a.At) }) // a manager's payments are grouped by store
	return rows
}

type rentedJSON struct {
	UnpaidRentals firstRows[store.RentalPayment]
	KayaksOut     firstRows[store.ActiveRental]
	Bookings      firstRows[store.Booking]
	Rentals       firstRows[store.Rental]
}

func (p *rented) json() rentedJSON {
	unpaid := firstRows[store.RentalPayment]{Rows: p.unpaid(), More: p.paid.found.Next != nil}
	return rentedJSON{unpaid, p.out.json(), p.booked.json(), p.all.json()}
}

var activeRentalColumns = []web.Column[store.ActiveRental]{
	{Name: "RentalID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.RentalID) }, Minor: true},
	{Name: "StoreID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.StoreID) }, Minor: true},
	{Name: "PersonID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.PersonID) }, Minor: true},
	{Name: "InventoryID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.KayakID) }, Minor: true},
	{Name: "Out", Cell: func(r store.ActiveRental) web.Cell { return instant(r.Out) }},
	{Name: "Due", Cell: func(r store.ActiveRental) web.Cell { return calendarDay(r.Due) }},
	{Name: "Rate", Cell: func(r store.ActiveRental) web.Cell { return amount(r.Rate) }},
	{Name: "StoreName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.StoreName) }},
	{Name: "PersonName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.PersonName) }},
	{Name: "ItemName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.KayakName) }},
}

var rentalColumns = []web.Column[store.Rental]{
	{Name: "RentalID", Cell: func(r store.Rental) web.Cell { return web.Text(r.ID) }, Minor: true},
	{Name: "StoreID", Cell: func(r store.Rental) web.Cell { return web.Text(r.StoreID) }, Minor: true},
	{Name: "PersonID", Cell: func(r store.Rental) web.Cell { return web.Text(r.PersonID) }, Minor: true},
	{Name: "InventoryID", Cell: func(r store.Rental) web.Cell { return web.Text(r.KayakID) }, Minor: true},
	{Name: "Out", Cell: func(r store.Rental) web.Cell { return instant(r.Out) }},
	{Name: "Due", Cell: func(r store.Rental) web.Cell { return calendarDay(r.Due) }},
	{Name: "Returned", Cell: func(r store.Rental) web.Cell { return instant(r.Returned) }},
	{Name: "Rate", Cell: func(r store.Rental) web.Cell { return amount(r.Rate) }, Minor: true},
	{Name: "Charge", Cell: func(r store.Rental) web.Cell { return amount(r.Charge) }},
	{Name: "PaidBy", Cell: func(r store.Rental) web.Cell { return web.Text(string(r.PaidBy)) }, Words: func(r store.Rental) string { return views.PayMethodName(r.PaidBy) }},
	{Name: "Paid", Cell: func(r store.Rental) web.Cell { return instant(r.Paid) }, Minor: true},
	{Name: "Deposit", Cell: func(r store.Rental) web.Cell { return amount(r.Deposit) }, Minor: true},
	{Name: "DepositKept", Cell: func(r store.Rental) web.Cell { return amount(r.DepositKept) }, Minor: true},
	{Name: "StoreName", Cell: func(r store.Rental) web.Cell { return web.Text(r.StoreName) }, Minor: true},
	{Name: "PersonName", Cell: func(r store.Rental) web.Cell { return web.Text(r.PersonName) }},
	{Name: "ItemName", Cell: func(r store.Rental) web.Cell { return web.Text(r.KayakName) }},
}
