// Package demo generates a demo business with enough data for every page. The data depends
// only on the given time. The people are invented, and their email addresses do not exist.
package demo

import (
	"math/rand/v2"
	"time"

	"stockroom/store"
)

// Size is the size of a demo business.
type Size struct {
	Products, Customers, Orders, Subscriptions int
	Stores, KayaksPerStore, RentalsPerKayak    int // RentalsPerKayak counts returned rentals
	StoreStaff                                 int // current and former employees of the stores
}

var (
	// Full is the size of the demo business, with about 72,000 items.
	Full = Size{
		Products: 300, Customers: 1500, Orders: 5000, Subscriptions: 400,
		Stores: 40, KayaksPerStore: 50, RentalsPerKayak: 10, StoreStaff: 200,
	}
	// Small is a size for tests, with about 8,000 items. It has the same kinds of data
	// as Full.
	Small = Size{
		Products: 60, Customers: 150, Orders: 400, Subscriptions: 100,
		Stores: 12, KayaksPerStore: 15, RentalsPerKayak: 5, StoreStaff: 60,
	}
)

const months = 24 // length of the order history, which ends today

// seed is the seed of the random generator. It is fixed, so that the data is always the
// same.
const seed = 20200621

// generator generates a business. Each entity refers only to earlier ones, but receipts
// come before their subscription.
type generator struct {
	random *rand.Rand
	now    time.Time
	size   Size

	products   []store.Product
	warehouses []store.Warehouse
	stock      map[string][]string // IDs of the warehouses that stock each product

	moved map[stockKey][]issue // quantities that transfers and expected deliveries moved out of or into the stock

	customers []store.Customer // sorted by creation date

	creditNotes []*store.CreditNote // credit notes of all orders, added after the orders

	departments []store.Reference
	employees   int            // number of employees so far
	staffNames  map[string]int // number of employees with each name
	reps        []string       // employee IDs of account reps

	stores []store.RentalStore

	moves    int // number of stock moves so far
	entities []store.Entity
}

// Business returns the entities of a demo business at the given time. The entities of
// each order are next to each other, except its credit note.
func Business(now time.Time, size Size) []store.Entity {
	g := &generator{
		random: rand.New(rand.NewPCG(seed, seed)), now: now.UTC().Truncate(time.Second), size: size,
		stock: map[string][]string{}, moved: map[stockKey][]issue{}, staffNames: map[string]int{},
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
	g.addDeliveries()
	g.addStockMoves()
	g.addStores()
	g.addStoreStaff()
	return g.entities
}

func (g *generator) add(e store.Entity) { g.entities = append(g.entities, e) }
