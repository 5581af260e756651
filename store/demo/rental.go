package demo

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"stockroom/store"
)

// The size of the kayak rental.
const (
	Stores       = 40
	Kayaks       = 2000
	PastRentals  = 20_000
	firstStore   = 7001
	firstKayak   = 10_001
	firstRental  = 800_001
	eachKayak    = PastRentals / Kayaks
	kayaksAStore = Kayaks / Stores
)

// fleet are the kinds of kayaks, what they cost a day in whole units of the
// currency, and how many of a hundred are of the kind.
var fleet = []struct {
	kind  string
	rate  int
	share int
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

// makeStores opens a store in one town after the other, with its kayaks and
// what was ever rented there.
func (g *generator) makeStores() {
	rented := 0
	for n := range Stores {
		s := g.store(n)
		at := len(g.entities)
		g.add(&s)
		var history []store.Entity
		for i := range kayaksAStore {
			k := g.kayak(&s, firstKayak+n*kayaksAStore+i)
			history = append(history, g.rent(&s, &k, &rented)...)
			g.add(&k)
			switch k.Status {
			case store.KayakIn:
				s.In++
			case store.KayakOut:
				s.Out++
			case store.KayakRepair:
				s.Repair++
			}
		}
		// What lies in the store's partition comes first: it is loaded together.
		slices.SortStableFunc(history, func(a, b store.Entity) int { return strings.Compare(a.EntityType(), b.EntityType()) })
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
	at, kind := g.IntRange(0, 99), fleet[0]
	for _, f := range fleet {
		if at -= f.share; at < 0 {
			kind = f
			break
		}
	}
	k := store.Kayak{
		ID: fmt.Sprint("K", id), StoreID: s.ID, Name: fmt.Sprintf("%s %d", pick(g, waterBirds), id%kayaksAStore+1), Kind: kind.kind,
		Serial: g.Numerify("KY-####-##"), DailyRate: store.MinorUnits(int64(kind.rate) * 100), Condition: pick(g, conditions), Status: store.KayakIn, Version: 1,
	}
	switch x := g.Float64Range(0, 100); {
	case x < 8:
		k.Status = store.KayakOut
	case x < 11:
		k.Status = store.KayakRepair
	case x < 13:
		k.Status = store.KayakRetired
	}
	return k
}

// rent tells a kayak's rentals from now backwards, each before the next: the
// business grows, so the gaps between them do, the further back they lie.
func (g *generator) rent(s *store.RentalStore, k *store.Kayak, rented *int) []store.Entity {
	var told []store.Entity
	today := time.Date(g.now.Year(), g.now.Month(), g.now.Day(), 0, 0, 0, 0, time.UTC)
	back := today.AddDate(0, 0, -g.IntRange(1, 6)) // the day on which it came back last
	begin := func(out time.Time) store.Rental {
		renter := g.renter(out)
		*rented++
		return store.Rental{
			ID: fmt.Sprint(firstRental + *rented), StoreID: s.ID, PersonID: renter.ID, KayakID: k.ID, Out: out, Rate: k.DailyRate,
			StoreName: s.Name, PersonName: renter.Name, KayakName: k.Name, Version: 1,
		}
	}
	if k.Status == store.KayakOut {
		due := today.AddDate(0, 0, g.IntRange(0, 4))
		out := today.AddDate(0, 0, -g.IntRange(1, 5))
		if g.chance(20) { // should be back by now, and some have been missed for long
			due = today.AddDate(0, 0, -1-g.IntRange(0, 3)*g.IntRange(0, 3))
			out = due.AddDate(0, 0, -g.IntRange(0, 4))
		}
		r := begin(out.Add(g.openingTime(8)))
		r.Due = due
		told = append(told, &r, &store.ActiveRental{
			StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, RentalID: r.ID, Out: r.Out, Due: r.Due, Rate: r.Rate,
			StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName, Version: 1,
		})
		back = r.Out.AddDate(0, 0, -g.IntRange(1, 6)).Truncate(day)
	}
	for n := range eachKayak {
		length := g.IntRange(0, 3) + g.IntRange(0, 3)
		r := begin(back.AddDate(0, 0, -length).Add(g.openingTime(8)))
		r.Due = back
		if g.chance(7) && length > 0 {
			r.Due = back.AddDate(0, 0, -1) // it came back late
		}
		r.Returned = back.Add(g.openingTime(14))
		r.Charge = r.Rate.Times(store.StartedDays(r.Out, r.Returned, time.UTC))
		told = append(told, &r)
		back = back.AddDate(0, 0, -length-g.IntRange(1, 6+9*n))
	}
	return told
}

// openingTime is a time within four hours of the day from this one on.
func (g *generator) openingTime(from int) time.Duration {
	return time.Duration(from)*time.Hour + time.Duration(g.IntRange(0, 4*3600-1))*time.Second
}

// renter is somebody who was a customer by then.
func (g *generator) renter(out time.Time) *store.Customer {
	known := sort.Search(len(g.customers), func(i int) bool { return g.customers[i].Created.After(out) })
	return &g.customers[g.popular(max(1, known))]
}
