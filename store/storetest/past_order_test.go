package storetest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// pastImage is the whole test shop with the records that the changes in undoables
// need.
var pastImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	shop := storetest.NewShop()
	loadUndoable(t, s, shop.Entities())
})

// importedOrder is an order of the shop. It was imported, so its history begins with its
// first change.
const importedOrder = "o0000"

// orderedProducts are products that the warehouse w0 has.
var orderedProducts = []string{"p07", "p08", "p10", "p11", "p13", "p14"}

// orderChanges are changes of the order u.order. They return an error if the order's state
// does not allow them.
var orderChanges = map[string]func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error{
	"place": func(u *undoTest, _ *store.OrderDetails, r *rand.Rand) error {
		basket := store.Basket{Customer: u.buyer}
		for _, n := range r.Perm(len(orderedProducts))[:1+r.IntN(4)] {
			basket.Lines = append(basket.Lines, store.BasketLine{Product: orderedProducts[n], Quantity: 1 + r.IntN(5)})
		}
		quote, err := u.access.Quote(u.Context(), basket)
		if err != nil {
			return err
		}
		id, err := u.access.PlaceOrder(u.Context(), store.NewOrder{Basket: basket, Total: quote.Total}, u.token())
		if err == nil {
			u.order = id
		}
		return err
	},
	"edit": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		e := store.OrderEdit{OrderID: d.ID, Version: d.Version}
		for _, n := range r.Perm(len(orderedProducts))[:1+r.IntN(3)] {
			e.Lines = append(e.Lines, store.BasketLine{Product: orderedProducts[n], Quantity: r.IntN(6)})
		}
		quote, err := u.access.QuoteOrderEdit(u.Context(), e)
		if err != nil {
			return err
		}
		e.Total = quote.Total
		return u.access.EditOrder(u.Context(), e, u.token())
	},
	"address": func(u *undoTest, d *store.OrderDetails, _ *rand.Rand) error {
		o := d.Order
		o.ShipTo.City, o.ShipTo.Street = u.token(), evilText
		return u.access.SaveShipTo(u.Context(), o, u.token())
	},
	"ship": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		some := someOf(d, r, (*store.OrderItem).Open)
		return u.access.ShipItems(u.Context(), store.ShipmentRequest{OrderID: d.ID, Version: d.Version, WarehouseID: "w0", Quantities: some, Carrier: "Post"}, u.token())
	},
	"advance": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		if len(d.Shipments) == 0 {
			return &store.Error{Kind: store.Invalid}
		}
		s := d.Shipments[r.IntN(len(d.Shipments))].Shipment
		return u.access.AdvanceShipment(u.Context(), store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: s.Next(), Tracking: u.token()}, u.token())
	},
	"unpack": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		if len(d.Shipments) == 0 {
			return &store.Error{Kind: store.Invalid}
		}
		s := d.Shipments[r.IntN(len(d.Shipments))].Shipment
		return u.access.UnpackShipment(u.Context(), store.Unpacking{ShipmentID: s.ID, Version: s.Version, Why: "wrong box"}, u.token())
	},
	"return": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		returnable := u.access.Returnable(d)
		some := someOf(d, r, func(line *store.OrderItem) int { return returnable[line.ProductID] })
		return u.access.ReturnItems(u.Context(), store.ReturnRequest{OrderID: d.ID, Version: d.Version, Quantities: some, WarehouseID: "w0", Why: "broken"}, u.token())
	},
	"cancel": func(u *undoTest, d *store.OrderDetails, _ *rand.Rand) error {
		return u.access.CancelOrder(u.Context(), store.Cancellation{OrderID: d.ID, Version: d.Version, Why: "changed their mind"}, u.token())
	},
	"pay": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		i := d.Invoices[r.IntN(len(d.Invoices))]
		card := store.Payment{Type: "Visa", Amount: i.BalanceDue(), Data: "1234"}
		if half := store.MinorUnits(100); card.Amount.Compare(half) > 0 && r.IntN(2) == 0 {
			card.Amount = half
		}
		return u.access.RecordPayment(u.Context(), store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Rest: card}, u.token())
	},
	"refund": func(u *undoTest, d *store.OrderDetails, r *rand.Rand) error {
		i := d.Invoices[r.IntN(len(d.Invoices))]
		for n, left := range i.Refundable() {
			if left.Sign() > 0 {
				return u.access.Refund(u.Context(), store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[n].ID, Amount: left, Credit: i.RefundCredit(left), Why: "sorry"}, u.token())
			}
		}
		return &store.Error{Kind: store.Invalid}
	},
	"receive": func(u *undoTest, _ *store.OrderDetails, r *rand.Rand) error {
		product := orderedProducts[r.IntN(len(orderedProducts))]
		item, err := u.access.StockItem(u.Context(), product, "w0")
		if err != nil {
			return err
		}
		return u.access.ReceiveStock(u.Context(), store.StockForm{ProductID: product, WarehouseID: "w0", Seen: item.Version, Token: u.token(), Reason: "because"}, 20)
	},
}

// someOf returns random quantities of some lines. The function most returns the maximum
// quantity of a line.
func someOf(d *store.OrderDetails, r *rand.Rand, most func(*store.OrderItem) int) map[string]int {
	quantities := map[string]int{}
	for i := range d.Items {
		if n := most(&d.Items[i]); n > 0 && r.IntN(3) > 0 {
			quantities[d.Items[i].ProductID] = 1 + r.IntN(n)
		}
	}
	return quantities
}

// changeOrder makes the change with this name in orderChanges.
func changeOrder(u *undoTest, name string, r *rand.Rand) error {
	d, err := u.access.Order(u.Context(), u.order)
	if err != nil {
		return err
	}
	return orderChanges[name](u, d, r)
}

func orderState(d store.OrderDetails) any {
	d.Events = nil
	return d
}

func (u *undoTest) firstInvoice() string {
	u.Helper()
	d, err := u.access.Order(u.Context(), u.order)
	if err != nil {
		u.Fatal(err)
	}
	return d.Invoices[0].ID
}

// orderEvents reads the events of the order with their values, oldest first.
func (u *undoTest) orderEvents() []store.Event {
	u.Helper()
	d, err := u.access.Order(u.Context(), u.order)
	if err != nil {
		u.Fatal(err)
	}
	return d.Events
}

// onOrders runs a test on the whole test shop, on each engine.
func onOrders(t *testing.T, test func(u *undoTest, clock *storetest.Clock)) {
	pastImage.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		u := &undoTest{T: t, store: s, access: s.As(admin), buyer: "c03"}
		clock.Advance(time.Hour)
		if err := s.AddUser(t.Context(), *admin, "correct horse battery", "test"); err != nil {
			t.Fatal(err)
		}
		test(u, clock)
	})
}

// TestPastOrder_OfLargeOrder checks the earlier states of an order with 80 lines,
// whose cancellation takes several transactions. No event may be too large.
func TestPastOrder_OfLargeOrder(t *testing.T) {
	onOrders(t, func(u *undoTest, clock *storetest.Clock) {
		const lines = 80
		date := storetest.Now.Add(-time.Hour)
		order := store.Order{ID: "large", CustomerID: "c03", Date: date, Status: store.OrderOpen, ItemCount: lines, Total: store.MinorUnits(lines * 100), ShipmentState: store.NothingShipped, PaymentState: store.InvoiceUnpaid, Version: 1}
		loaded := []store.Entity{&order, &store.Invoice{ID: "large", OrderID: "large", CustomerID: "c03", Date: date, Amount: order.Total, Status: store.InvoiceUnpaid, Version: 1}}
		for n := range lines {
			loaded = append(loaded, &store.OrderItem{OrderID: "large", ProductID: fmt.Sprintf("%026d", n), CustomerID: "c03", Date: date, Name: strings.Repeat("n", 200), Price: store.MinorUnits(100), Quantity: 1, Version: 1})
		}
		if result, err := u.store.Load(u.Context(), loaded, store.LoadOptions{}); err != nil || len(result.Rejected) > 0 {
			u.Fatal(err, result.Rejected)
		}
		u.order = "large"
		clock.Advance(time.Hour)
		before, start := u.stateOf("order"), clock.Now()
		clock.Advance(time.Hour)
		if err := changeOrder(u, "cancel", nil); err != nil {
			u.Fatal(err)
		}
		cancelled, end := u.stateOf("order"), clock.Now()
		events := u.orderEvents()
		if len(events) < 2 {
			u.Errorf("got %d events, want one for each transaction", len(events))
		}
		for _, e := range events {
			var values []store.EventValue
			if err := json.Unmarshal([]byte(e.Values), &values); err != nil || len(values) == 0 || len(e.Values) > 10_000 {
				u.Errorf("%s: got %d bytes of values, want 1 to 10,000: %v", e.What, len(e.Values), err)
			}
		}
		for _, moment := range []struct {
			at   time.Time
			want any
		}{{start, before}, {end, cancelled}} {
			past, err := u.access.OrderAt(u.Context(), "large", moment.at)
			if err != nil || !past.HasState() {
				u.Fatalf("got error %v, gap %q of %q, want a state", err, past.Gap, past.What.What)
			}
			if got, want := withoutVersions(u.T, orderState(past.Order)), withoutVersions(u.T, moment.want); got != want {
				u.Errorf("at %v: got\n%s\nwant\n%s", moment.at, got, want)
			}
		}
	})
}

// stateOf returns the present state of the record of this kind; see pastKinds.
func (u *undoTest) stateOf(kind string) any {
	u.Helper()
	state, err := pastKinds[kind].now(u)
	if err != nil {
		u.Fatal(err)
	}
	return state
}

// TestPastOrder_WithoutValues checks the earlier states of two orders whose history is
// incomplete. The event of one has no values, as in imports and earlier versions. The
// other one was imported without events.
func TestPastOrder_WithoutValues(t *testing.T) {
	onOrders(t, func(u *undoTest, clock *storetest.Clock) {
		when := clock.Now()
		events := []store.Entity{
			&store.Event{ID: "01J0000000000000000000000A", Partition: "o#" + importedOrder, When: when, By: "kim", What: store.EventOrderShipped, Before: "PARTIAL", After: "PARTIAL"},
		}
		if result, err := u.store.Load(u.Context(), events, store.LoadOptions{}); err != nil || len(result.Rejected) > 0 {
			u.Fatal(err, result.Rejected)
		}
		clock.Advance(time.Hour)
		past, err := u.access.OrderAt(u.Context(), importedOrder, when.Add(-time.Minute))
		if err != nil || past.Gap != store.PastNoValues || !past.Since.Equal(when) {
			u.Errorf("got the gap %q since %v and %v, want no values since %v", past.Gap, past.Since, err, when)
		}
		if past, err := u.access.OrderAt(u.Context(), importedOrder, when.Add(time.Minute)); err != nil || !past.IsKnown() {
			u.Errorf("after the event: got %v, gap %q, want a known state", err, past.Gap)
		}
		if past, err := u.access.OrderAt(u.Context(), "o0200", storetest.Now.AddDate(-1, 0, 0)); err != nil || past.Gap != store.PastNotAdded {
			u.Errorf("before the date of an order: got %v, gap %q, want the gap for an order that was not added yet", err, past.Gap)
		}
		now, err := u.access.Order(u.Context(), "o0200")
		if err != nil || len(now.Shipments) != 1 {
			u.Fatalf("got %d shipments, %v, want 1", len(now.Shipments), err)
		}
		if past, err := u.access.OrderAt(u.Context(), "o0200", now.Shipments[0].Date.Add(-time.Minute)); err != nil || len(past.Order.Shipments) > 0 || len(past.Order.Invoices) != 1 {
			u.Errorf("before the shipment: got %d shipments and %d invoices, %v; want 0 and 1", len(past.Order.Shipments), len(past.Order.Invoices), err)
		}
	})
}

// TestPastOrder_BeforePlacing asks for the state of an order before it was placed. Many
// later events do not contain its state. The gap must nevertheless say that the order was
// not added yet.
func TestPastOrder_BeforePlacing(t *testing.T) {
	onOrders(t, func(u *undoTest, clock *storetest.Clock) {
		before := clock.Now().Add(-time.Minute)
		if err := orderChanges["place"](u, nil, rand.New(rand.NewPCG(1, 2))); err != nil {
			u.Fatal(err)
		}
		placed := clock.Now()
		clock.Advance(time.Hour)
		var events []store.Entity
		for range store.MaxPastEvents {
			events = append(events, &store.Event{ID: u.token(), Partition: "o#" + u.order, When: clock.Now(), By: "kim", What: store.EventNote, After: "rang"})
		}
		if result, err := u.store.Load(u.Context(), events, store.LoadOptions{}); err != nil || len(result.Rejected) > 0 {
			u.Fatal(err, result.Rejected)
		}
		past, err := u.access.OrderAt(u.Context(), u.order, before)
		if err != nil || past.Gap != store.PastNotAdded || !past.Since.Equal(placed.Truncate(time.Second)) {
			u.Errorf("got the gap %q since %v and %v, want an order that was added at %v", past.Gap, past.Since, err, placed)
		}
	})
}

// TestPastOrder_AfterErasure erases the person of an order. The order must then have no name
// and no address of the person, its events must have no values and no address, and the
// earlier state must be unknown.
func TestPastOrder_AfterErasure(t *testing.T) {
	onOrders(t, func(u *undoTest, clock *storetest.Clock) {
		const buyer, secret = "Ottilie", "Hidden Lane"
		u.order = importedOrder
		var err error
		if u.buyer, err = u.access.AddCustomer(u.Context(), store.Customer{Name: buyer, Email: "ottilie@example.com"}, u.token()); err != nil {
			u.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		var start time.Time
		for _, name := range append([]string{"place", "address", "ship", "advance", "advance", "cancel"}, slices.Repeat([]string{"pay"}, 20)...) {
			if name == "ship" {
				start = clock.Now()
			}
			clock.Advance(time.Minute)
			if name == "address" {
				d, err := u.access.ShipToForChange(u.Context(), u.order)
				if err != nil {
					u.Fatal(err)
				}
				d.ShipTo.Street = secret
				if err := u.access.SaveShipTo(u.Context(), *d, u.token()); err != nil {
					u.Fatal(err)
				}
				continue
			}
			if err := changeOrder(u, name, r); err != nil && store.KindOf(err) != store.Invalid {
				u.Fatalf("%s: %v", name, err)
			}
		}
		for _, e := range u.orderEvents() {
			if e.What == store.EventOrderAddressEdited && !strings.Contains(e.Values, secret) {
				u.Errorf("got no address in the event before the erasure, want it there")
			}
		}
		if order, err := u.access.Order(u.Context(), u.order); err != nil || order.CustomerName != buyer || order.ShipTo.Street != secret {
			u.Fatalf("got %v, the name %q and the street %q before the erasure, want those of the person", err, order.CustomerName, order.ShipTo.Street)
		}
		if _, err := u.access.ErasePerson(u.Context(), u.buyer); err != nil {
			u.Fatal(err)
		}
		for _, e := range u.orderEvents() {
			if e.Values != "" || strings.Contains(e.Before+e.After+e.Why, secret) {
				u.Errorf("%s: got values %q or texts about the person after the erasure, want none", e.What, e.Values)
			}
		}
		past, err := u.access.OrderAt(u.Context(), u.order, start)
		if err != nil || past.Gap != store.PastErased {
			u.Errorf("got %v, gap %q, want erased", err, past.Gap)
		}
		order, err := u.access.Order(u.Context(), u.order)
		if err != nil || order.CustomerName == buyer || order.ShipTo.Street == secret {
			u.Errorf("got %v, the name %q and the street %q after the erasure, want none of the person", err, order.CustomerName, order.ShipTo.Street)
		}
	})
}
