package storetest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// notes returns the credit notes of an order as text, in the order of their numbers.
func (s *selling) notes(id string) []string {
	s.Helper()
	var all []string
	o := s.order(id)
	slices.SortFunc(o.CreditNotes, func(a, b store.CreditNote) int { return a.Number - b.Number })
	for _, n := range o.CreditNotes {
		text := fmt.Sprintf("%s for %s %s %s", n.NumberText(), n.InvoiceText(), n.Reason, n.Amount)
		for _, l := range n.Lines {
			text += fmt.Sprintf(" %d×%s", l.Quantity, l.ProductID)
		}
		all = append(all, text)
	}
	return all
}

func (s *selling) wantNotes(what, id string, want ...string) {
	s.Helper()
	if got := s.notes(id); !slices.Equal(got, want) {
		s.Errorf("%s: got the credit notes %q, want %q", what, got, want)
	}
	requireBooks(s.T, s.store, id)
}

// TestCreditNote_Refund refunds a part of a paid invoice. The credit note must add the
// refund to the credit of the invoice, so that no balance is due. Submitting the form again
// must not issue another credit note.
func TestCreditNote_Refund(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "6.64"), ""))
		i := s.order(id).Invoices[0]
		r := store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: s.amount("2"), Credit: s.amount("2"), Why: "scratched"}
		token := s.store.NewToken()
		var again sync.WaitGroup
		for range 4 {
			again.Go(func() {
				if err := s.admin.Refund(s.Context(), r, token); err != nil {
					t.Errorf("the same form: got %v, want no error", err)
				}
			})
		}
		again.Wait()
		s.wantNotes("a part", id, "CN-1 for INV-1 REFUNDED 2")
		if i = s.order(id).Invoices[0]; i.Status != store.InvoicePaid || i.BalanceDue().Sign() != 0 || i.Amount.String() != "6.64" || i.Credit.String() != "2" {
			t.Errorf("got the invoice %+v, want it paid with a credit of 2", i)
		}
		s.done("the rest", s.refund(id, 0, "4.64"))
		s.wantNotes("the rest", id, "CN-1 for INV-1 REFUNDED 2", "CN-2 for INV-1 REFUNDED 4.64")
		if o := s.order(id); o.PaymentState != store.InvoiceRefunded {
			t.Errorf("got payment state %s, want REFUNDED", o.PaymentState)
		}
	})
}

// TestCreditNote_Return returns items and refunds them. Only the return must issue a credit
// note. A refund of more than the returned items must issue another one.
func TestCreditNote_Return(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder() // 3 of p10 at 1.10, 2 of p11 at 1.11, 1 of p12 at 1.12
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "6.64"), ""))
		s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 3}), ""))
		s.send(id)
		back := store.ReturnRequest{OrderID: id, Version: s.order(id).Version, Quantities: map[string]int{"p10": 2}, Why: "x"}
		s.done("returning", s.admin.ReturnItems(s.Context(), back, ""))
		s.wantNotes("the return", id, "CN-1 for INV-1 RETURNED 2.2 2×p10")
		s.done("refunding", s.refund(id, 0, "2.2"))
		s.wantNotes("the refund", id, "CN-1 for INV-1 RETURNED 2.2 2×p10")
		s.done("refunding more", s.refund(id, 0, "1"))
		s.wantNotes("the second refund", id, "CN-1 for INV-1 RETURNED 2.2 2×p10", "CN-2 for INV-1 REFUNDED 1")
		s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		s.wantNotes("the cancellation", id, "CN-1 for INV-1 RETURNED 2.2 2×p10", "CN-2 for INV-1 REFUNDED 1", "CN-3 for INV-1 CANCELLED 3.34 2×p11 1×p12")
	})
}

// TestCreditNote_Edit removes, replaces and adds items. The first two changes must each
// add a credit note, and the third one a second invoice. The first invoice must keep its
// amount and its lines. Cancelling the order must credit both invoices.
func TestCreditNote_Edit(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("removing", s.edit(id, line("p10", 2), line("p12", 0)))
		s.wantNotes("removed items", id, "CN-1 for INV-1 EDITED 2.22 1×p10 1×p12")
		p13 := s.shop.Products[13]
		p13.Price = store.MinorUnits(111)
		s.done("new price", s.admin.SaveProduct(s.Context(), p13, s.store.NewToken()))
		s.done("replacing", s.edit(id, line("p11", 1), line("p13", 1)))
		s.wantNotes("replaced items", id, "CN-1 for INV-1 EDITED 2.22 1×p10 1×p12", "CN-2 for INV-1 EDITED 0 1×p11 -1×p13")
		s.done("adding", s.edit(id, line("p10", 5)))
		o := s.order(id)
		i := o.Invoices[0]
		if i.Amount.String() != "6.64" || len(o.BilledLines(&i)) != 3 || o.BilledLines(&i)[0].Quantity != 3 || i.Number != 1 {
			t.Errorf("got the invoice %+v, want the amount and lines of the first order", i)
		}
		if i := o.Invoices[1]; i.Number != 2 || i.Amount.String() != "3.3" || i.Supplement != o.Invoices[0].ID || len(i.Lines) != 1 || i.Lines[0].Quantity != 3 {
			t.Errorf("got the second invoice %+v, want 3 more of p10", i)
		}
		s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: o.Version, Why: "x"}, ""))
		if o = s.order(id); len(o.CreditNotes) != 4 || o.PaymentState != store.InvoiceVoid || o.Status != store.OrderCancelled {
			t.Errorf("got %s, %s, %d credit notes; want both invoices credited", o.Status, o.PaymentState, len(o.CreditNotes))
		}
		requireBooks(t, s.store, id)
	})
}

// TestCreditNote_ByID checks that a credit note shows its ID if the settings identify
// documents by ID.
func TestCreditNote_ByID(t *testing.T) {
	sell(t, func(s *selling) {
		settings, err := s.admin.CurrentSettings(s.Context())
		s.done("reading settings", err)
		settings.Numbering = store.NumberByID
		s.done("settings", s.admin.ChangeSettings(s.Context(), settings, s.store.NewToken()))
		id := s.placeOrder()
		s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		o := s.order(id)
		if n := o.CreditNotes[0]; n.Number != 0 || n.NumberText() != n.ID || n.InvoiceText() != o.Invoices[0].ID {
			t.Errorf("got the credit note %+v, want IDs instead of numbers", n)
		}
	})
}

// TestCreditNote_NumbersHaveNoGaps cancels orders on two servers over connections that
// throttle requests and lose responses. A form that fails, or whose outcome is unknown, is
// submitted again, on the other server. Each order must get one credit note. The credit
// notes must get the numbers from 1 on without gaps.
func TestCreditNote_NumbersHaveNoGaps(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		direct := store.New(db, table, clock.Now)
		count := *numberedInvoices / 3
		if strings.Contains(t.Name(), "endpoint") {
			count = min(count, 50)
		}
		var orders []string
		for n := range count {
			order := store.NewOrder{Basket: store.Basket{Customer: fmt.Sprintf("c%02d", n%40), Lines: []store.BasketLine{{Product: "p01", Quantity: 1}}}, Total: store.MinorUnits(101)}
			id, err := direct.As(admin).PlaceOrder(t.Context(), order, direct.NewToken())
			if err != nil {
				t.Fatal(err)
			}
			orders = append(orders, id)
		}
		var servers [2]*store.Store
		var connections [2]*storetest.Unreliable
		for n := range servers {
			connections[n] = storetest.NewUnreliable(db, numberFailPercent, uint64(n))
			servers[n] = store.New(connections[n], table, clock.Now)
		}
		forms := make(chan int)
		var users sync.WaitGroup
		for range placersPerServer * len(servers) {
			users.Go(func() {
				for n := range forms {
					cancelUntilDone(t, servers, n, store.Cancellation{OrderID: orders[n], Version: 1, Why: "x"}, direct.NewToken())
				}
			})
		}
		for n := range orders {
			forms <- n
		}
		close(forms)
		users.Wait()
		var numbers []int
		for _, id := range orders {
			o, err := direct.As(admin).Order(t.Context(), id)
			if err != nil || len(o.CreditNotes) != 1 {
				t.Fatalf("got the order %+v, %v; want one credit note", o, err)
			}
			numbers = append(numbers, o.CreditNotes[0].Number)
		}
		slices.Sort(numbers)
		for n, number := range numbers {
			if number != n+1 {
				t.Fatalf("got the number %d after %d, want %d", number, n, n+1)
			}
		}
		if connections[0].Failed() == 0 || connections[1].Failed() == 0 {
			t.Error("got a server without failed requests, want some on both servers")
		}
	})
}

// cancelUntilDone submits the same form until an answer says that the order is cancelled.
func cancelUntilDone(t *testing.T, servers [2]*store.Store, n int, c store.Cancellation, token string) {
	for try := range 50 {
		err := servers[(n+try)%len(servers)].As(admin).CancelOrder(t.Context(), c, token)
		if err == nil {
			return
		}
		if kind := store.KindOf(err); kind != store.Busy && kind != store.Unconfirmed && kind != store.Conflict && kind != store.Internal {
			t.Errorf("got %v, want the order cancelled", err)
			return
		}
	}
	t.Error("the order was not cancelled after 50 attempts")
}
