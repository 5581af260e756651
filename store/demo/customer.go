package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

const (
	firstCustomer = 20001
	// leadDays is the maximum number of days from the creation of a customer to the start
	// of the order history.
	leadDays = 400
)

func (g *generator) addCustomers() {
	start := g.now.AddDate(0, -months, 0)
	dates := make([]time.Time, g.size.Customers)
	for i := range dates {
		// A third of the customers exist before the order history starts.
		if i < g.size.Customers/3 {
			dates[i] = start.AddDate(0, 0, -g.intBetween(1, leadDays))
		} else {
			dates[i] = start.Add(time.Duration(g.floatBetween(0, 1) * float64(g.now.Sub(start))))
		}
	}
	slices.SortFunc(dates, func(a, b time.Time) int { return a.Compare(b) })
	for i, created := range dates {
		g.customers = append(g.customers, g.customer(firstCustomer+i, created.Truncate(time.Second)))
	}
	for i := range g.customers {
		g.add(&g.customers[i])
	}
}

func (g *generator) customer(id int, created time.Time) store.Customer {
	from := g.country()
	name, latin := g.name(from)
	c := store.Customer{
		ID:      fmt.Sprint(id),
		Name:    name,
		Email:   fmt.Sprintf("%s%d@example.%s", latin, id%1000, pick(g, []string{"com", "org", "net"})),
		Phones:  []string{from.code + g.digits("### ## ##")},
		Address: g.address(from),

		AccountRepID: g.rep(),
		Created:      created,
		Version:      1,
	}
	if g.chance(12) {
		c.Phones = append(c.Phones, from.code+g.digits("### ## ##"))
		if id%5 == 0 {
			c.Phones = append(c.Phones, from.code+fmt.Sprintf("%03d %02d %02d", id%1000, id%89, id%97))
		}
	}
	return c
}

// name returns a random name of a person from a country. The result latin is the name
// in Latin letters, for an email address.
func (g *generator) name(from country) (name, latin string) {
	given, givenLatin := spellings(pick(g, from.given))
	family, familyLatin := spellings(pick(g, from.family))
	name = given + from.separator + family
	if from.familyFirst {
		name = family + from.separator + given
	}
	return name, givenLatin + "." + familyLatin
}

// country returns a random country, with the probabilities in country.share.
func (g *generator) country() country {
	sum := 0
	for _, c := range countries {
		sum += c.share
	}
	at := g.intBetween(0, sum-1)
	for _, c := range countries {
		if at -= c.share; at < 0 {
			return c
		}
	}
	return countries[0]
}

// spellings splits an entry of a list of names into the name and its spelling in Latin
// letters.
func spellings(name string) (native, latin string) {
	native, latin, found := strings.Cut(name, "/")
	if !found {
		latin = strings.ToLower(name)
	}
	return native, latin
}

func (g *generator) address(from country) store.Address {
	place := strings.Split(pick(g, from.places), ", ")
	return store.Address{
		Country: from.name, County: place[1], City: place[0], ZipCode: place[2],
		Street: pick(g, from.streets), Number: fmt.Sprint(g.intBetween(1, 140)),
	}
}
