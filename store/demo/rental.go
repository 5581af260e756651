package demo

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"stockroom/store"
)

const (
	firstStore  = 7001
	firstKayak  = 10_001
	firstRental = 800_001
)

var kayakKinds = []struct {
	kind  string
	rate  int // daily rate, in whole units of the currency
	share int // percentage of the kayaks
}{
	{"Touring kayak", 32, 34},
	{"River kayak", 28, 22},
	{"Sea kayak", 39, 18},
	{"Double kayak", 52, 16},
	{"Children’s kayak", 18, 10},
}

var (
	waterBirds = []string{"Heron", "Eider", "Grebe", "Tern", "Osprey", "Teal", "Dipper", "Curlew", "Gannet", "Avocet", "Bittern", "Coot"}
	conditions = []string{"As new", "Good", "Good", "Scratched", "Worn seat", "New rudder line"}
)

// addStores adds stores with their kayaks and rentals.
func (g *generator) addStores() {
	rentals := 0
	for n := range g.size.Stores {
		s := g.store(n)
		at := len(g.entities)
		g.add(&s)
		var history []store.Entity
		for i := range g.size.KayaksPerStore {
			k := g.kayak(&s, firstKayak+n*g.size.KayaksPerStore+i)
			history = append(history, g.rentals(&s, &k, &rentals)...)
			g.add(&k)
			history = append(history, g.booking(&s, &k, i)...)
			switch k.Status {
			case store.KayakIn:
				s.In++
			case store.KayakOut:
				s.Out++
			case store.KayakRepair:
				s.Repair++
			}
		}
		g.entities = append(g.entities, history...)
		g.stores = append(g.stores, *g.entities[at].(*store.RentalStore))
	}
}

func (g *generator) store(n int) store.RentalStore {
	from := countries[n%len(countries)]
	address := g.address(from)
	place := strings.Split(from.places[n/len(countries)%len(from.places)], ", ")
	address.City, address.County, address.ZipCode = place[0], place[1], place[2]
	name := address.City
	if n >= len(countries)*len(from.places) {
		name += " 2"
	}
	return store.RentalStore{ID: fmt.Sprint(firstStore + n), Name: name, Address: address, Version: 1}
}

func (g *generator) kayak(s *store.RentalStore, id int) store.Kayak {
	at, kind := g.intBetween(0, 99), kayakKinds[0]
	for _, k := range kayakKinds {
		if at -= k.share; at < 0 {
			kind = k
			break
		}
	}
	k := store.Kayak{
		ID: fmt.Sprint("K", id), StoreID: s.ID, Name: fmt.Sprintf("%s %d", pick(g, waterBirds), id%g.size.KayaksPerStore+1), Kind: kind.kind,
		Serial: g.digits("KY-####-##"), DailyRate: store.MinorUnits(int64(kind.rate) * 100), Condition: pick(g, conditions), Status: store.KayakIn, Version: 1,
	}
	switch x := g.floatBetween(0, 100); {
	case x < 8:
		k.Status = store.KayakOut
	case x < 11:
		k.Status = store.KayakRepair
	case x < 13:
		k.Status = store.KayakRetired
	}
	return k
}

// rentals returns the rentals of a kayak, latest first. The gaps between older rentals are
// longer, because the business grows.
func (g *generator) rentals(s *store.RentalStore, k *store.Kayak, count *int) []store.Entity {
	var history []store.Entity
	today := time.Date(g.now.Year(), g.now.Month(), g.now.Day(), 0, 0, 0, 0, time.UTC)
	returned := today.AddDate(0, 0, -g.intBetween(1, 6)) // day on which the latest rental ended
	newRental := func(out time.Time) store.Rental {
		renter := g.renter(out)
		*count++
		return store.Rental{
			ID:         fmt.Sprint(firstRental + *count),
			StoreID:    s.ID,
			PersonID:   renter.ID,
			KayakID:    k.ID,
			Out:        out,
			Rate:       k.DailyRate,
			StoreName:  s.Name,
			PersonName: renter.Name,
			KayakName:  k.Name,
			Version:    1,
		}
	}
	if k.Status == store.KayakOut {
		due := today.AddDate(0, 0, g.intBetween(0, 4))
		out := today.AddDate(0, 0, -g.intBetween(1, 5))
		if g.chance(20) { // overdue, sometimes by many days
			due = today.AddDate(0, 0, -1-g.intBetween(0, 3)*g.intBetween(0, 3))
			out = due.AddDate(0, 0, -g.intBetween(0, 4))
		}
		r := newRental(out.Add(g.openingTime(8)))
		r.Due = due
		history = append(history, &r, &store.ActiveRental{
			StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, RentalID: r.ID, Out: r.Out, Due: r.Due, Rate: r.Rate,
			StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName, Version: 1,
		})
		returned = r.Out.AddDate(0, 0, -g.intBetween(1, 6)).Truncate(day)
	}
	for n := range g.size.RentalsPerKayak {
		length := g.intBetween(0, 3) + g.intBetween(0, 3)
		r := newRental(returned.AddDate(0, 0, -length).Add(g.openingTime(8)))
		r.Due = returned
		if g.chance(7) && length > 0 {
			r.Due = returned.AddDate(0, 0, -1) // checked in a day after the due day
		}
		r.Returned = returned.Add(g.openingTime(14))
		r.Charge = r.Rate.Times(store.StartedDays(r.Out, r.Returned, time.UTC))
		history = append(history, &r)
		if payment := g.rentalPayment(&r); payment != nil {
			history = append(history, payment)
		}
		returned = returned.AddDate(0, 0, -length-g.intBetween(1, 6+9*n))
	}
	return history
}

// rentalPayment returns the payment of a rental that ended in the last two weeks, or nil
// for an older one. With the method PayLater, the rental is still unpaid.
func (g *generator) rentalPayment(r *store.Rental) *store.RentalPayment {
	if r.Returned.Before(g.now.AddDate(0, 0, -14)) || r.Returned.After(g.now) {
		return nil
	}
	r.PaidBy = store.PayByCard
	switch n := len(r.ID) + int(r.Returned.Unix()%60); {
	case n%12 == 0:
		r.PaidBy = store.PayLater
	case n%3 == 0:
		r.PaidBy = store.PayByCash
	}
	if r.PaidBy != store.PayLater {
		r.Paid = r.Returned
	}
	return &store.RentalPayment{
		ID: "P" + r.ID, StoreID: r.StoreID, PersonID: r.PersonID, Day: r.Returned.Truncate(day), At: r.Returned, Kind: store.RentalCharge, Method: r.PaidBy,
		Amount: r.Charge, By: "demo", Rentals: []store.PaidRental{{RentalID: r.ID, KayakID: r.KayakID, Amount: r.Charge}},
		StoreName: r.StoreName, PersonName: r.PersonName, Version: 1,
	}
}

// booking returns a booking of a kayak within the next two weeks, with the booked days,
// or nothing. The argument n is the position of the kayak in its store. Some bookings
// are for any kayak of the same kind.
func (g *generator) booking(s *store.RentalStore, k *store.Kayak, n int) []store.Entity {
	if n%3 != 1 || k.Status != store.KayakIn {
		return nil
	}
	today := time.Date(g.now.Year(), g.now.Month(), g.now.Day(), 0, 0, 0, 0, time.UTC)
	from := today.AddDate(0, 0, (n*5)%11)
	renter := &g.customers[(n*37)%len(g.customers)]
	b := &store.Booking{
		ID: fmt.Sprintf("B%s", k.ID), StoreID: s.ID, PersonID: renter.ID, KayakID: k.ID, From: from, To: from.AddDate(0, 0, n%4), Status: store.BookingOpen,
		Created: g.now.AddDate(0, 0, -1-n%9), StoreName: s.Name, PersonName: renter.Name, KayakName: k.Name, Version: 1,
	}
	if n%2 == 0 {
		b.Kind = k.Kind
	}
	if n%9 == 4 {
		b.Note = "school trip"
	}
	all := []store.Entity{b}
	for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
		all = append(all, &store.BookingDay{
			StoreID: s.ID, KayakID: k.ID, Day: day, BookingID: b.ID, Kind: b.Kind, From: b.From, To: b.To, PersonID: b.PersonID, Note: b.Note,
			PersonName: b.PersonName, KayakName: b.KayakName, Version: 1,
		})
	}
	return all
}

// openingTime returns a random time of day in the four hours after the given hour.
func (g *generator) openingTime(from int) time.Duration {
	return time.Duration(from)*time.Hour + time.Duration(g.intBetween(0, 4*3600-1))*time.Second
}

// renter returns a random customer who existed at that time.
func (g *generator) renter(out time.Time) *store.Customer {
	count := sort.Search(len(g.customers), func(i int) bool { return g.customers[i].Created.After(out) })
	return &g.customers[g.popular(max(1, count))]
}
