package storetest_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// selling is a Store that contains the test shop, for tests that place and change orders.
type selling struct {
	*testing.T
	store *store.Store
	admin store.Access
	shop  storetest.Shop
}

// sell runs a test on each engine, with the small shop. The lists have two shards.
func sell(t *testing.T, test func(s *selling)) {
	sellingImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		test(&selling{t, s, s.As(admin), storetest.NewSmallShop()})
	})
}

var sellingImage = imageIn(2, storetest.NewSmallShop)

// placeOrder places an order of customer c07: 3 of p10, 2 of p11, 1 of p12.
func (s *selling) placeOrder() string {
	s.Helper()
	id, err := s.admin.PlaceOrder(s.Context(), s.sampleOrder(), s.store.NewToken())
	if err != nil {
		s.Fatal(err)
	}
	return id
}

func (s *selling) sampleOrder() store.NewOrder {
	basket := store.Basket{Customer: "customer7@example.com", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}, {Product: "SKU-11", Quantity: 2}, {Product: "p12", Quantity: 1}}}
	return store.NewOrder{Basket: basket, Total: store.MinorUnits(3*110 + 2*111 + 112)}
}

func (s *selling) order(id string) *store.OrderDetails {
	s.Helper()
	order, err := s.admin.Order(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return order
}

// counted returns today's total of orders.
func (s *selling) counted() store.DayTotal {
	s.Helper()
	totals, err := s.admin.Totals(s.Context(), store.TotalOrders, store.DateRange{From: storetest.Now, To: storetest.Now})
	if err != nil || len(totals) > 1 {
		s.Fatal(totals, err)
	}
	if len(totals) == 0 {
		return store.DayTotal{}
	}
	return totals[0]
}

// refused checks that err has this kind and is about this field. If field is "", the
// error must be about no field.
func (s *selling) refused(what string, err error, kind store.Kind, field string) {
	s.Helper()
	var e *store.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Field != field {
		s.Errorf("%s: got %v, want kind %d at %q", what, err, kind, field)
	}
}

func (s *selling) done(what string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
}

// orderIDOf returns the ID of the order that a form with this token creates: the last ten
// characters of the token, the first of them as a digit.
func orderIDOf(token string) string {
	first := strings.IndexByte("0123456789ABCDEFGHJKMNPQRSTVWXYZ", token[16])
	return strconv.Itoa(first%10) + token[17:]
}

func TestPlaceOrder_CreatesOrderAndInvoice(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		id, err := s.admin.PlaceOrder(ctx, s.sampleOrder(), token)
		s.done("placing", err)
		again, err := s.admin.PlaceOrder(ctx, s.sampleOrder(), token)
		if err != nil || again != id || id != orderIDOf(token) {
			s.Errorf("same form again: got %s, %v, want the same order again", again, err)
		}
		o := s.order(id)
		if o.CustomerName != s.shop.Customers[7].Name || o.Total.String() != "6.64" || o.ItemCount != 6 || o.Status != store.OrderOpen ||
			len(o.Items) != 3 || len(o.Invoices) != 1 || len(o.Events) != 1 || o.Events[0].By != admin.Name {
			s.Errorf("got order %+v, want a new order of three lines with an invoice and an event", o)
		}
		invoice := o.Invoices[0]
		if invoice.Amount.Compare(o.Total) != 0 || invoice.Status != store.InvoiceUnpaid || invoice.DueDate.Format("2006-01-02") != "2026-12-05" {
			s.Errorf("got invoice %+v, want an unpaid invoice of the total, due on 2026-12-05", invoice)
		}
		if total := s.counted(); total.Count != 1 || total.Amount.Compare(o.Total.Sum()) != 0 {
			s.Errorf("got totals %+v, want this order", total)
		}
		open, err := s.admin.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, true, store.Page{Limit: 2})
		if err != nil || !slices.ContainsFunc(open.Rows, func(o store.Order) bool { return o.ID == id }) {
			s.Errorf("got newest open orders %+v, %v, want the new order among them", open.Rows, err)
		}
	})
}

// TestPlaceOrder_AvoidsTakenIDs submits forms whose tokens lead to the IDs of other
// orders. Three of these orders have the same customer, and three have another customer.
// None of them has lines. They must stay as they are.
func TestPlaceOrder_AvoidsTakenIDs(t *testing.T) {
	sell(t, func(s *selling) {
		for _, customer := range []string{"c07", "c01"} {
			ctx, token := s.Context(), s.store.NewToken()
			first, second := orderIDOf(token), orderIDOf(store.SecondToken(token))
			taken := func(id string) *store.Order {
				return &store.Order{ID: id, CustomerID: customer, Date: storetest.Now, Status: store.OrderOpen, Version: 1}
			}
			_, err := s.store.Load(ctx, []store.Entity{taken(first)}, store.LoadOptions{})
			s.done("loading", err)
			for range 2 {
				id, err := s.admin.PlaceOrder(ctx, s.sampleOrder(), token)
				if err != nil || id != second {
					s.Fatalf("%s: got %s, %v, want %s", customer, id, err, second)
				}
			}
			changed := s.sampleOrder()
			changed.Lines[0].Quantity++
			_, err = s.admin.PlaceOrder(ctx, changed, token+".changed")
			s.refused("the same form with other values", err, store.Conflict, "")
			if o := s.order(first); o.CustomerID != customer || o.Version != 1 || len(o.Items)+len(o.Invoices)+len(o.Events) > 0 {
				s.Errorf("got order %+v, want it unchanged", o)
			}
			if o := s.order(second); len(o.Items) != 3 || len(o.Invoices) != 1 || len(o.Events) != 1 {
				s.Errorf("got order %+v, want a new order of three lines with an invoice and an event", o)
			}

			token = s.store.NewToken()
			_, err = s.store.Load(ctx, []store.Entity{taken(orderIDOf(token)), taken(orderIDOf(store.SecondToken(token)))}, store.LoadOptions{})
			s.done("loading", err)
			_, err = s.admin.PlaceOrder(ctx, s.sampleOrder(), token)
			s.refused("a form whose two IDs are taken", err, store.Conflict, "")
			for _, id := range []string{orderIDOf(token), orderIDOf(store.SecondToken(token))} {
				if o := s.order(id); o.CustomerID != customer || len(o.Items)+len(o.Events) > 0 {
					s.Errorf("got order %+v, want it unchanged", o)
				}
			}
		}
		if total := s.counted(); total.Count != 2*3+2 {
			s.Errorf("got %d orders in the totals, want three loaded ones for each customer and two placed ones", total.Count)
		}
	})
}

// TestPlaceOrder_WithoutCharge places an order for a product with the price 0. Its invoice
// must be paid, because nobody can record a payment of 0.
func TestPlaceOrder_WithoutCharge(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		_, err := s.store.Load(ctx, []store.Entity{&store.Product{ID: "sample", Name: "Sample", SKU: "SAMPLE", Version: 1}}, store.LoadOptions{})
		s.done("loading", err)
		basket := store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "sample", Quantity: 2}}}
		id, err := s.admin.PlaceOrder(ctx, store.NewOrder{Basket: basket}, s.store.NewToken())
		s.done("placing", err)
		check := func(what string, want store.OrderStatus) {
			s.Helper()
			o := s.order(id)
			if o.Status != want || o.PaymentState != store.InvoicePaid || len(o.Invoices) != 1 || o.Invoices[0].Status != store.InvoicePaid {
				s.Errorf("%s: got order %+v, want it %s, and its invoice paid", what, o, want)
			}
			found, _ := checkBusiness(s.T, s.store, store.BusinessCheck{Wait: atOnce})
			for _, f := range found {
				if f.PK == "o#"+id {
					s.Errorf("%s: got the finding %s", what, f.Text)
				}
			}
		}
		check("placed", store.OrderPaid)
		s.cancel(id)
		check("cancelled", store.OrderCancelled)
	})
}

// TestPlaceOrder_TwiceAtOnce submits a form with other values just before the order of its
// first submission is written. The two orders have the same ID, and no line in common. Only
// one of them must be placed.
func TestPlaceOrder_TwiceAtOnce(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		ctx, hooked := t.Context(), &hookedDB{DB: db}
		first, second := store.New(hooked, table, clock.Now), store.New(db, table, clock.Now)
		place := func(s *store.Store, customer, product string, price int64, token string) (string, error) {
			basket := store.Basket{Customer: customer, Lines: []store.BasketLine{{Product: product, Quantity: 1}}}
			return s.As(admin).PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: store.MinorUnits(price)}, token)
		}
		settings, err := second.Settings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		settings.Numbering = store.NumberByID // consecutive numbers would also make the second transaction fail
		if err := second.SaveSettings(ctx, settings, "test"); err != nil {
			t.Fatal(err)
		}
		token := second.NewToken()
		placed := ""
		hooked.beforeWrite = func() {
			var err error
			if placed, err = place(second, "c01", "p11", 111, token+".2"); err != nil {
				t.Fatal(err)
			}
		}
		if id, err := place(first, "c07", "p10", 110, token+".1"); store.KindOf(err) != store.Conflict {
			t.Errorf("got order %s, %v, want Conflict", id, err)
		}
		entities, err := storetest.Entities(ctx, db, table)
		if err != nil {
			t.Fatal(err)
		}
		var customers []string
		for _, e := range entities {
			if o, ok := e.(*store.Order); ok && o.ID == placed {
				customers = append(customers, o.CustomerID)
			}
		}
		if !slices.Equal(customers, []string{"c01"}) {
			t.Errorf("got orders of %v, want one order of c01", customers)
		}
	})
}

// TestPlaceOrder_OtherCustomer submits a form again with another customer and other
// products. This must not create another order.
func TestPlaceOrder_OtherCustomer(t *testing.T) {
	sell(t, func(s *selling) {
		token := s.store.NewToken()
		id, err := s.admin.PlaceOrder(s.Context(), s.sampleOrder(), token+".a")
		s.done("placing", err)
		other := store.NewOrder{Basket: store.Basket{Customer: "c01", Lines: []store.BasketLine{{Product: "p13", Quantity: 1}}}, Total: store.MinorUnits(113)}
		_, err = s.admin.PlaceOrder(s.Context(), other, token+".b")
		s.refused("the form with another customer", err, store.Conflict, "")
		if o := s.order(id); o.CustomerID != "c07" || len(o.Items) != 3 || s.counted().Count != 1 {
			s.Errorf("got order %+v, want only the first order", o)
		}
	})
}

func TestPlaceOrder_Invalid(t *testing.T) {
	sell(t, func(s *selling) {
		for what, tt := range map[string]struct {
			change func(*store.NewOrder)
			kind   store.Kind
			field  string
		}{
			"nobody":           {func(t *store.NewOrder) { t.Customer = "" }, store.Invalid, "customer"},
			"an unknown ID":    {func(t *store.NewOrder) { t.Customer = "c#1" }, store.Invalid, "customer"},
			"unknown e-mail":   {func(t *store.NewOrder) { t.Customer = "a@b" }, store.Invalid, "customer"},
			"nothing":          {func(t *store.NewOrder) { t.Lines = nil }, store.Invalid, "lines"},
			"unknown product":  {func(t *store.NewOrder) { t.Lines[0].Product = "\x00#" }, store.Invalid, "lines"},
			"a product twice":  {func(t *store.NewOrder) { t.Lines[0].Product = "p11" }, store.Invalid, "lines"},
			"quantity zero":    {func(t *store.NewOrder) { t.Lines[0].Quantity = 0 }, store.Invalid, "lines"},
			"too many":         {func(t *store.NewOrder) { t.Lines[0].Quantity = 10_000_000 }, store.Invalid, "lines"},
			"too many lines":   {func(t *store.NewOrder) { t.Lines = make([]store.BasketLine, store.MaxLines+1) }, store.Invalid, ""},
			"an earlier price": {func(t *store.NewOrder) { t.Total = store.MinorUnits(1) }, store.Conflict, ""},
		} {
			form := s.sampleOrder()
			tt.change(&form)
			_, err := s.admin.PlaceOrder(s.Context(), form, s.store.NewToken())
			s.refused(what, err, tt.kind, tt.field)
		}
		_, err := s.admin.PlaceOrder(s.Context(), s.sampleOrder(), "my own ID")
		s.refused("a token that is not a ULID", err, store.Invalid, "")
		if total := s.counted(); total.Count != 0 {
			s.Errorf("got %d orders in the totals, want none", total.Count)
		}
	})
}

// TestPlaceOrder_MaxLines checks that an order with the maximum number of lines
// fits into one transaction.
func TestPlaceOrder_MaxLines(t *testing.T) {
	sell(t, func(s *selling) {
		form := store.NewOrder{Basket: store.Basket{Customer: "c01"}}
		var products []store.Entity
		for n := range store.MaxLines {
			p := &store.Product{ID: s.store.NewToken(), Name: "Many", Price: store.MinorUnits(int64(n))}
			products = append(products, p)
			form.Lines = append(form.Lines, store.BasketLine{Product: p.ID, Quantity: 1})
			form.Total = form.Total.Plus(p.Price)
		}
		_, err := s.store.Load(s.Context(), products, store.LoadOptions{})
		s.done("loading", err)
		id, err := s.admin.PlaceOrder(s.Context(), form, s.store.NewToken())
		s.done("placing", err)
		order := s.order(id)
		if len(order.Items) != store.MaxLines {
			s.Errorf("got %d lines, want %d", len(order.Items), store.MaxLines)
		}
		s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: order.Version, Why: "x"}, ""))
	})
}

func TestCancelOrder(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id, token := s.Context(), s.placeOrder(), s.store.NewToken()
		cancelling := store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: " changed their mind 4111 1111 1111 1111 "}
		missing := cancelling
		missing.Why = " "
		s.refused("without a reason", s.admin.CancelOrder(ctx, missing, token), store.Invalid, "why")
		s.done("cancelling", s.admin.CancelOrder(ctx, cancelling, token))
		s.done("the same form", s.admin.CancelOrder(ctx, cancelling, token))
		s.refused("another form with the same version", s.admin.CancelOrder(ctx, cancelling, s.store.NewToken()), store.Conflict, "")
		o := s.order(id)
		if o.Status != store.OrderCancelled || !o.Items[0].Cancelled || o.Invoices[0].Status != store.InvoiceVoid || o.PaymentState != store.InvoiceVoid || len(o.Events) != 2 {
			s.Errorf("got order %+v, want it cancelled with a void invoice and two events", o)
		}
		if why := o.Events[1].Why; why != "changed their mind •••• 1111" {
			s.Errorf("got reason %q, want the card number masked", why)
		}
		if total := s.counted(); total.Count != 0 || total.Amount.Sign() != 0 {
			s.Errorf("got totals %+v, want no orders", total)
		}
		cancelling.Version = o.Version
		s.refused("a cancelled order", s.admin.CancelOrder(ctx, cancelling, s.store.NewToken()), store.Invalid, "")
		cancelling.OrderID = "none"
		s.refused("an unknown order", s.admin.CancelOrder(ctx, cancelling, s.store.NewToken()), store.NotFound, "")
	})
}

func TestAddNote(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		support := s.store.As(&store.User{Name: "kim", Role: store.Support})
		before := s.order("o0003").Version
		for range 2 {
			s.done("a note", support.NoteOnOrder(ctx, "o0003", "rang, nobody at home", token))
		}
		o := s.order("o0003")
		if len(o.Events) != 1 || o.Events[0].What != store.EventNote || o.Events[0].By != "kim" || o.Version != before {
			s.Errorf("got order %+v, want only a note by kim, and no new version", o)
		}
		s.done("a note", support.NoteOnCustomer(ctx, "c03", "calls back", s.store.NewToken()))
		s.refused("an empty note", support.NoteOnCustomer(ctx, "c03", " ", token), store.Invalid, "note")
		s.refused("an unknown customer", support.NoteOnCustomer(ctx, "none", "x", token), store.NotFound, "")
		s.refused("an unknown order", support.NoteOnOrder(ctx, "none", "x", token), store.NotFound, "")
		s.done("a note", support.NoteOnAccount(ctx, "c03", "pays by transfer", s.store.NewToken()))
		if events, err := support.EventsOfAccount(ctx, "c03", store.Page{}); err != nil || len(events.Rows) != 1 || events.Rows[0].Why != "pays by transfer" {
			s.Errorf("got events of the account %+v, %v, want one note", events.Rows, err)
		}
		s.refused("an unknown account", support.NoteOnAccount(ctx, "none", "x", token), store.NotFound, "")
	})
}

// TestQuota_FollowsOrders checks the quota of a rep after orders of the rep's
// customer are placed, cancelled and returned.
func TestQuota_FollowsOrders(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		_, err := s.store.Load(ctx, []store.Entity{&store.Employee{ID: "e1", Name: "Rep"}}, store.LoadOptions{})
		s.done("loading", err)
		customer := s.shop.Customers[7]
		customer.AccountRepID = "e1"
		s.done("saving", s.admin.SaveCustomer(ctx, customer, ""))
		sold := func(what string, orders int, total string) {
			s.Helper()
			quotas, err := s.admin.QuotasOfRep(ctx, "e1", store.Page{})
			if err != nil || len(quotas.Rows) != 1 || quotas.Rows[0].Orders != orders || quotas.Rows[0].OrderTotal.String() != total ||
				quotas.Rows[0].Period != store.QuarterOf(storetest.Now) || quotas.Rows[0].Name != "Rep" {
				s.Errorf("%s: got %+v, %v; want %d orders, %s", what, quotas.Rows, err, orders, total)
			}
		}
		first, second := s.placeOrder(), s.placeOrder()
		sold("two orders", 2, "13.28")
		s.done("cancelling", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: first, Version: 1, Why: "x"}, ""))
		sold("one cancelled", 1, "6.64")
		s.done("shipping", s.admin.ShipItems(ctx, s.packing(second, "w0", map[string]int{"p10": 2}), ""))
		s.send(second)
		s.done("recording a return", s.admin.ReturnItems(ctx, store.ReturnRequest{OrderID: second, Version: s.order(second).Version, Quantities: map[string]int{"p10": 1}, Why: "x"}, ""))
		sold("one returned", 1, "5.54")
	})
}
