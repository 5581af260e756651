// Package demo generates a demo business with enough data for every page. The
// data is the same every time for the same moment. Its people are invented and
// its email addresses lead nowhere.
package demo

import (
	"time"

	"github.com/brianvoe/gofakeit/v7"

	"stockroom/store"
)

// Size is the size of a business.
type Size struct {
	Products, Customers, Orders, Subscriptions int
	Stores, KayaksPerStore, RentalsPerKayak    int // rentals that were returned
	StoreStaff                                 int // the people who work at the stores, or did
}

var (
	// Full is the size of the demo business: some 72,000 items.
	Full = Size{
		Products: 300, Customers: 1500, Orders: 5000, Subscriptions: 400,
		Stores: 40, KayaksPerStore: 50, RentalsPerKayak: 10, StoreStaff: 200,
	}
	// Small is the size of a business with everything that the demo business has,
	// for tests: some 8,000 items.
	Small = Size{
		Products: 60, Customers: 150, Orders: 400, Subscriptions: 100,
		Stores: 12, KayaksPerStore: 15, RentalsPerKayak: 5, StoreStaff: 60,
	}
)

const months = 24 // of orders, up to today

// seed makes the random choices the same every time.
const seed = 20200621

// generator generates the business. Later parts refer to entities of earlier parts.
type generator struct {
	*gofakeit.Faker
	now  time.Time
	size Size

	products   []store.Product
	warehouses []store.Warehouse
	stock      map[string][]string // warehouses by product
	customers  []store.Customer    // by creation date

	departments []store.Reference
	employees   int            // the number of employees so far
	staffNames  map[string]int // how many employees have a name
	reps        []string       // the IDs of account reps

	stores []store.RentalStore

	moves    int // the number of stock moves so far
	entities []store.Entity
}

// Business returns the entities of a demo business at a given time. The entities of
// an order are next to each other.
func Business(now time.Time, size Size) []store.Entity {
	g := &generator{
		Faker: gofakeit.New(seed), now: now.UTC().Truncate(time.Second), size: size,
		stock: map[string][]string{}, staffNames: map[string]int{},
	}
	g.addWarehouses()
	g.addProducts()
	g.addStock()
	g.addReferences()
	g.addEmployees()
	g.addCustomers()
	g.addOrders()
	g.addSubscriptions()
	g.addStockMoves()
	g.addStores()
	g.addStoreStaff()
	return g.entities
}

func (g *generator) add(e store.Entity) { g.entities = append(g.entities, e) }

// chance returns true with a probability in percent.
func (g *generator) chance(percent float64) bool { return g.Float64Range(0, 100) < percent }

// popular returns an index below n. Low ones are far more likely than high ones,
// as with best-selling products and regular customers.
func (g *generator) popular(n int) int {
	x := g.Float64Range(0, 1)
	return min(n-1, int(float64(n)*x*x*x))
}

// pick returns a random element.
func pick[T any](g *generator, all []T) T { return all[g.IntRange(0, len(all)-1)] }
