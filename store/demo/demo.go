// Package demo makes a business that never was: believable enough to try
// every page on, and the same each time for the same day. Nobody in it is
// real, and no e-mail address leads anywhere.
package demo

import (
	"time"

	"github.com/brianvoe/gofakeit/v7"

	"stockroom/store"
)

// The size of the business.
const (
	Products   = 300
	Warehouses = 6
	Customers  = 1500
	Orders     = 5000
	months     = 24 // of orders, up to today
)

// seed makes every choice of the generator the same each time.
const seed = 20200621

// generator makes the business, part by part.
type generator struct {
	*gofakeit.Faker
	now time.Time

	products   []store.Product
	warehouses []store.Warehouse
	stock      map[string][]string // the warehouses that have a product
	customers  []store.Customer    // by the day on which they came

	departments []store.Reference
	hired       int      // employees so far
	reps        []string // the account reps among them

	stores []store.RentalStore

	moves    int // of stock so far
	entities []store.Entity
}

// Business is everything in the demo business as it is at a moment. The
// entities of one order follow one another.
func Business(now time.Time) []store.Entity {
	g := &generator{
		Faker: gofakeit.New(seed), now: now.UTC().Truncate(time.Second),
		stock:    map[string][]string{},
		entities: make([]store.Entity, 0, 80_000),
	}
	g.makeWarehouses()
	g.makeProducts()
	g.makeStock()
	g.makeReferences()
	g.makeEmployees()
	g.makeCustomers()
	g.makeOrders()
	g.makeSubscriptions()
	g.makeLedger()
	g.makeStores()
	g.makeStaff()
	return g.entities
}

func (g *generator) add(e store.Entity) { g.entities = append(g.entities, e) }

// chance is true so many times in a hundred.
func (g *generator) chance(percent float64) bool { return g.Float64Range(0, 100) < percent }

// popular picks a place in a list in which the first are met far more often
// than the last, as it is with goods and with customers.
func (g *generator) popular(n int) int {
	x := g.Float64Range(0, 1)
	return min(n-1, int(float64(n)*x*x*x))
}

// pick is one of several.
func pick[T any](g *generator, all []T) T { return all[g.IntRange(0, len(all)-1)] }
