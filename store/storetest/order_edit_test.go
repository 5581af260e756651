package storetest_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// edit quotes a change of an order's current version, and saves it with the total of the
// quote.
func (s *selling) edit(id string, lines ...store.BasketLine) error {
	s.Helper()
	e := store.OrderEdit{OrderID: id, Version: s.order(id).Version, Lines: lines}
	q, err := s.admin.QuoteOrderEdit(s.Context(), e)
	if err != nil {
		return err
	}
	e.Total = q.Total
	return s.admin.EditOrder(s.Context(), e, s.store.NewToken())
}

func line(product string, n int) store.BasketLine {
	return store.BasketLine{Product: product, Quantity: n}
}

// TestEditOrder changes, removes and adds lines of an order. The edit must also change
// everything that depends on the lines, such as the total and the stock levels, and add a
// second invoice for the difference. The first invoice must stay unchanged.
func TestEditOrder(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder() // 3 of p10 at 1.10, 2 of p11 at 1.11, 1 of p12 at 1.12
		before := [...]string{s.level("p10"), s.level("p11"), s.level("p13")}
		p10 := s.shop.Products[10]
		p10.Price = store.MinorUnits(999)
		s.done("new price", s.admin.SaveProduct(s.Context(), p10, s.store.NewToken()))

		s.done("edit", s.edit(id, line("p10", 5), line("p11", 0), line("SKU-13", 2)))
		o := s.order(id)
		if o.Total.String() != "8.88" || o.ItemCount != 8 || len(o.Items) != 3 || o.Status != store.OrderOpen {
			t.Errorf("got total %s, %d items, %d lines, %s; want 5 × 1.10 + 1.12 + 2 × 1.13", o.Total, o.ItemCount, len(o.Items), o.Status)
		}
		if first, second := o.Invoices[0], o.Invoices[1]; first.Amount.String() != "6.64" || second.Amount.String() != "2.24" || second.Status != store.InvoiceUnpaid || first.Number != 1 || second.Number != 2 {
			t.Errorf("got the invoices %+v, want the first one unchanged and a second one of the difference", o.Invoices)
		}
		if total := s.counted(); total.Count != 1 || total.Amount.Compare(o.Total.Sum()) != 0 {
			t.Errorf("got totals %+v, want one order of the new total", total)
		}
		edited := o.Events[1]
		if edited.What != store.EventOrderEdited || edited.By != admin.Name ||
			!strings.Contains(edited.Before, " 3, ") || !strings.Contains(edited.Before, " 2, ") || !strings.Contains(edited.Before, "total 6.64") ||
			!strings.Contains(edited.After, " 5, ") || !strings.Contains(edited.After, " –, ") || !strings.Contains(edited.After, "total 8.88") {
			t.Errorf("got event %+v, want the quantities and the total before and after", edited)
		}
		after := [...]string{s.level("p10"), s.level("p11"), s.level("p13")}
		t.Log(before, after)
		requireLevels(t, s.store)
		s.done("cancel", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: o.Version, Why: "x"}, ""))
		if total := s.counted(); total.Count != 0 || total.Amount.Sign() != 0 {
			t.Errorf("after the cancellation: got totals %+v, want no orders", total)
		}
		requireBooks(t, s.store, id)
	})
}

// requireBooks fails the test if the check of the business finds anything about an order or
// a stock level.
func requireBooks(t *testing.T, s *store.Store, orderID string) {
	t.Helper()
	if _, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
		if f.PK == "o#"+orderID || f.Rule == store.CheckStockLevel {
			t.Errorf("%s: %s", f.Rule, f.Text)
		}
	}}); err != nil {
		t.Error(err)
	}
}

// TestEditOrder_Shipped edits a partly shipped order. Shipped items must not be removed.
// After the other items are removed, the order must be shipped and reject further edits.
func TestEditOrder_Shipped(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("ship", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 2}), ""))
		q, err := s.admin.QuoteOrderEdit(s.Context(), store.OrderEdit{OrderID: id, Version: s.order(id).Version, Lines: []store.BasketLine{line("p10", 1)}})
		if err != nil || q.IsValid() || q.Lines[0].QuantityError != "Enter 2 or more. Already in shipments: 2." {
			t.Errorf("fewer than shipped: got %+v, %v, want the error of a quantity below the 2 shipped items", q, err)
		}
		s.refused("fewer than shipped", s.edit(id, line("p10", 1)), store.Invalid, store.FieldLines)
		s.done("only what is shipped", s.edit(id, line("p10", 2), line("p11", 0), line("p12", 0)))
		if o := s.order(id); o.Status != store.OrderShipped || o.Total.String() != "2.2" {
			t.Errorf("got %s of %s, want it shipped", o.Status, o.Total)
		}
		s.refused("after it shipped", s.edit(id, line("p10", 3)), store.Invalid, "")
		requireBooks(t, s.store, id)
	})
}

// TestEditOrder_Paid edits a paid order. A higher total must leave a balance due, and
// a lower total must leave an amount to refund.
func TestEditOrder_Paid(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		invoice := s.order(id).Invoices[0]
		s.done("pay", s.admin.RecordPayment(s.Context(), store.PaymentRequest{InvoiceID: invoice.ID, Version: invoice.Version, Rest: store.Payment{Type: "Visa", Amount: invoice.Amount, Data: "1234"}}, s.store.NewToken()))
		for _, tt := range []struct {
			n       int
			balance string
			status  store.OrderStatus
			payment store.InvoiceStatus
		}{{4, "1.1", store.OrderOpen, store.InvoicePartial}, {2, "-1.1", store.OrderPaid, store.InvoicePaid}, {3, "0", store.OrderOpen, store.InvoicePartial}} {
			q, err := s.admin.QuoteOrderEdit(s.Context(), store.OrderEdit{OrderID: id, Version: s.order(id).Version, Lines: []store.BasketLine{line("p10", tt.n)}})
			if err != nil || q.Balance.String() != tt.balance || q.Paid.String() != "6.64" {
				t.Fatalf("%d: got %+v, %v; want balance %s", tt.n, q, err, tt.balance)
			}
			s.done("edit", s.edit(id, line("p10", tt.n)))
			o := s.order(id)
			var balance store.Amount
			for i := range o.Invoices {
				balance = balance.Plus(o.Invoices[i].BalanceDue())
			}
			if o.Status != tt.status || o.PaymentState != tt.payment || balance.String() != tt.balance {
				t.Errorf("edit %d: got %s, %s, balance %s, want %s, %s, balance %s", tt.n, o.Status, o.PaymentState, balance, tt.status, tt.payment, tt.balance)
			}
			requireBooks(t, s.store, id)
		}
	})
}

func TestEditOrder_Refused(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		version := s.order(id).Version
		for what, tt := range map[string]struct {
			edit  store.OrderEdit
			kind  store.Kind
			field string
		}{
			"no change":                   {store.OrderEdit{Lines: []store.BasketLine{line("p10", 3)}}, store.Invalid, store.FieldLines},
			"nothing left":                {store.OrderEdit{Lines: []store.BasketLine{line("p10", 0), line("p11", 0), line("p12", 0)}}, store.Invalid, store.FieldLines},
			"a negative quantity":         {store.OrderEdit{Lines: []store.BasketLine{line("p10", -1)}}, store.Invalid, store.FieldLines},
			"too many":                    {store.OrderEdit{Lines: []store.BasketLine{line("p10", 10_000_000)}}, store.Invalid, store.FieldLines},
			"an unknown product":          {store.OrderEdit{Lines: []store.BasketLine{line("\x00#", 1)}}, store.Invalid, store.FieldLines},
			"its SKU again":               {store.OrderEdit{Lines: []store.BasketLine{line("SKU-10", 1)}}, store.Invalid, store.FieldLines},
			"a line twice":                {store.OrderEdit{Lines: []store.BasketLine{line("p10", 4), line("p10", 5)}}, store.Invalid, store.FieldLines},
			"quantity 0 of a new product": {store.OrderEdit{Lines: []store.BasketLine{line("p14", 0)}}, store.Invalid, store.FieldLines},
			"another total":               {store.OrderEdit{Lines: []store.BasketLine{line("p10", 4)}, Total: store.MinorUnits(1)}, store.Conflict, ""},
			"an earlier version":          {store.OrderEdit{Lines: []store.BasketLine{line("p10", 4)}, Version: version + 5}, store.Conflict, ""},
			"an unknown order":            {store.OrderEdit{OrderID: "none"}, store.NotFound, ""},
		} {
			if tt.edit.OrderID == "" {
				tt.edit.OrderID = id
			}
			if tt.edit.Version == 0 {
				tt.edit.Version = version
			}
			s.refused(what, s.admin.EditOrder(s.Context(), tt.edit, s.store.NewToken()), tt.kind, tt.field)
		}
		e := store.OrderEdit{OrderID: id, Version: version, Lines: []store.BasketLine{line("p10", 4)}, Total: store.MinorUnits(774)}
		token := s.store.NewToken()
		s.done("edit", s.admin.EditOrder(s.Context(), e, token))
		s.done("the same form", s.admin.EditOrder(s.Context(), e, token))
		if o := s.order(id); o.ItemCount != 7 || len(o.Events) != 2 {
			t.Errorf("got %d items, %d events; want the edit once", o.ItemCount, len(o.Events))
		}
	})
}

// TestSaveShipTo checks that the delivery address can be changed until the first
// shipment is packed.
func TestSaveShipTo(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		o := s.order(id).Order
		o.ShipTo.Street, o.Total = "New Street", store.MinorUnits(1)
		token := s.store.NewToken()
		s.done("save", s.admin.SaveShipTo(s.Context(), o, token))
		s.done("the same form", s.admin.SaveShipTo(s.Context(), o, token))
		s.refused("another form with the same version", s.admin.SaveShipTo(s.Context(), o, s.store.NewToken()), store.Conflict, "")
		saved := s.order(id)
		if saved.ShipTo.Street != "New Street" || saved.Total.String() != "6.64" || len(saved.Events) != 2 || !strings.Contains(saved.Events[1].After, "New Street") {
			t.Errorf("got %+v, want only the new address", saved)
		}
		for _, incomplete := range []store.Address{{}, {Street: " ", City: " "}, {Number: "5", ZipCode: "114 55", County: "Uppland", Country: "Sweden"}} {
			o = saved.Order
			o.ShipTo = incomplete
			s.refused("no street and no city", s.admin.SaveShipTo(s.Context(), o, s.store.NewToken()), store.Invalid, "street")
		}
		s.done("ship", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 1}), ""))
		o = s.order(id).Order
		o.ShipTo.Street = "Elsewhere"
		s.refused("after packing", s.admin.SaveShipTo(s.Context(), o, s.store.NewToken()), store.Invalid, "")
	})
}

// TestEditOrder_NegativeTotal edits an imported order whose total is less than the sum of
// its lines. An edit to a negative total must be rejected, and an edit to a total of zero
// accepted.
func TestEditOrder_NegativeTotal(t *testing.T) {
	sell(t, func(s *selling) {
		s.done("load", loadAll(s.Context(), s.store, []store.Entity{
			&store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(100), ItemCount: 4, PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, Version: 1},
			&store.OrderItem{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 3, Version: 1},
			&store.OrderItem{OrderID: "x1", ProductID: "p11", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(100), Quantity: 1, Version: 1},
		}))
		less := store.OrderEdit{OrderID: "x1", Version: 1, Lines: []store.BasketLine{line("p10", 0)}, Total: store.MinorUnits(-230)}
		s.refused("negative total", s.admin.EditOrder(s.Context(), less, ""), store.Invalid, store.FieldLines)
		if o := s.order("x1"); o.Total.Compare(store.MinorUnits(100)) != 0 || len(o.Items) != 2 {
			s.Errorf("got total %s, %d lines; want them unchanged", o.Total, len(o.Items))
		}
		s.done("total of zero", s.edit("x1", line("p11", 0)))
	})
}
