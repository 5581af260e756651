package storetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func (s *selling) payInvoice(id string, n int) {
	s.Helper()
	i := s.order(id).Invoices[n]
	p := store.PaymentRequest{InvoiceID: i.ID, Version: i.Version, Rest: store.Payment{Type: "Visa", Amount: i.BalanceDue(), Data: "1234"}}
	s.done("paying", s.admin.RecordPayment(s.Context(), p, s.store.NewToken()))
}

// refundInvoice refunds this amount of the first payment of an invoice of the order.
func (s *selling) refundInvoice(id string, n int, amount string) {
	s.Helper()
	i := s.order(id).Invoices[n]
	r := store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: s.amount(amount), Credit: i.RefundCredit(s.amount(amount)), Why: "x"}
	s.done("refunding", s.admin.Refund(s.Context(), r, s.store.NewToken()))
}

// returnItems marks all packed shipments of an order as shipped, and then returns items.
func (s *selling) returnItems(id string, quantities map[string]int) {
	s.Helper()
	s.send(id)
	r := store.ReturnRequest{OrderID: id, Version: s.order(id).Version, Quantities: quantities, Why: "x"}
	s.done("returning", s.admin.ReturnItems(s.Context(), r, s.store.NewToken()))
}

func (s *selling) cancel(id string) {
	s.Helper()
	s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, s.store.NewToken()))
}

// wantInvoices compares amount, credit, balance due and status of each invoice. It also
// checks the books of the order.
func (s *selling) wantInvoices(what, id string, want ...string) {
	s.Helper()
	var got []string
	for _, i := range s.order(id).Invoices {
		got = append(got, i.Amount.String()+" − "+i.Credit.String()+", due "+i.BalanceDue().String()+", "+string(i.Status))
	}
	if !slices.Equal(got, want) {
		s.Errorf("%s: got invoices %q, want %q", what, got, want)
	}
	requireBooks(s.T, s.store, id)
}

// TestInvoiceCredit_RefundedInvoice refunds the first invoice of an order completely, and
// then returns one of its items. The second invoice must get no credit for it, because it
// billed other items. It must get a credit for the return of an item that it billed.
func TestInvoiceCredit_RefundedInvoice(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder() // 3 of p10 at 1.10, 2 of p11 at 1.11, 1 of p12 at 1.12
		s.done("adding", s.edit(id, line("p13", 2)))
		s.payInvoice(id, 0)
		s.payInvoice(id, 1)
		s.refundInvoice(id, 0, "6.64")
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 3, "p13": 1}), ""))
		s.returnItems(id, map[string]int{"p10": 1})
		s.wantInvoices("an item of the refunded invoice", id, "6.64 − 6.64, due 0, REFUNDED", "2.26 − 0, due 0, PAID")
		s.returnItems(id, map[string]int{"p13": 1})
		s.wantInvoices("an item of the other invoice", id, "6.64 − 6.64, due 0, REFUNDED", "2.26 − 1.13, due -1.13, PAID")
	})
}

// refundReplaced places an order for 2 of p10, adds 2 of p11 on a second invoice,
// refunds the first invoice completely, and replaces p11 with p12. The third invoice
// bills only the difference of the prices.
func (s *selling) refundReplaced() string {
	s.Helper()
	id, err := s.admin.PlaceOrder(s.Context(), store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: []store.BasketLine{line("p10", 2)}}, Total: store.MinorUnits(220)}, s.store.NewToken())
	s.done("placing", err)
	s.done("adding", s.edit(id, line("p11", 2)))
	s.payInvoice(id, 0)
	s.refundInvoice(id, 0, "2.20")
	s.done("replacing", s.edit(id, line("p11", 0), line("p12", 2)))
	s.wantInvoices("the replacement", id, "2.2 − 2.2, due 0, REFUNDED", "2.22 − 0, due 2.22, UNPAID", "0.02 − 0, due 0.02, UNPAID")
	return id
}

// TestInvoiceCredit_Replaced changes the order of refundReplaced in several ways. Items
// of the refunded first invoice must not be credited again on another invoice.
func TestInvoiceCredit_Replaced(t *testing.T) {
	t.Run("returned", func(t *testing.T) {
		sell(t, func(s *selling) {
			id := s.refundReplaced()
			s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 2}), ""))
			s.returnItems(id, map[string]int{"p10": 1})
			s.wantInvoices("an item of the refunded invoice", id, "2.2 − 2.2, due 0, REFUNDED", "2.22 − 0, due 2.22, UNPAID", "0.02 − 0, due 0.02, UNPAID")
			s.cancel(id)
			s.wantInvoices("the items that replaced others", id, "2.2 − 2.2, due 0, REFUNDED", "2.22 − 2.22, due 0, VOID", "0.02 − 0.02, due 0, VOID")
		})
	})
	t.Run("added again", func(t *testing.T) {
		sell(t, func(s *selling) {
			id := s.refundReplaced()
			for what, lines := range [][]store.BasketLine{{line("p10", 0), line("p11", 1)}, {line("p11", 0)}} { // p11 is now an item of the refunded invoice
				s.done("editing", s.edit(id, lines...))
				s.wantInvoices(fmt.Sprint("edit ", what+1), id, "2.2 − 2.2, due 0, REFUNDED", "2.22 − 0, due 2.22, UNPAID", "0.02 − 0, due 0.02, UNPAID")
			}
		})
	})
	t.Run("edited", func(t *testing.T) {
		sell(t, func(s *selling) {
			id := s.refundReplaced()
			s.done("editing", s.edit(id, line("p10", 1), line("p12", 0), line("p11", 2)))
			s.wantNotes("the edit", id, "CN-1 for INV-1 REFUNDED 2.2", "CN-2 for INV-1 EDITED 0 1×p10", "CN-3 for INV-3 EDITED 0.02 2×p12 -2×p11")
			s.wantInvoices("the edit", id, "2.2 − 2.2, due 0, REFUNDED", "2.22 − 0, due 2.22, UNPAID", "0.02 − 0.02, due 0, VOID")
		})
	})
}

// TestInvoiceCredit_ReplacedByReturned returns an item of the second invoice, and then
// replaces the items of the refunded first invoice with the same product. The new item must
// count as billed by the first invoice, because the second invoice has already credited the
// returned item.
func TestInvoiceCredit_ReplacedByReturned(t *testing.T) {
	sell(t, func(s *selling) {
		id, err := s.admin.PlaceOrder(s.Context(), store.NewOrder{Basket: store.Basket{Customer: "c07", Lines: []store.BasketLine{line("p10", 3)}}, Total: store.MinorUnits(330)}, s.store.NewToken())
		s.done("placing", err)
		s.done("adding", s.edit(id, line("p11", 2)))
		s.payInvoice(id, 0)
		s.refundInvoice(id, 0, "3.30")
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p11": 1}), ""))
		s.returnItems(id, map[string]int{"p11": 1})
		s.wantInvoices("the return", id, "3.3 − 3.3, due 0, REFUNDED", "2.22 − 1.11, due 1.11, UNPAID")
		s.done("replacing", s.edit(id, line("p10", 0), line("p11", 3)))
		s.wantInvoices("the replacement", id, "3.3 − 3.3, due 0, REFUNDED", "2.22 − 1.11, due 1.11, UNPAID")
		s.cancel(id)
		s.wantInvoices("the cancellation", id, "3.3 − 3.3, due 0, REFUNDED", "2.22 − 2.22, due 0, VOID")
	})
}

// TestInvoiceCredit_CheckReplaced imports an order with the invoices A, B and C. Invoice A
// billed p10 and is refunded, B billed p11, and C billed the replacement of p11 with p12.
// One piece of p10 was returned. The check of the business must not accept a credit of B.
func TestInvoiceCredit_CheckReplaced(t *testing.T) {
	line := func(product string, price int64, quantity int) store.DocumentLine {
		return store.DocumentLine{ProductID: product, Price: store.MinorUnits(price), Quantity: quantity}
	}
	for credit, want := range map[int64]int{0: 0, 110: 1} { // credit of B, and the expected number of findings
		t.Run(fmt.Sprint("credit of ", credit), func(t *testing.T) {
			sell(t, func(s *selling) {
				p10, p11, p12 := line("p10", 110, 2), line("p11", 111, 2), line("p12", 112, 2)
				all := []store.Entity{
					&store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(444), ItemCount: 4, ShipmentState: store.PartlyShipped, OpenLines: []string{"2 p12"}, Version: 1},
					&store.OrderItem{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: p10.Price, Quantity: 2, Shipped: 2, Returned: 1, Version: 1},
					&store.OrderItem{OrderID: "x1", ProductID: "p12", CustomerID: "c07", Date: storetest.Now, Price: p12.Price, Quantity: 2, Version: 1},
					&store.CreditNote{ID: "n1", OrderID: "x1", CustomerID: "c07", InvoiceID: "A", Date: storetest.Now, Reason: store.CreditRefunded, Amount: store.MinorUnits(220), Version: 1},
				}
				for _, i := range []*store.Invoice{
					{ID: "A", Amount: store.MinorUnits(220), Credit: store.MinorUnits(220), Lines: []store.DocumentLine{p10}},
					{ID: "B", Amount: store.MinorUnits(222), Credit: store.MinorUnits(credit), Lines: []store.DocumentLine{p11}},
					{ID: "C", Amount: store.MinorUnits(2), Lines: []store.DocumentLine{p12, line("p11", 111, -2)}},
				} {
					i.OrderID, i.CustomerID, i.Date, i.Status, i.Version = "x1", "c07", storetest.Now, i.StatusFromPayments(), 1
					all = append(all, i)
				}
				if credit > 0 {
					all = append(all, &store.CreditNote{ID: "n2", OrderID: "x1", CustomerID: "c07", InvoiceID: "B", Date: storetest.Now, Reason: store.CreditReturned, Amount: store.MinorUnits(credit), Lines: []store.DocumentLine{line("p10", 110, 1)}, Version: 1})
				}
				s.done("load", loadAll(s.Context(), s.store, all))
				found := 0
				_, err := s.store.CheckBusiness(s.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
					if f.PK == "o#x1" && f.Rule == store.CheckInvoiceCredit {
						found++
					}
				}})
				if s.done("check", err); found != want {
					s.Errorf("got %d findings, want %d", found, want)
				}
			})
		})
	}
}

// TestInvoiceCredit_BillingInvoice cancels items of three invoices. Each invoice must get
// a credit note for the cancelled items that it billed.
func TestInvoiceCredit_BillingInvoice(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 3, "p11": 2}), ""))
		s.done("adding", s.edit(id, line("p13", 2)))
		s.done("adding more", s.edit(id, line("p14", 2)))
		s.cancel(id)
		s.wantNotes("the cancellation", id, "CN-1 for INV-1 CANCELLED 1.12 1×p12", "CN-2 for INV-2 CANCELLED 2.26 2×p13", "CN-3 for INV-3 CANCELLED 2.28 2×p14")
		s.wantInvoices("the cancellation", id, "6.64 − 1.12, due 5.52, UNPAID", "2.26 − 2.26, due 0, VOID", "2.28 − 2.28, due 0, VOID")
	})
}

// TestInvoiceCredit_Return returns an item that two invoices billed. The earlier invoice
// must be credited first.
func TestInvoiceCredit_Return(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("adding", s.edit(id, line("p10", 4), line("p13", 1)))
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 4, "p13": 1}), ""))
		s.returnItems(id, map[string]int{"p13": 1})
		s.returnItems(id, map[string]int{"p10": 4})
		s.wantNotes("the returns", id, "CN-1 for INV-2 RETURNED 1.13 1×p13", "CN-2 for INV-1 RETURNED 3.3 3×p10", "CN-3 for INV-2 RETURNED 1.1 1×p10")
		s.wantInvoices("the returns", id, "6.64 − 3.3, due 3.34, UNPAID", "2.23 − 2.23, due 0, VOID")
	})
}

// TestInvoiceCredit_Edit removes items of two invoices, and replaces an item. Each credit
// note must list those removed items that its invoice billed. The credit note for the
// replacement must also list the added item.
func TestInvoiceCredit_Edit(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("adding", s.edit(id, line("p10", 4), line("p13", 1)))
		s.done("removing", s.edit(id, line("p10", 2), line("p12", 0)))
		s.wantNotes("removed", id, "CN-1 for INV-1 EDITED 2.22 1×p10 1×p12", "CN-2 for INV-2 EDITED 1.1 1×p10")
		s.done("replacing", s.edit(id, line("p11", 1), line("p00", 1)))
		s.wantNotes("replaced", id, "CN-1 for INV-1 EDITED 2.22 1×p10 1×p12", "CN-2 for INV-2 EDITED 1.1 1×p10", "CN-3 for INV-1 EDITED 0.11 1×p11 -1×p00")
		s.cancel(id)
		s.wantInvoices("cancelled", id, "6.64 − 6.64, due 0, VOID", "2.23 − 2.23, due 0, VOID")
	})
}

// TestInvoiceCredit_Order returns an item of an imported order with two invoices, whose IDs
// do not sort by date. The earlier invoice must be credited first.
func TestInvoiceCredit_Order(t *testing.T) {
	sell(t, func(s *selling) {
		s.done("load", loadAll(s.Context(), s.store, []store.Entity{
			&store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(330), ItemCount: 3, PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, ShipTo: store.Address{City: "Lund"}, Version: 1},
			&store.OrderItem{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 3, Version: 1},
			&store.Invoice{ID: "a", OrderID: "x1", CustomerID: "c07", Date: storetest.Now.Add(time.Hour), Amount: store.MinorUnits(110), Status: store.InvoiceUnpaid, Version: 1},
			&store.Invoice{ID: "b", OrderID: "x1", CustomerID: "c07", Date: storetest.Now, Amount: store.MinorUnits(220), Status: store.InvoiceUnpaid, Version: 1},
		}))
		invoices, err := s.admin.InvoicesOfOrder(s.Context(), "x1")
		s.done("invoices", err)
		if o := s.order("x1"); o.Invoices[0].ID != "b" || invoices[0].ID != "b" {
			t.Errorf("got the invoice %s of %s first, want the earlier one", o.Invoices[0].ID, o.Invoices[0].Date)
		}
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing("x1", "w0", map[string]int{"p10": 3}), ""))
		s.returnItems("x1", map[string]int{"p10": 1})
		s.wantInvoices("the return", "x1", "2.2 − 1.1, due 1.1, UNPAID", "1.1 − 0, due 1.1, UNPAID")
	})
}

// TestInvoiceCredit_Check imports an order with two invoices, A for p10 and B for p13. The
// check of the business must find the invoices with a wrong credit.
func TestInvoiceCredit_Check(t *testing.T) {
	note := func(id, invoice string, reason store.CreditReason, amount int64, lines ...store.DocumentLine) *store.CreditNote {
		return &store.CreditNote{ID: id, OrderID: "x1", CustomerID: "c07", InvoiceID: invoice, Date: storetest.Now, Reason: reason, Amount: store.MinorUnits(amount), Lines: lines, Version: 1}
	}
	p10, p13 := store.DocumentLine{ProductID: "p10", Price: store.MinorUnits(110), Quantity: 2}, store.DocumentLine{ProductID: "p13", Price: store.MinorUnits(113), Quantity: 1}
	for what, tt := range map[string]struct {
		credits  [2]int64 // credits of the invoices A and B
		returned int      // number of returned pieces of p10, of which the order has 2
		notes    []store.Entity
		want     int // expected number of findings
	}{
		"the return is credited on A":                 {[2]int64{110, 0}, 1, []store.Entity{note("n1", "A", store.CreditReturned, 110, p10)}, 0},
		"A was refunded before the return":            {[2]int64{220, 0}, 1, []store.Entity{note("n1", "A", store.CreditRefunded, 220)}, 0},
		"A was refunded, and B credited":              {[2]int64{220, 110}, 1, []store.Entity{note("n1", "A", store.CreditRefunded, 220), note("n2", "B", store.CreditReturned, 110, p10)}, 1},
		"a refund that is credited twice":             {[2]int64{110, 110}, 0, []store.Entity{note("n1", "A", store.CreditRefunded, 110)}, 1},
		"a return without credit":                     {[2]int64{0, 0}, 1, nil, 1},
		"a return that an earlier version credited":   {[2]int64{0, 110}, 1, nil, 0},
		"B credited for items that the order has":     {[2]int64{0, 113}, 0, nil, 1},
		"a refund of A that is credited on B instead": {[2]int64{0, 110}, 0, []store.Entity{note("n1", "A", store.CreditRefunded, 110)}, 2},
	} {
		t.Run(what, func(t *testing.T) {
			sell(t, func(s *selling) {
				o := &store.OrderDetails{
					Order: store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(333), ItemCount: 3, ShipmentState: store.PartlyShipped, OpenLines: []string{"1 p13"}, Version: 1},
					Items: []store.OrderItem{
						{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: p10.Price, Quantity: 2, Shipped: 2, Returned: tt.returned, Version: 1},
						{OrderID: "x1", ProductID: "p13", CustomerID: "c07", Date: storetest.Now, Price: p13.Price, Quantity: 1, Version: 1},
					},
					Invoices: []store.Invoice{
						{ID: "A", OrderID: "x1", CustomerID: "c07", Date: storetest.Now, Amount: store.MinorUnits(220), Credit: store.MinorUnits(tt.credits[0]), Lines: []store.DocumentLine{p10}, Version: 1},
						{ID: "B", OrderID: "x1", CustomerID: "c07", Date: storetest.Now, Amount: store.MinorUnits(113), Credit: store.MinorUnits(tt.credits[1]), Lines: []store.DocumentLine{p13}, Version: 1},
					},
				}
				all := append([]store.Entity{&o.Order, &o.Items[0], &o.Items[1], &o.Invoices[0], &o.Invoices[1]}, tt.notes...)
				for n := range o.Invoices {
					o.Invoices[n].Status = o.Invoices[n].StatusFromPayments()
				}
				s.done("load", loadAll(s.Context(), s.store, all))
				found := 0
				_, err := s.store.CheckBusiness(s.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
					if f.PK == "o#x1" && (f.Rule == store.CheckInvoiceCredit || f.Rule == store.CheckCreditNote) {
						found++
						t.Log(f.Text)
					}
				}})
				if s.done("check", err); found != tt.want {
					s.Errorf("got %d findings, want %d", found, tt.want)
				}
			})
		})
	}
}

// TestInvoiceCredit_PaymentState checks the payment state of an order after the refund of
// one invoice, and after the refund of both.
func TestInvoiceCredit_PaymentState(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("adding", s.edit(id, line("p13", 2)))
		s.payInvoice(id, 0)
		s.payInvoice(id, 1)
		for _, tt := range []struct {
			invoice int
			amount  string
			want    store.InvoiceStatus
		}{{1, "2.26", store.InvoicePaid}, {0, "6.64", store.InvoiceRefunded}} {
			s.refundInvoice(id, tt.invoice, tt.amount)
			if got := s.order(id).PaymentState; got != tt.want {
				t.Errorf("after the refund of invoice %d: got the payment state %s, want %s", tt.invoice+1, got, tt.want)
			}
		}
		requireBooks(s.T, s.store, id)
	})
}
