package storetest_test

import (
	"slices"
	"testing"

	"stockroom/store"
)

func (s *selling) reverse(orderID string, payment int, why string) error {
	i := s.order(orderID).Invoices[0]
	r := store.ReversalRequest{InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[payment].ID, Why: why}
	return s.admin.ReversePayment(s.Context(), r, s.store.NewToken())
}

// TestReversePayment reverses a payment. The invoice and the order must be as before the
// payment, and the check of the business must accept them.
func TestReversePayment(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "2", "4.64"), s.store.NewToken()))
		s.refused("without a reason", s.reverse(id, 1, " "), store.Invalid, "why")
		i := s.order(id).Invoices[0]
		r := store.ReversalRequest{InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[1].ID, Why: "another invoice"}
		token := s.store.NewToken()
		s.done("the card", s.admin.ReversePayment(ctx, r, token))
		s.done("the same form", s.admin.ReversePayment(ctx, r, token))
		s.refused("an older form", s.admin.ReversePayment(ctx, r, s.store.NewToken()), store.Conflict, "")
		s.refused("twice", s.reverse(id, 1, "x"), store.Invalid, "payment")
		s.refused("the reversal", s.reverse(id, 2, "x"), store.Invalid, "payment")
		s.refused("a refund of the reversed payment", s.refund(id, 1, "1"), store.Invalid, "payment")
		o := s.order(id)
		i = o.Invoices[0]
		if p := i.Payments; o.Status != store.OrderOpen || o.PaymentState != store.InvoicePartial || i.Status != store.InvoicePartial || i.BalanceDue().String() != "4.64" ||
			len(p) != 3 || p[2].ReversalOf != p[1].ID || p[2].By != admin.Name || p[2].Why != "another invoice" || i.Refunded().Sign() != 0 || !i.CanRefund() {
			t.Errorf("got the order %+v, want it open, with 4.64 due and the payment by card reversed", o)
		}
		s.done("a gift card after the reversed card", s.admin.RecordPayment(ctx, s.paying(id, "4.64", "0"), s.store.NewToken()))
		s.done("a refund", s.refund(id, 0, "0.5"))
		s.refused("a refunded payment", s.reverse(id, 0, "x"), store.Invalid, "payment")
		s.done("the second gift card", s.reverse(id, 3, "x"))
		if _, err := s.store.CheckBusiness(ctx, store.BusinessCheck{Found: func(f store.CheckFinding) {
			if f.PK == "o#"+id {
				t.Errorf("%s: %s", f.Rule, f.Text)
			}
		}}); err != nil {
			t.Error(err)
		}
	})
}

// TestReversePayment_CancelledOrder reverses the only payment of a cancelled order. Nothing
// is to be refunded then, so the invoice is void.
func TestReversePayment_CancelledOrder(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "6.64"), ""))
		s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		s.done("reversing", s.reverse(id, 0, "x"))
		if o := s.order(id); o.Status != store.OrderCancelled || o.Invoices[0].Status != store.InvoiceVoid || o.Invoices[0].BalanceDue().Sign() != 0 {
			t.Errorf("got the order %+v, want it cancelled, and the invoice void", o)
		}
	})
}

// TestInvoices_ToRefund cancels paid orders. Their invoices must be in the list of invoices
// to refund, and in the list of paid invoices after the others, until they are refunded.
func TestInvoices_ToRefund(t *testing.T) {
	sell(t, func(s *selling) {
		ids := make([]string, 3)
		for n := range ids {
			ids[n] = s.placeOrder()
			s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(ids[n], "0", "6.64"), ""))
		}
		for _, id := range ids[:2] {
			s.done("cancelling", s.admin.CancelOrder(s.Context(), store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		}
		wantOrders := func(status store.InvoiceStatus, want ...string) {
			s.Helper()
			found, err := s.admin.Invoices(s.Context(), store.InvoiceFilter{Status: status}, false, store.Page{Limit: 100})
			s.done("list", err)
			var got []string
			for _, i := range found.Rows {
				if slices.Contains(ids, i.OrderID) {
					got = append(got, i.OrderID)
				}
			}
			slices.Sort(got[max(0, len(got)-2):])
			slices.Sort(want[max(0, len(want)-2):])
			if !slices.Equal(got, want) {
				t.Errorf("%s: got the orders %v, want %v", status, got, want)
			}
		}
		wantOrders(store.InvoiceToRefund, ids[0], ids[1])
		wantOrders(store.InvoicePaid, ids[2], ids[0], ids[1])
		s.done("refunding", s.refund(ids[0], 0, "6.64"))
		wantOrders(store.InvoiceToRefund, ids[1])
	})
}

// TestRecordPayment_Limit records and reverses payments until the invoice has as many as
// its item can hold. Only refunds must be accepted then.
func TestRecordPayment_Limit(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("a gift card", s.admin.RecordPayment(s.Context(), s.paying(id, "2", "0"), s.store.NewToken()))
		for n := 1; n < 99; n += 2 {
			s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "1"), s.store.NewToken()))
			s.done("reversing", s.reverse(id, n, "x"))
		}
		s.refused("two more payments", s.admin.RecordPayment(s.Context(), s.paying(id, "1", "1"), s.store.NewToken()), store.Invalid, "")
		s.done("the last payment", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "1"), s.store.NewToken()))
		s.refused("another payment", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "1"), s.store.NewToken()), store.Invalid, "")
		s.refused("another reversal", s.reverse(id, 99, "x"), store.Invalid, "")
		s.done("a refund", s.refund(id, 0, "0.5"))
		if i := s.order(id).Invoices[0]; len(i.Payments) != 101 {
			s.Errorf("got %d payments, want 100 and a refund", len(i.Payments))
		}
	})
}
