package browsertest

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// serveStaff serves a business with one customer, one product and the given entities,
// and signs in as the user.
func serveStaff(t *testing.T, sc screen, user store.User, entities ...store.Entity) *tab {
	t.Helper()
	s := newBusiness(t, append(entities,
		&store.Customer{ID: "c90", Name: "Maja Nyström", Email: "maja@example.com", Phones: []string{"+46 70 555 01 00"}, Address: store.Address{City: "Lund"}, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Version: 1},
		&store.Product{ID: "p10", Name: "Tea jar", SKU: "SKU-10", Price: store.MinorUnits(4900), Version: 1},
	)...)
	addUser(t, s, user)
	b := open(t, serveStore(t, s, jobs.Record{}), sc)
	b.signIn(user.Name)
	return b
}

// TestDay_OfEachRole starts with an empty table and adds all records through the pages. The
// admin works on one day. On the next day, support, a manager and a viewer work with the
// records of the others.
func TestDay_OfEachRole(t *testing.T) {
	for _, noScript := range []bool{false, true} {
		desk, phone := screen{width: 1280}, screen{width: 390}
		if noScript {
			desk = screen{width: 390, dark: true, noScript: true}
			phone = desk
		}
		t.Run(desk.String(), func(t *testing.T) {
			clock := storetest.NewClock()
			clock.Advance(9*24*time.Hour + 12*time.Hour) // to the evening of 30 November
			baseURL := serveStore(t, newBusinessAt(t, clock), jobs.Record{})
			d := days{tab: open(t, baseURL, desk), sc: desk}
			d.signIn("admin")
			d.admin()
			clock.Advance(3 * time.Hour)
			d = days{tab: open(t, baseURL, desk), sc: desk, passwords: d.passwords}
			d.firstSignIn("mia")
			d.support()
			d = days{tab: open(t, baseURL, phone), sc: phone, passwords: d.passwords}
			d.firstSignIn("kim")
			d.manager()
			d = days{tab: open(t, baseURL, desk), sc: desk, passwords: d.passwords}
			d.firstSignIn("eva")
			d.viewer()
		})
	}
}

// days is a tab in which a user does a day's work.
type days struct {
	*tab
	sc        screen
	passwords map[string]string // one-time password of each user that the admin added
}

// firstSignIn signs in with the one-time password and chooses a new password.
func (d *days) firstSignIn(name string) {
	d.Helper()
	d.visit("/login")
	d.fill("username", name)
	d.fill("password", d.passwords[name])
	d.follow(chromedp.Submit(field("password")))
	d.fill("old", d.passwords[name])
	d.fill("password", password)
	d.fill("again", password)
	d.button("Change password")
}

// admin sets up warehouses, stores, staff, products, users, and a customer with a
// subscription. The admin then ships the first order and records its return.
func (d *days) admin() {
	d.wantText("Set up your business", "Add a warehouse", "Add a user")
	d.check("first run", d.sc)

	d.link("Add a warehouse")
	d.check("new warehouse", d.sc)
	d.add("Add warehouse", map[string]string{"name": "Göteborg", "street": "Hamngatan", "number": "1", "city": "Göteborg", "country": "Sweden"})
	warehouse := d.path()
	d.wantText("Warehouse added.", "Hamngatan 1")

	d.visit("/")
	d.link("Add a store")
	d.add("Add store", map[string]string{"name": "Brygga", "city": "Lund"})
	d.wantText("Store added.")
	d.link("Add kayak")
	d.check("new kayak", d.sc)
	d.add("Add kayak", map[string]string{"name": "Heron 10", "kind": "Sea", "rate": "35"})
	d.wantText("Kayak added.", "Heron 10", "€35.00")
	d.check("kayak", d.sc)
	d.link("Brygga")
	d.link("Add kayak")
	d.add("Add kayak", map[string]string{"name": "Heron 13", "rate": "38"})

	d.visit("/")
	d.link("Add a product")
	d.add("Add product", map[string]string{"name": "Tea jar", "price": "49.50", "sku": "JAR-001"})
	d.wantText("Product added.")
	product := d.path()
	d.visit(product + "/stock/" + warehouse[len("/warehouses/"):] + "/receive")
	d.add("Receive goods", map[string]string{"quantity": "10", "reason": "first delivery"})

	d.visit("/reference/jobs/new")
	d.add("Add job", map[string]string{"name": "Account rep"})
	d.visit("/")
	d.link("Add an employee")
	d.check("new employee", d.sc)
	d.add("Add employee", map[string]string{"name": "Maja Ek", "job": "account rep", "warehouse": "göteborg", "street": "Storgatan"})
	d.wantText("Employee added.", "Maja Ek", "Account rep", "Göteborg", "Storgatan")
	d.check("employee", d.sc)

	d.visit("/")
	d.wantText("Done:")
	d.link("Add a user")
	d.addUser("mia", "support", "")
	d.visit("/")
	if got := d.text("main"); strings.Contains(got, "Set up your business") {
		d.Errorf("after the last step: got the card, want none: %s", got)
	}
	d.addUser("kim", "manager", "Brygga")
	d.addUser("eva", "viewer", "")

	d.visit("/customers/new")
	d.add("Add customer", map[string]string{"name": "Maja Nyström", "email": "maja@example.com", "phones": "+46 70 555 01 00", "rep": "maja ek", "city": "Kiel"})
	d.wantText("Customer added.", "Maja Ek")
	d.activate(linkTo("/accounts/"))
	d.link("New subscription")
	d.add("Create subscription", map[string]string{"sku": "PLAN-TEA", "plan": "Tea every month", "amount": "12.99", "day": "28"})
	d.wantText("Subscription created.", "28 Dec 2026", "€12.99")

	d.visit("/orders/new")
	d.fill("customer", "maja@example.com")
	d.fill("product-1", "JAR-001")
	d.fill("quantity-1", "2")
	d.button("Review total")
	d.button("Place order")
	order := d.path()
	d.wantText("Order placed.", "€99.00", "Tea jar")
	d.visit(order + "/ship?warehouse=" + warehouse[len("/warehouses/"):])
	d.button("Pack shipment")
	d.wantText("Shipment packed.", "Packed")
	d.activate(chromedp.Search(`//main//h3/a[starts-with(@href, "/shipments/")]`))
	d.link("Mark as shipped")
	d.button("Mark as shipped")
	d.wantText("Shipment updated.")
	d.visit(order + "/return")
	d.add("Record return", map[string]string{"quantity-1": "1", "why": "wrong colour"})
	d.wantText("Return recorded.", "wrong colour")

	d.visit("/products/new")
	d.add("Add product", map[string]string{"name": "Bar stool", "price": "20"})
	d.visit(d.path() + "/archive")
	d.check("archive", d.sc)
	d.add("Archive product", map[string]string{"why": "sold out"})
	d.wantText("Product archived.", "Archived")
	d.check("archived product", d.sc)
}

// addUser adds a user and stores the one-time password in d. The argument scope is the name
// of a warehouse or store, or "".
func (d *days) addUser(name, role, scope string) {
	d.Helper()
	d.visit("/admin/users")
	d.fill("name", name)
	d.fill("role", role)
	if scope != "" {
		d.fill("scope", scope)
	}
	d.button("Add user")
	d.wantText("The one-time password of " + name)
	if d.passwords == nil {
		d.passwords = map[string]string{}
	}
	d.passwords[name] = d.text("code.secret")
}

// support finds a caller by family name and corrects the phone number. Support then
// places two orders, cancels one of them, and pauses a subscription.
func (d *days) support() {
	d.visit("/search?q=nystr")
	d.link("Maja Nyström")
	d.wantText("+46 70 555 01 00", "maja@example.com")
	d.link("Edit")
	d.fill("phones", "+46 70 555 01 99")
	d.button("Save customer")
	d.wantText("+46 70 555 01 99")
	for range 2 { // the first order stays unpaid
		d.visit("/search?q=nystr")
		d.link("Maja Nyström")
		d.link("New order")
		d.fill("product-1", "tea jar")
		d.fill("quantity-1", "2")
		d.button("Review total")
		d.wantText("Maja Nyström", "Place order")
		d.button("Place order")
		d.wantText("Order placed.", "Maja Nyström", "+46 70 555 01 99")
	}
	d.check("order for a call", d.sc)
	d.link("Cancel order")
	d.fill("why", "changed her mind")
	d.button("Cancel order")
	d.wantText("Cancelled", "changed her mind")
	d.link("Maja Nyström")
	d.check("customer for a call", d.sc)
	d.activate(linkTo("/accounts/"))
	d.wantText("Subscription to Tea every month")
	d.activate(action("Pause"))
	d.button("Pause subscription")
	d.wantText("Subscription paused.", "Paused")
}

// manager rents two kayaks to a new customer without a booking. One of the kayaks is
// returned damaged.
func (d *days) manager() {
	d.visit("/stores")
	d.link("Brygga")
	d.link("Check out")
	if d.sc.noScript {
		d.fill("person", "Noa Mizrahi")
		d.do(chromedp.Click(chromedp.CSS(`[name=person-id][value=new]`)))
		d.fill("new-name", "Noa Mizrahi")
		d.fill("kayaks", "HERON 10\nheron 13")
	} else {
		d.suggest("person", "Noa Mizrahi")
		d.do(chromedp.Click(chromedp.CSS("[role=option]:last-child")))
		d.do(typeKeys(field("kayaks"), "HERON 10\nheron 13\n"))
	}
	d.fill("new-phone", "+49 151 1234 5678")
	d.fill("due", "2026-12-08")
	d.check("check-out", d.sc)
	d.button("Continue")
	d.wantText("Noa Mizrahi", "New customer", "Heron 10", "Heron 13")
	d.button("Check out 2 kayaks")
	d.wantText("Heron 10 (", "Heron 13 (", "checked out to Noa Mizrahi until 8 Dec 2026.")
	d.link("Check in")
	d.fill("kayaks", "Heron 13")
	d.button("Show charge")
	d.wantText("Noa Mizrahi", "Heron 10", "Check in too")
	d.fill("damage-1", "Hole below the seat")
	d.do(chromedp.Click(field("repair-1")))
	d.fill("charge-paid", "CARD")
	d.check("check-in", d.sc)
	d.follow(chromedp.Click(chromedp.Search(`//button[starts-with(normalize-space(.), "Check in for")]`)))
	d.wantText("Checked in from Noa Mizrahi: Heron 13 (", "Sent for repair: Heron 13 (", "Heron 10")
	d.link("Heron 13")
	d.wantText("In repair", "Hole below the seat")
}

// viewer finds last month's unpaid invoices and exports them.
func (d *days) viewer() {
	d.visit("/invoices")
	d.wantText("€49.50", "€99.00")
	d.link("Unpaid")
	if d.sc.width < 500 {
		d.do(chromedp.Click(chromedp.CSS("main details > summary")))
	}
	d.fill("from", "last month")
	d.fill("to", "last month")
	d.button("Apply")
	d.wantText("Maja Nyström", "€49.50", "1 invoice")
	d.check("unpaid invoices", d.sc)
	name, file := d.download(named("a", "CSV"))
	if rows := strings.Split(strings.TrimSpace(file), "\n"); len(rows) != 2 || !strings.Contains(rows[1], "Maja Nyström") || !strings.Contains(rows[1], "2026-11-30") || !strings.HasSuffix(name, ".csv") {
		d.Errorf("got file %s\n%s\nwant the invoice of last month only", name, file)
	}
}

// TestOrder_ForNewCaller places an order for a caller who is not a customer yet, and
// corrects an invalid quantity. The form must offer to add the customer.
func TestOrder_ForNewCaller(t *testing.T) {
	sc := screen{width: 390}
	for name, choose := range map[string]func(*tab){
		"suggestion": func(b *tab) {
			b.suggest("customer", "Noa Mizrahi")
			b.do(chromedp.Click(chromedp.CSS("[role=option]")))
		},
		"radio button": func(b *tab) {
			b.do(chromedp.Click(chromedp.CSS("[name=customer-id][value=new]")))
			b.fill("new-name", "Noa Mizrahi")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := serveStaff(t, sc, store.User{Name: "mia", Role: store.Support})
			b.visit("/orders/new")
			b.suggest("product-1", "jar")
			b.do(chromedp.Click(chromedp.CSS("[role=option]")))
			choose(b)
			b.fill("new-phone", "+49 151 1234 5678")
			b.fill("street", "Hafenstraße")
			b.check("order with a new customer", sc)
			b.fill("quantity-1", "abc")
			b.button("Review total")
			b.wantText("Enter a whole number from 1")
			b.check("order with an invalid quantity", sc)
			b.fill("quantity-1", "2")
			b.button("Review total")
			b.wantText("Noa Mizrahi", "New customer", "Hafenstraße", "Tea jar", "€98.00")
			b.check("review of an order with a new customer", sc)
			b.button("Place order")
			b.wantText("Order placed.", "Noa Mizrahi", "+49 151 1234 5678")
			b.visit(b.path() + "/edit")
			b.fill("quantity-1", "abc")
			b.button("Review changes")
			b.wantText("Enter a whole number from 0")
			b.check("correction with an invalid quantity", sc)
		})
	}
}

// TestPick_AddsProduct checks that the form of a new order offers to add an unknown
// product.
func TestPick_AddsProduct(t *testing.T) {
	for _, sc := range []screen{{width: 1280, dark: true}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := serveStaff(t, sc, store.User{Name: "ann", Role: store.Admin})
			b.visit("/orders/new?customer=c90")
			b.fill("quantity-1", "3")
			if sc.noScript {
				b.fill("product-1", "Milk jug")
				b.button("Review total")
				b.wantText("Add “Milk jug”")
				b.do(chromedp.Click(chromedp.CSS(`[name=product-1-id]`)))
				b.button("Review total")
			} else {
				b.suggest("product-1", "Milk jug")
				b.check("offer to add a product", sc)
				b.follow(chromedp.Click(chromedp.CSS("[role=option]")))
			}
			b.wantText("After you save, you return to the form that you started.")
			b.check("product of an order", sc)
			b.fill("price", "12")
			b.button("Add product")
			if sc.noScript {
				b.button("Continue")
			}
			b.waitFor(chromedp.Evaluate[bool](`document.readyState === "complete" && !!document.querySelector("[name=product-1-id]:checked")`), "the order")
			b.button("Review total")
			b.wantText("Maja Nyström", "Milk jug", "€36.00")
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
