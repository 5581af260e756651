package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// emptyImage is a copyable store with one admin.
var emptyImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	addUser(t, s, store.User{Name: "admin", Role: store.Admin})
})

// newBusiness returns a table with one admin and these entities only.
func newBusiness(t *testing.T, entities ...store.Entity) *store.Store {
	t.Helper()
	chromium(t)
	clock := storetest.NewClock()
	s := store.New(emptyImage.Embedded(t, clock), "OnlineShop", clock.Now)
	s.WeakenPasswords()
	load(t, s, entities)
	return s
}

// TestDay_OfAdmin runs a business from an empty table to its first return. An admin adds
// a warehouse and a store, staff, a product and a user. The admin then receives stock,
// places the first order and records its return.
func TestDay_OfAdmin(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, dark: true, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serveStore(t, newBusiness(t), jobs.Record{}), sc)
			b.signIn("admin")
			b.wantText("Set up your business", "Add a warehouse", "Add a user")
			b.check("first run", sc)

			b.link("Add a warehouse")
			b.check("new warehouse", sc)
			b.add("Add warehouse", map[string]string{"name": "Göteborg", "street": "Hamngatan", "number": "1", "city": "Göteborg", "country": "Sweden"})
			warehouse := b.path()
			b.wantText("Warehouse added.", "Hamngatan 1")

			b.visit("/")
			b.link("Add a store")
			b.add("Add store", map[string]string{"name": "Brygga", "city": "Lund"})
			b.wantText("Store added.")
			b.link("Add kayak")
			b.check("new kayak", sc)
			b.add("Add kayak", map[string]string{"name": "Heron", "kind": "Sea", "rate": "30"})
			b.wantText("Kayak added.", "Heron", "€30.00")
			b.check("kayak", sc)

			b.visit("/")
			b.link("Add a product")
			b.add("Add product", map[string]string{"name": "Bar stool", "price": "49.50", "sku": "CHR-001"})
			b.wantText("Product added.")
			product := b.path()
			b.visit(product + "/stock/" + warehouse[len("/warehouses/"):] + "/receive")
			b.add("Receive goods", map[string]string{"quantity": "10", "reason": "first delivery"})

			b.visit("/reference/jobs/new")
			b.add("Add job", map[string]string{"name": "Account rep"})
			b.visit("/")
			b.link("Add an employee")
			b.check("new employee", sc)
			b.add("Add employee", map[string]string{"name": "Maja Ek", "job": "account rep", "warehouse": "göteborg", "street": "Storgatan"})
			b.wantText("Employee added.", "Maja Ek", "Account rep", "Göteborg", "Storgatan")
			b.check("employee", sc)

			b.visit("/")
			b.wantText("Done:")
			b.link("Add a user")
			b.fill("name", "mia")
			b.do(chromedp.SetValue(field("role"), "support"))
			b.button("Add user")
			b.wantText("mia")
			b.visit("/")
			if got := b.text("main"); strings.Contains(got, "Set up your business") {
				t.Errorf("after the last step: got the card, want none: %s", got)
			}

			b.visit("/customers/new")
			b.add("Add customer", map[string]string{"name": "Lena Köhler", "email": "lena@example.com", "rep": "maja ek", "city": "Kiel"})
			b.wantText("Customer added.", "Maja Ek")
			b.visit("/orders/new")
			b.fill("customer", "lena@example.com")
			b.fill("product-1", "CHR-001")
			b.fill("quantity-1", "2")
			b.button("Review total")
			b.button("Place order")
			order := b.path()
			b.wantText("Order placed.", "€99.00", "Bar stool")
			b.visit(order + "/ship?warehouse=" + warehouse[len("/warehouses/"):])
			b.button("Pack shipment")
			b.wantText("Shipment packed.", "Shipped")
			b.visit(order + "/return")
			b.add("Record return", map[string]string{"quantity-1": "1", "why": "wrong colour"})
			b.wantText("Return recorded.", "wrong colour")

			b.visit(product + "/archive")
			b.check("archive", sc)
			b.add("Archive product", map[string]string{"why": "sold out"})
			b.wantText("Product archived.", "Archived")
			b.check("archived product", sc)
		})
	}
}

// add fills in fields of a form and submits it.
func (b *tab) add(button string, fields map[string]string) {
	b.Helper()
	for name, value := range fields {
		b.fill(name, value)
	}
	b.button(button)
}
