// Package demo generates a demo business with enough data for every page. For the
// same time, it always generates the same data. The people are invented, and no
// emails can reach their addresses.
package demo

import (
	"time"

	"github.com/brianvoe/gofakeit/v7"

	"stockroom/store"
)

// Size is the size of a demo business.
type Size struct {
	Products, Customers, Orders, Subscriptions int
	Stores, KayaksPerStore, RentalsPerKayak    int // rentals of a kayak that have ended
	StoreStaff                                 int // people who work at the stores or have worked there
}

var (
	// Full is the size of the demo business, with about 72,000 items.
	Full = Size{
		Products: 300, Customers: 1500, Orders: 5000, Subscriptions: 400,
		Stores: 40, KayaksPerStore: 50, RentalsPerKayak: 10, StoreStaff: 200,
	}
	// Small is a size for tests, with about 8,000 items. It has everything that the
	// demo business has.
	Small = Size{
		Products: 60, Customers: 150, Orders: 400, Subscriptions: 100,
		Stores: 12, KayaksPerStore: 15, RentalsPerKayak: 5, StoreStaff: 60,
	}
)

const months = 24 // duration of the order history, up to today

// seed is the seed of the random generator, so that it always generates the same
// data.
const seed = 20200621

// generator generates a business. Entities that are generated later refer to earlier
// ones.
type generator struct {
	*gofakeit.Faker
	now  time.Time
	size Size

	products   []store.Product
	warehouses []store.Warehouse
	stock      map[string][]string // IDs of warehouses by product

	transferred map[stockKey][]issue // changes of stock by transfers

	customers []store.Customer // sorted by creation date

	departments []store.Reference
	employees   int            // number of employees so far
	staffNames  map[string]int // how many employees have a name
	reps        []string       // IDs of account reps

	stores []store.RentalStore

	moves    int // number of stock moves so far
	entities []store.Entity
}

// Business returns the entities of a demo business at the given time. The entities
// of an order are next to each other.
func Business(now time.Time, size Size) []store.Entity {
	g := &generator{
		Faker: gofakeit.New(seed), now: now.UTC().Truncate(time.Second), size: size,
		stock: map[string][]string{}, transferred: map[stockKey][]issue{}, staffNames: map[string]int{},
	}
	g.addWarehouses()
	g.addProducts()
	g.addStock()
	g.addReferences()
	g.addEmployees()
	g.addCustomers()
	g.addOrders()
	g.addSubscriptions()
	g.addTransfers()
	g.addStockMoves()
	g.addDeliveries()
	g.addStores()
	g.addStoreStaff()
	return g.entities
}

func (g *generator) add(e store.Entity) { g.entities = append(g.entities, e) }

// chance returns true with the given probability, in percent.
func (g *generator) chance(percent float64) bool { return g.Float64Range(0, 100) < percent }

// popular returns a random index less than n. Low indexes are far more likely than
// high ones. This imitates best-selling products and regular customers.
func (g *generator) popular(n int) int {
	x := g.Float64Range(0, 1)
	return min(n-1, int(float64(n)*x*x*x))
}

// pick returns a random element.
func pick[T any](g *generator, all []T) T { return all[g.IntRange(0, len(all)-1)] }
