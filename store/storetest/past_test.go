package storetest_test

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// pastSteps is the number of random changes in TestPast_EqualsRecordedState. Use 10000
// after a change to events or to store/past*.go.
var pastSteps = flag.Int("past-steps", 200, "number of random changes of the test of earlier states on each engine")

// pastKind is a kind of record whose earlier states TestPast_EqualsRecordedState compares.
type pastKind struct {
	now func(u *undoTest) (any, error)
	at  func(u *undoTest, at time.Time) (any, store.Past, error)
	// whenUnknown returns the part of a state that is known even if the history lacks
	// events. It is nil if there is no such part.
	whenUnknown func(state any) any
}

// pastKinds lists the kinds of records, each with one record that changeAtRandom changes.
var pastKinds = map[string]pastKind{
	"stock": {
		now: func(u *undoTest) (any, error) {
			item, err := u.access.StockItem(u.Context(), "p07", "w0")
			return *item, err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.StockAt(u.Context(), "p07", "w0", at)
			return past.Item, past.Past, err
		},
		whenUnknown: func(state any) any { return state.(store.WarehouseItem).Quantity },
	},
	"product": {
		now: func(u *undoTest) (any, error) {
			product, err := u.access.Product(u.Context(), "p07")
			if err != nil {
				return nil, err
			}
			stock, err := u.access.StockOfProduct(u.Context(), "p07")
			return store.PastProduct{Product: *product, Stock: stock, Places: len(stock)}, err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.ProductAt(u.Context(), "p07", at)
			known := past.Past
			past.Past = store.Past{}
			return *past, known, err
		},
		whenUnknown: func(state any) any {
			quantities := map[string]int{}
			for _, item := range state.(store.PastProduct).Stock {
				quantities[item.WarehouseID] = item.Quantity
			}
			return quantities
		},
	},
	"customer": {
		now: func(u *undoTest) (any, error) {
			c, err := u.access.Customer(u.Context(), "c03")
			return *c, err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.CustomerAt(u.Context(), "c03", at)
			return past.Customer, past.Past, err
		},
	},
	"kayak": {
		now: func(u *undoTest) (any, error) {
			k, err := u.access.Kayak(u.Context(), "k10")
			return *k, err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.KayakAt(u.Context(), "k10", at)
			return past.Kayak, past.Past, err
		},
	},
	"order": {
		now: func(u *undoTest) (any, error) {
			d, err := u.access.Order(u.Context(), u.order)
			if err != nil {
				return nil, err
			}
			return orderState(*d), nil
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.OrderAt(u.Context(), u.order, at)
			return orderState(past.Order), past.Past, err
		},
	},
	"invoice": {
		now: func(u *undoTest) (any, error) {
			i, err := u.access.Invoice(u.Context(), u.firstInvoice())
			if err != nil {
				return nil, err
			}
			notes, err := u.access.CreditNotesOfInvoice(u.Context(), i)
			return store.PastInvoice{Invoice: *i, CreditNotes: append([]store.CreditNote(nil), notes...)}, err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.InvoiceAt(u.Context(), u.firstInvoice(), at)
			known := past.Past
			past.Past = store.Past{}
			return *past, known, err
		},
	},
	"account": {
		now: func(u *undoTest) (any, error) {
			b, err := u.access.BillingOf(u.Context(), "c08")
			return subscriptionStates(b.Subscriptions), err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.AccountAt(u.Context(), "c08", at)
			return subscriptionStates(past.Subscriptions), past.Past, err
		},
	},
	"user": {
		now: func(u *undoTest) (any, error) {
			user, err := u.access.User(u.Context(), "kim")
			return userState(user), err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.UserAt(u.Context(), "kim", at)
			return userState(&past.User), past.Past, err
		},
	},
	"warehouse": {
		now: func(u *undoTest) (any, error) {
			w, err := u.access.Warehouse(u.Context(), "w0")
			if err != nil {
				return nil, err
			}
			stock, err := u.access.StockOfWarehouse(u.Context(), "w0", store.Page{})
			return warehouseState(*w, stock.Rows), err
		},
		at: func(u *undoTest, at time.Time) (any, store.Past, error) {
			past, err := u.access.WarehouseAt(u.Context(), "w0", at, store.Page{})
			if past.TooMany {
				past.Gap = store.PastTooMany
			}
			return warehouseState(past.Warehouse, past.Stock.Rows), past.Past, err
		},
	},
}

// userState returns the values of a user that the history stores.
func userState(u *store.User) any {
	return store.User{Name: u.Name, Role: u.Role, Warehouses: u.Warehouses, Stores: u.Stores, Disabled: u.Disabled}
}

// subscriptionStates returns the values of subscriptions that the history stores.
func subscriptionStates(all []store.Subscription) any {
	var states []any
	for _, s := range all {
		states = append(states, []any{s.ID, s.Status, s.Ending, s.PaymentDay, s.PaymentAmount, s.NextPaymentDate, s.NextAttemptDate, s.Attempt})
	}
	return states
}

// warehouseState returns a warehouse with the quantities of its stock list. It omits
// quantities of 0, because the history does not say when a product was first listed.
func warehouseState(w store.Warehouse, stock []store.WarehouseItem) any {
	quantities := map[string]int{}
	for _, item := range stock {
		if item.Quantity != 0 {
			quantities[item.ProductID] = item.Quantity
		}
	}
	return struct {
		store.Warehouse
		Quantities map[string]int
	}{w, quantities}
}

// recorded is the state of all kinds after a change.
type recorded struct {
	when   time.Time
	order  string // the order whose state is recorded
	states map[string]any
}

// TestPast_EqualsRecordedState makes random changes, and records the state after each.
// The earlier states that the store computes for some of these moments must equal the
// recorded ones. If a later part of the history is too long, a state may be unknown.
func TestPast_EqualsRecordedState(t *testing.T) {
	pastImage.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		u := &undoTest{T: t, store: s, access: s.As(admin), order: importedOrder, buyer: "c03"}
		for _, user := range []store.User{*admin, {Name: "kim", Role: store.Support}} {
			if err := s.AddUser(t.Context(), user, "correct horse battery", "test"); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Hour)
		r := rand.New(rand.NewPCG(7, 11))
		history := []recorded{u.record(clock.Now())}
		compared, unknown, made := map[string]int{}, map[string]int{}, map[string]int{}
		for step := range *pastSteps {
			clock.Advance(time.Duration(1+r.IntN(3_600_000)) * time.Millisecond)
			u.changeAtRandom(r, made)
			history = append(history, u.record(clock.Now()))
			if step%20 != 19 {
				continue
			}
			for range 4 {
				from := max(0, len(history)-300)
				n := from + r.IntN(len(history)-from)
				u.comparePast(history, n, compared, unknown)
			}
			if t.Failed() {
				t.Fatalf("got other earlier states than the recorded ones after step %d", step)
			}
		}
		t.Logf("changes %v, compared %v, of which unknown %v", made, compared, unknown)
		for name := range pastKinds {
			if compared[name] == unknown[name] {
				t.Errorf("got no known earlier state of the kind %s, want at least one", name)
			}
		}
	})
}

// unrelated lists the changes that changeAtRandom does not make: those that change no
// record of pastKinds, and the cancellation of the only subscription, after which no
// step could change it any more.
var unrelated = []store.EventCode{
	store.EventSubscriptionCancelled,
	store.EventViewSaved, store.EventViewEmailChanged, store.EventViewRenamed, store.EventViewDeleted, store.EventDeliveryEdited, store.EventQuotaTargetSet, store.EventReferenceEdited,
}

// changeAtRandom makes a random change. The store may reject the change, because the state
// of the record does not allow it.
func (u *undoTest) changeAtRandom(r *rand.Rand, made map[string]int) {
	u.Helper()
	codes := slices.DeleteFunc(slices.Sorted(maps.Keys(undoables)), func(code store.EventCode) bool {
		return slices.Contains(unrelated, code)
	})
	code := codes[r.IntN(len(codes))]
	change := undoables[code]
	steps := slices.DeleteFunc([]func(*undoTest) error{change.prepare, change.do, change.then}, func(f func(*undoTest) error) bool { return f == nil })
	switch r.IntN(10) {
	case 0:
		code, steps = "undo", []func(*undoTest) error{undoLast}
	case 1:
		code, steps = "sale", []func(*undoTest) error{sellOne}
	case 2:
		code, steps = "user", []func(*undoTest) error{changeRole, lock}
	case 3:
		code, steps = "rental", []func(*undoTest) error{checkOutK10, checkInK10}
	case 4:
		code, steps = "payment", []func(*undoTest) error{chargeInRun, chargeInRun, chargeByUser}
	}
	if r.IntN(3) == 0 {
		names := slices.Sorted(maps.Keys(orderChanges))
		name := names[r.IntN(len(names))]
		if d, err := u.access.Order(u.Context(), u.order); err == nil && !d.CanShip() && !d.CanReturn() {
			name = "place" // nothing is left to change
		} else if name == "place" || name == "cancel" && r.IntN(3) > 0 {
			name = "ship" // instead of a new or a cancelled order, so that each order gets more changes
		}
		code, steps = store.EventCode(name), []func(*undoTest) error{func(u *undoTest) error { return changeOrder(u, name, r) }}
	}
	err := steps[r.IntN(len(steps))](u)
	switch kind := store.KindOf(err); {
	case err == nil:
		made[string(code)]++
	case kind == store.Conflict || kind == store.Invalid || kind == store.NotFound:
	default:
		u.Fatalf("%s: %v", code, err)
	}
}

// chargeInRun charges the next payment of the account's subscription, as a run does.
func chargeInRun(u *undoTest) error {
	return chargePayment(u, func(s *store.Subscription) store.RunContext {
		return store.RunContext{Job: store.PaymentsJob, Date: s.NextAttemptDate}
	})
}

// chargeByUser charges the next payment as chargeInRun does, but as a user who retries it.
func chargeByUser(u *undoTest) error {
	return chargePayment(u, func(*store.Subscription) store.RunContext {
		return store.RunContext{Job: store.PaymentsJob, By: admin.Name, Token: u.token()}
	})
}

func chargePayment(u *undoTest, run func(*store.Subscription) store.RunContext) error {
	b, err := u.access.BillingOf(u.Context(), "c08")
	if err != nil {
		return err
	}
	s := &b.Subscriptions[0]
	if !s.Charged() {
		return &store.Error{Kind: store.Conflict, Message: "not charged"}
	}
	attempted, err := u.store.RecordAttempt(u.Context(), s, store.ServiceRecord, run(s))
	if err != nil {
		return err
	}
	_, err = u.store.RecordPayment(u.Context(), attempted, "", run(s))
	return err
}

// sellOne places an order and ships it from the warehouse w0. Neither adds an event to
// the product.
func sellOne(u *undoTest) error {
	basket := store.Basket{Customer: "c01", Lines: []store.BasketLine{{Product: "p07", Quantity: 1}}}
	quote, err := u.access.Quote(u.Context(), basket)
	if err != nil {
		return err
	}
	id, err := u.access.PlaceOrder(u.Context(), store.NewOrder{Basket: basket, Total: quote.Total}, u.token())
	if err != nil {
		return err
	}
	return u.access.ShipItems(u.Context(), store.ShipmentRequest{OrderID: id, Version: 1, WarehouseID: "w0", Quantities: map[string]int{"p07": 1}}, u.token())
}

// changeRole changes the role, the warehouses and the stores of the user kim.
func changeRole(u *undoTest) error {
	user, err := u.access.User(u.Context(), "kim")
	if err != nil {
		return err
	}
	if user.Role == store.Manager {
		return u.access.ChangeRole(u.Context(), "kim", user.Version, store.Support, nil, nil, u.token())
	}
	return u.access.ChangeRole(u.Context(), "kim", user.Version, store.Manager, []string{"w1"}, []string{"s1", "s2"}, u.token())
}

// lock locks or unlocks the user kim.
func lock(u *undoTest) error {
	user, err := u.access.User(u.Context(), "kim")
	if err != nil {
		return err
	}
	return u.access.SetLocked(u.Context(), "kim", user.Version, !user.Disabled, u.token())
}

func checkOutK10(u *undoTest) error {
	k, err := u.access.Kayak(u.Context(), "k10")
	if err != nil {
		return err
	}
	today, err := u.access.Today(u.Context())
	if err != nil {
		return err
	}
	out := store.CheckOut{StoreID: k.StoreID, KayakIDs: []string{"k10"}, Person: "c03", Due: today.AddDate(0, 0, 2)}
	_, err = u.access.CheckOut(u.Context(), out, u.token())
	return err
}

// checkInK10 checks in the kayak k10, with a new condition.
func checkInK10(u *undoTest) error {
	k, err := u.access.Kayak(u.Context(), "k10")
	if err != nil {
		return err
	}
	in := store.CheckIn{StoreID: k.StoreID, Kayaks: []store.ReturnedKayak{{ID: "k10", Condition: u.token()}}, Method: store.PayByCash}
	quote, err := u.access.QuoteCheckIn(u.Context(), k.StoreID, []string{"k10"})
	if err != nil {
		return err
	}
	in.Charge = quote.Total
	_, err = u.access.CheckIn(u.Context(), in, u.token())
	return err
}

// record returns the present states.
func (u *undoTest) record(now time.Time) recorded {
	u.Helper()
	states := map[string]any{}
	for name, kind := range pastKinds {
		state, err := kind.now(u)
		if err != nil {
			u.Fatalf("%s: %v", name, err)
		}
		states[name] = state
	}
	return recorded{now, u.order, states}
}

// comparePast compares a recorded state with the earlier state that the store returns for
// the same time.
func (u *undoTest) comparePast(history []recorded, n int, compared, unknown map[string]int) {
	u.Helper()
	defer func(present string) { u.order = present }(u.order)
	u.order = history[n].order
	for name, kind := range pastKinds {
		got, past, err := kind.at(u, history[n].when)
		if err != nil {
			u.Fatalf("%s: %v", name, err)
		}
		want := history[n].states[name]
		compared[name]++
		if !past.HasState() {
			unknown[name]++
			if past.Gap != store.PastTooMany || len(history)-n < 40 {
				u.Errorf("%s, %d changes ago: got the gap %q at %v, want a state", name, len(history)-1-n, past.Gap, past.Since)
			}
			if kind.whenUnknown == nil {
				continue
			}
			got, want = kind.whenUnknown(got), kind.whenUnknown(want)
		}
		if got, want := withoutVersions(u.T, got), withoutVersions(u.T, want); got != want {
			u.Errorf("%s, %d changes ago, at %v: got\n%s\nwant\n%s", name, len(history)-1-n, history[n].when, got, want)
		}
	}
}

func withoutVersions(t *testing.T, state any) string {
	t.Helper()
	text, err := json.Marshal(state)
	var decoded any
	if err == nil {
		err = json.Unmarshal(text, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "Version")
			for _, part := range v {
				strip(part)
			}
		case []any:
			for _, part := range v {
				strip(part)
			}
		}
	}
	strip(decoded)
	text, err = json.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestUserAt_FromProvider checks the earlier states of a user whom single sign-on created
// and changed.
func TestUserAt_FromProvider(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		before := clock.Now()
		for _, role := range []store.Role{store.Support, store.Viewer} {
			clock.Advance(time.Hour)
			if _, err := s.SignInFromProvider(t.Context(), store.ProviderUser{Issuer: "https://id.example", Subject: "1", Names: []string{"kim"}, Role: role}); err != nil {
				t.Fatal(err)
			}
		}
		past, err := s.As(admin).UserAt(t.Context(), "kim", before.Add(90*time.Minute))
		if err != nil || past.User.Role != store.Support || !past.IsKnown() {
			t.Errorf("got role %q, known %v, error %v; want support", past.User.Role, past.IsKnown(), err)
		}
		if past, err = s.As(admin).UserAt(t.Context(), "kim", before); err != nil || past.Gap != store.PastNotAdded {
			t.Errorf("before the user was added: got gap %q, error %v, want the gap of a user who was not added yet", past.Gap, err)
		}
	})
}

// TestBillingOf_LongHistory checks that a page shows the subscription of an account
// with more history entries than a page contains.
func TestBillingOf_LongHistory(t *testing.T) {
	sell(t, func(s *selling) {
		subscription := store.Subscription{ID: "s", AccountID: "customer7", SKU: "PLAN", Status: store.SubscriptionActive, PaymentDay: 1, NextPaymentDate: storetest.Now, Version: 1}
		if _, err := s.store.Load(s.Context(), []store.Entity{&subscription}, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		for range store.MaxLimit {
			if err := s.admin.NoteOnAccount(s.Context(), subscription.AccountID, "called", s.store.NewToken()); err != nil {
				s.Fatal(err)
			}
		}
		b, err := s.admin.BillingOf(s.Context(), subscription.AccountID)
		if err != nil || len(b.Subscriptions) != 1 || !b.More {
			s.Errorf("got %d subscriptions, more %v, error %v; want 1 and more", len(b.Subscriptions), b.More, err)
		}
	})
}
