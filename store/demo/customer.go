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
	// before is how long before the first order of the demo, in days, the
	// oldest customers came.
	before = 400
)

func (g *generator) makeCustomers() {
	start := g.now.AddDate(0, -months, 0)
	came := make([]time.Time, Customers)
	for i := range came {
		// A third was there before; the others came one after the other.
		if i < Customers/3 {
			came[i] = start.AddDate(0, 0, -g.IntRange(1, before))
		} else {
			came[i] = start.Add(time.Duration(g.Float64Range(0, 1) * float64(g.now.Sub(start))))
		}
	}
	slices.SortFunc(came, func(a, b time.Time) int { return a.Compare(b) })
	for i, created := range came {
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
		ID: fmt.Sprint(id), Name: name,
		Email:   fmt.Sprintf("%s%d@example.%s", latin, id%1000, pick(g, []string{"com", "org", "net"})),
		Phones:  []string{from.code + g.Numerify("### ## ##")},
		Address: g.address(from), AccountRepID: g.rep(), Created: created, Version: 1,
	}
	if g.chance(12) {
		c.Phones = append(c.Phones, from.code+g.Numerify("### ## ##"))
		if id%5 == 0 { // and one at work
			c.Phones = append(c.Phones, from.code+fmt.Sprintf("%03d %02d %02d", id%1000, id%89, id%97))
		}
	}
	return c
}

// name is that of somebody from a country, and how an e-mail address spells
// it.
func (g *generator) name(from people) (name, latin string) {
	given, givenLatin := spellings(pick(g, from.given))
	family, familyLatin := spellings(pick(g, from.family))
	name = given + from.joint + family
	if from.familyFirst {
		name = family + from.joint + given
	}
	return strings.ReplaceAll(name, "\u00a0", " "), givenLatin + "." + familyLatin
}

// country picks one by its share of the customers.
func (g *generator) country() people {
	all := 0
	for _, c := range countries {
		all += c.share
	}
	at := g.IntRange(0, all-1)
	for _, c := range countries {
		if at -= c.share; at < 0 {
			return c
		}
	}
	return countries[0]
}

// spellings are a name and how an e-mail address spells it.
func spellings(name string) (native, latin string) {
	native, latin, found := strings.Cut(name, "/")
	if !found {
		latin = strings.ToLower(name)
	}
	return native, latin
}

func (g *generator) address(from people) store.Address {
	place := strings.Split(pick(g, from.places), ", ")
	return store.Address{
		Country: from.country, County: place[1], City: place[0], ZipCode: place[2],
		Street: pick(g, from.streets), Number: fmt.Sprint(g.IntRange(1, 140)),
	}
}
