package storetest

import (
	"fmt"
	"time"

	"stockroom/store"
)

// Rentals is the kayak rental of the shop. Kayak n is at store n mod 3. In rental n,
// customer n mod 40 rents kayak n mod 24, starting 9n + 1 hours before Now. Rentals 0
// to 5 are active, and 3 to 5 are overdue. Kayak 22 costs nothing. The charge of
// rental 10 is unpaid, with PayLater. The charge of rental 13 was paid in cash. Kayak 19
// is booked by customer 2 for 21 and 22 November, and by customer 1 for 24 to 26 November.
type Rentals struct {
	Stores      []store.RentalStore
	Kayaks      []store.Kayak
	Persons     []store.Person
	Employments []store.Employment
	All         []store.Rental // newest first
	Payments    []store.RentalPayment
	Bookings    []store.Booking
}

// Sizes of the kayak rental.
const (
	rentalStores  = 3
	rentalKayaks  = 24
	rentalCount   = 200
	rentalOut     = 6
	rentalOverdue = 3
	rentalFree    = 22
)

// newRentals returns the rentals of the shop, which are always the same.
func newRentals(customers []store.Customer) Rentals {
	var r Rentals
	for n := range rentalStores {
		r.Stores = append(r.Stores, store.RentalStore{
			ID: fmt.Sprintf("s%d", n), Name: []string{"Brygga", "Åmynning", "Canal"}[n], Address: store.Address{City: "Lund"}, Version: 1,
		})
	}
	for n := range rentalKayaks {
		k := store.Kayak{
			ID: fmt.Sprintf("k%02d", n), StoreID: r.Stores[n%rentalStores].ID, Name: fmt.Sprintf("Heron %d", n), Kind: "Sea", Serial: fmt.Sprintf("HIN-%d", n),
			DailyRate: store.MinorUnits(int64(2500 + 100*n)), Condition: "Good", Status: store.KayakIn, Version: 1,
		}
		if n == rentalFree {
			k.DailyRate = store.Amount{}
		}
		at := &r.Stores[n%rentalStores]
		switch {
		case n < rentalOut:
			k.Status = store.KayakOut
			at.Out++
		case n == rentalOut:
			k.Status = store.KayakRepair
			at.Repair++
		case n == rentalOut+1:
			k.Status = store.KayakRetired
		default:
			at.In++
		}
		r.Kayaks = append(r.Kayaks, k)
	}
	for n := range rentalCount {
		r.All = append(r.All, r.rental(n, &customers[n%len(customers)]))
	}
	r.pay(10, "rp1", store.PayLater)
	r.pay(13, "rp2", store.PayByCash)
	r.book("bk1", &customers[1], Day(2026, time.November, 24), Day(2026, time.November, 26))
	r.book("bk2", &customers[2], Day(2026, time.November, 21), Day(2026, time.November, 22))
	r.Persons = []store.Person{{ID: "pp0", Name: "Robin", Email: "robin@example.com", Version: 1}, {ID: "pp1", Name: "Sasha", Version: 1}}
	r.employ(0, 0, Day(2025, time.January, 1), Day(2025, time.June, 30))
	r.employ(0, 0, Day(2026, time.January, 1), time.Time{})
	r.employ(0, 1, Day(2026, time.March, 1), time.Time{})
	r.employ(1, 0, Day(2026, time.February, 1), time.Time{})
	r.employ(1, 2, Day(2024, time.May, 1), Day(2025, time.September, 30))
	return r
}

// Day returns a calendar day as midnight UTC.
func Day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func (r *Rentals) rental(n int, customer *store.Customer) store.Rental {
	kayak := &r.Kayaks[n%rentalKayaks]
	out := Now.Add(-time.Duration(9*n+1) * time.Hour)
	rental := store.Rental{
		ID: fmt.Sprintf("r%04d", n), StoreID: kayak.StoreID, PersonID: customer.ID, KayakID: kayak.ID,
		Out: out, Due: Day(out.Year(), out.Month(), out.Day()), Rate: kayak.DailyRate,
		StoreName: r.Stores[n%rentalStores].Name, PersonName: customer.Name, KayakName: kayak.Name, Version: 1,
	}
	switch {
	case n < rentalOut-rentalOverdue:
		rental.Due = rental.Due.AddDate(0, 0, 3)
	case n >= rentalOut:
		rental.Returned = out.Add(time.Duration(20+n%50) * time.Hour)
		rental.Charge = rental.Rate.Times(store.StartedDays(out, rental.Returned, time.UTC))
	}
	return rental
}

// pay adds the payment of rental n.
func (r *Rentals) pay(n int, id string, method store.PayMethod) {
	rental := &r.All[n]
	rental.PaidBy = method
	if method != store.PayLater {
		rental.Paid = rental.Returned
	}
	at := rental.Returned
	r.Payments = append(r.Payments, store.RentalPayment{
		ID: id, StoreID: rental.StoreID, PersonID: rental.PersonID, Day: Day(at.Year(), at.Month(), at.Day()), At: at,
		Kind: store.RentalCharge, Method: method, Amount: rental.Charge, By: "clerk",
		Rentals:   []store.PaidRental{{RentalID: rental.ID, KayakID: rental.KayakID, Amount: rental.Charge}},
		StoreName: rental.StoreName, PersonName: rental.PersonName, Version: 1,
	})
}

// book adds a booking of kayak 19.
func (r *Rentals) book(id string, customer *store.Customer, from, to time.Time) {
	k := &r.Kayaks[19]
	r.Bookings = append(r.Bookings, store.Booking{
		ID: id, StoreID: k.StoreID, PersonID: customer.ID, KayakID: k.ID, From: from, To: to, Status: store.BookingOpen, Note: "school trip",
		Created: Now.AddDate(0, 0, -2), StoreName: r.Stores[1].Name, PersonName: customer.Name, KayakName: k.Name, Version: 1,
	})
}

func (r *Rentals) employ(person, at int, from, to time.Time) {
	p, s := &r.Persons[person], &r.Stores[at]
	r.Employments = append(r.Employments, store.Employment{
		ID: fmt.Sprintf("em%d", len(r.Employments)), StoreID: s.ID, PersonID: p.ID, From: from, To: to, Position: "Guide",
		StoreName: s.Name, PersonName: p.Name, Version: 1,
	})
}

// Active returns the active rentals, newest first.
func (r *Rentals) Active() []store.ActiveRental {
	var active []store.ActiveRental
	for _, rental := range r.All[:rentalOut] {
		active = append(active, store.ActiveRental{
			StoreID: rental.StoreID, PersonID: rental.PersonID, KayakID: rental.KayakID, RentalID: rental.ID, Out: rental.Out, Due: rental.Due,
			Rate: rental.Rate, StoreName: rental.StoreName, PersonName: rental.PersonName, KayakName: rental.KayakName, Version: 1,
		})
	}
	return active
}

// Employees returns the current employees of the stores.
func (r *Rentals) Employees() []store.StoreEmployee {
	var now []store.StoreEmployee
	for _, e := range r.Employments {
		if e.To.IsZero() {
			now = append(now, store.StoreEmployee{
				StoreID: e.StoreID, PersonID: e.PersonID, EmploymentID: e.ID, From: e.From, Position: e.Position, Name: e.PersonName, Version: 1,
			})
		}
	}
	return now
}

// Entities returns all entities of the kayak rental.
func (r *Rentals) Entities() []store.Entity {
	all := pointers[*store.RentalStore](r.Stores)
	all = append(all, pointers[*store.Kayak](r.Kayaks)...)
	all = append(all, pointers[*store.ActiveRental](r.Active())...)
	all = append(all, pointers[*store.StoreEmployee](r.Employees())...)
	all = append(all, pointers[*store.Person](r.Persons)...)
	all = append(all, pointers[*store.Employment](r.Employments)...)
	all = append(all, pointers[*store.Rental](r.All)...)
	all = append(all, pointers[*store.RentalPayment](r.Payments)...)
	for i := range r.Bookings {
		b := &r.Bookings[i]
		all = append(all, b)
		for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
			all = append(all, &store.BookingDay{
				StoreID: b.StoreID, KayakID: b.KayakID, Day: day, BookingID: b.ID, From: b.From, To: b.To, PersonID: b.PersonID, Note: b.Note,
				PersonName: b.PersonName, KayakName: b.KayakName, Version: b.Version,
			})
		}
	}
	return all
}

func pointers[E interface {
	*T
	store.Entity
}, T any](rows []T) []store.Entity {
	all := make([]store.Entity, len(rows))
	for i := range rows {
		all[i] = E(&rows[i])
	}
	return all
}
