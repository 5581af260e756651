package storetest_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func (s *selling) paying(orderID, voucher, card string) store.PaymentRequest {
	s.Helper()
	invoice := s.order(orderID).Invoices[0]
	p := store.PaymentRequest{
		InvoiceID: invoice.ID, Version: invoice.Version,
		Voucher: store.Payment{Type: "GiftCard", Amount: s.amount(voucher)},
		Rest:    store.Payment{Type: "Visa", Amount: s.amount(card), Data: "1234"},
	}
	for _, recorded := range invoice.Payments {
		p.Shown = append(p.Shown, recorded.ID)
	}
	if p.Voucher.Amount.Sign() != 0 {
		p.Voucher.Data = "GC-1"
	}
	return p
}

func (s *selling) amount(text string) store.Amount {
	s.Helper()
	a, err := store.ParseAmount(text)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

func TestRecordPayment(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id, token := s.Context(), s.placeOrder(), s.store.NewToken()
		first := s.paying(id, "2.5", "0")
		s.done("a gift card", s.admin.RecordPayment(ctx, first, token))
		s.done("the same form", s.admin.RecordPayment(ctx, first, token))
		s.refused("another form with the same version", s.admin.RecordPayment(ctx, first, s.store.NewToken()), store.Conflict, "")
		if o := s.order(id); o.PaymentState != store.InvoicePartial || o.Status != store.OrderOpen || o.Invoices[0].BalanceDue().String() != "4.14" {
			s.Errorf("after the gift card: got the order %+v, want it open and partly paid, with 4.14 due", o)
		}
		s.done("a second gift card and the rest by card", s.admin.RecordPayment(ctx, s.paying(id, "0.13", "4.01"), s.store.NewToken()))
		o := s.order(id)
		payments := o.Invoices[0].Payments
		if o.PaymentState != store.InvoicePaid || o.Status != store.OrderPaid || o.Invoices[0].CanPay() || len(payments) != 3 ||
			payments[2].Data != "•••• 1234" || payments[1].ID == payments[2].ID || len(o.Events) != 3 {
			s.Errorf("after the card: got %+v, want three payments and events, and the number of the card masked", o)
		}
		s.refused("more", s.admin.RecordPayment(ctx, s.paying(id, "0", "0.01"), s.store.NewToken()), store.Invalid, store.FieldRestAmount)
	})
}

// TestRecordPayment_OtherMethods records a bank transfer and cash, and refunds the cash.
func TestRecordPayment_OtherMethods(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		for _, rest := range []store.Payment{
			{Type: "BankTransfer", Amount: s.amount("2"), Data: " RF18 5390 0754 7035 "},
			{Type: "BankTransfer", Amount: s.amount("1")},
			{Type: "Cash", Amount: s.amount("3")},
		} {
			paying := s.paying(id, "0", "0")
			paying.Rest = rest
			s.done(rest.Type, s.admin.RecordPayment(ctx, paying, s.store.NewToken()))
		}
		s.done("a gift card after them", s.admin.RecordPayment(ctx, s.paying(id, "0.64", "0"), s.store.NewToken()))
		s.done("a refund of the cash", s.refund(id, 2, "3"))
		payments := s.order(id).Invoices[0].Payments
		if payments[0].Data != "RF18 5390 0754 7035" || payments[0].Type != "BankTransfer" || payments[1].Data != "" || payments[4].Type != "Cash" {
			s.Errorf("got the payments %+v", payments)
		}
	})
}

func TestRecordPayment_Invalid(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		for what, tt := range map[string]struct {
			change func(*store.PaymentRequest)
			field  string
		}{
			"nothing":                     {func(p *store.PaymentRequest) { p.Voucher, p.Rest = store.Payment{}, store.Payment{} }, store.FieldRestAmount},
			"a code without an amount":    {func(p *store.PaymentRequest) { p.Voucher.Amount = store.Amount{} }, store.FieldVoucherAmount},
			"a negative card amount":      {func(p *store.PaymentRequest) { p.Rest.Amount = s.amount("-1") }, store.FieldRestAmount},
			"a negative voucher amount":   {func(p *store.PaymentRequest) { p.Voucher.Amount = s.amount("-1") }, store.FieldVoucherAmount},
			"too much":                    {func(p *store.PaymentRequest) { p.Rest.Amount = s.amount("5.65") }, store.FieldRestAmount},
			"a voucher above the balance": {func(p *store.PaymentRequest) { p.Voucher.Amount = s.amount("6.6401") }, store.FieldVoucherAmount},
			"an unknown kind of voucher":  {func(p *store.PaymentRequest) { p.Voucher.Type = "Cash" }, store.FieldVoucherKind},
			"no code":                     {func(p *store.PaymentRequest) { p.Voucher.Data = " " }, store.FieldVoucherCode},
			"a card number as code":       {func(p *store.PaymentRequest) { p.Voucher.Data = "4111111111111111" }, store.FieldVoucherCode},
			"an unknown card":             {func(p *store.PaymentRequest) { p.Rest.Type = "" }, store.FieldRestMethod},
			"a complete card number":      {func(p *store.PaymentRequest) { p.Rest.Data = "4111111111111111" }, store.FieldRestReference},
			"a card number as reference":  {func(p *store.PaymentRequest) { p.Rest.Type, p.Rest.Data = "BankTransfer", "4111 1111 1111 1111" }, store.FieldRestReference},
			"a reference of two lines":    {func(p *store.PaymentRequest) { p.Rest.Type, p.Rest.Data = "Cash", "1\n2" }, store.FieldRestReference},
			"letters":                     {func(p *store.PaymentRequest) { p.Rest.Data = "12a4" }, store.FieldRestReference},
		} {
			paying := s.paying(id, "1", "1")
			tt.change(&paying)
			s.refused(what, s.admin.RecordPayment(s.Context(), paying, s.store.NewToken()), store.Invalid, tt.field)
		}
		s.done("a card", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "1"), ""))
		s.refused("a gift card after a card", s.admin.RecordPayment(s.Context(), s.paying(id, "1", "0"), ""), store.Invalid, store.FieldVoucherAmount)
		if o := s.order(id); len(o.Invoices[0].Payments) != 1 || len(o.Events) != 2 {
			s.Errorf("got order %+v, want one payment and two events", o)
		}
	})
}

// TestRefund_CancelledOrder checks that the payments of a cancelled order can be
// refunded, each only once.
func TestRefund_CancelledOrder(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "2", "4.64"), ""))
		s.done("cancelling", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		o := s.order(id)
		if o.Status != store.OrderCancelled || o.PaymentState != store.InvoicePaid || o.Invoices[0].BalanceDue().String() != "-6.64" {
			s.Fatalf("got order %+v, want it cancelled, paid, and with a balance of -6.64", o)
		}
		refund := func(payment int, amount, why string) error {
			invoice := s.order(id).Invoices[0]
			return s.admin.Refund(ctx, store.RefundRequest{Confirmed: true, InvoiceID: invoice.ID, Version: invoice.Version, PaymentID: invoice.Payments[payment].ID, Amount: s.amount(amount), Credit: invoice.RefundCredit(s.amount(amount)), Why: why}, s.store.NewToken())
		}
		s.refused("more than the card paid", refund(1, "4.65", "x"), store.Invalid, "amount")
		s.refused("nothing", refund(1, "0", "x"), store.Invalid, "amount")
		s.refused("without a reason", refund(1, "1", ""), store.Invalid, "why")
		s.done("the card", refund(1, "4.64", "cancelled"))
		s.refused("the card again", refund(1, "2.01", "x"), store.Invalid, "payment")
		s.refused("a refund of a refund", refund(2, "2", "x"), store.Invalid, "payment")
		s.done("the gift card", refund(0, "2", "cancelled"))
		o = s.order(id)
		if o.PaymentState != store.InvoiceRefunded || o.Invoices[0].CanRefund() || o.Invoices[0].BalanceDue().Sign() != 0 {
			s.Errorf("after the refunds: got the order %+v, want it refunded with no balance due", o)
		}
	})
}

// TestRefund_Limit checks that support staff can refund only up to the limit in the
// settings.
func TestRefund_Limit(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "0", "6.64"), ""))
		support := s.store.As(&store.User{Name: "s", Role: store.Support})
		refund := func(a store.Access, amount string) error {
			invoice := s.order(id).Invoices[0]
			return a.Refund(ctx, store.RefundRequest{Confirmed: true, InvoiceID: invoice.ID, Version: invoice.Version, PaymentID: invoice.Payments[0].ID, Amount: s.amount(amount), Credit: invoice.RefundCredit(s.amount(amount)), Why: "x"}, s.store.NewToken())
		}
		setLimit := func(amount string) error {
			settings, err := s.admin.CurrentSettings(ctx)
			s.done("reading settings", err)
			settings.RefundLimit = s.amount(amount)
			return s.admin.ChangeSettings(ctx, settings, s.store.NewToken())
		}
		s.refused("without a limit", refund(support, "0.01"), store.Forbidden, "")
		s.refused("a negative limit", setLimit("-1"), store.Invalid, "refund-limit")
		s.refused("a limit with too many decimals", setLimit("1.234"), store.Invalid, "refund-limit")
		s.done("set a limit", setLimit("2"))
		s.refused("above the limit", refund(support, "2.01"), store.Invalid, "amount")
		s.done("a part", refund(support, "1.50"))
		s.refused("the sum of both above the limit", refund(support, "0.51"), store.Invalid, "amount")
		s.done("the rest of the limit", refund(support, "0.50"))
		s.done("more by an admin", refund(s.admin, "3"))
		if paid := s.order(id).Invoices[0].Paid(); paid.String() != "1.64" {
			s.Errorf("got %s paid after the refunds, want 1.64", paid)
		}
	})
}

// TestRefund_Confirmed makes refunds as an admin who has not proved their identity. They
// must be accepted only until their sum reaches the limit in the settings.
func TestRefund_Confirmed(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "0", "6.64"), ""))
		settings, err := s.admin.CurrentSettings(ctx)
		s.done("reading settings", err)
		settings.RefundLimit = s.amount("2")
		s.done("set a limit", s.admin.ChangeSettings(ctx, settings, s.store.NewToken()))
		refund := func(amount string, confirmed bool) error {
			i := s.order(id).Invoices[0]
			r := store.RefundRequest{Confirmed: confirmed, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: s.amount(amount), Credit: i.RefundCredit(s.amount(amount)), Why: "x"}
			return s.admin.Refund(ctx, r, s.store.NewToken())
		}
		s.refused("above the limit", refund("2.01", false), store.Forbidden, "")
		s.done("a part", refund("1.50", false))
		s.refused("the sum of both above the limit", refund("0.51", false), store.Forbidden, "")
		s.done("the rest of the limit", refund("0.50", false))
		s.refused("one cent more", refund("0.01", false), store.Forbidden, "")
		s.done("one cent more after confirming", refund("0.01", true))
	})
}

// TestRefund_MoreThanToRefund refunds more than is to be refunded. The user must confirm
// exactly the credit that the refund causes.
func TestRefund_MoreThanToRefund(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "6.64"), ""))
		for _, confirmed := range []string{"0", "1.99", "2.01"} {
			i := s.order(id).Invoices[0]
			r := store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[0].ID, Amount: s.amount("2"), Credit: s.amount(confirmed), Why: "x"}
			s.refused("confirmed: "+confirmed, s.admin.Refund(s.Context(), r, s.store.NewToken()), store.Invalid, store.FieldRefundCredit)
		}
		s.wantNotes("without the confirmation", id)
		s.done("confirmed", s.refund(id, 0, "2"))
		s.wantNotes("with the confirmation", id, "CN-1 for INV-1 REFUNDED 2")
	})
}

// refund refunds a payment of an order's invoice, with a form that shows the current
// version.
func (s *selling) refund(orderID string, payment int, amount string) error {
	s.Helper()
	invoice := s.order(orderID).Invoices[0]
	return s.admin.Refund(s.Context(), store.RefundRequest{
		Confirmed: true, InvoiceID: invoice.ID, Version: invoice.Version, PaymentID: invoice.Payments[payment].ID, Amount: s.amount(amount), Credit: invoice.RefundCredit(s.amount(amount)), Why: "x",
	}, s.store.NewToken())
}

// TestRefund_NoMoreThanPaymentHolds checks that a payment of 10 by card is refunded
// only once. The other payments of the invoice must not allow a second refund to this
// card.
func TestRefund_NoMoreThanPaymentHolds(t *testing.T) {
	sell(t, func(s *selling) {
		order := store.NewOrder{Basket: store.Basket{Customer: "customer7@example.com", Lines: []store.BasketLine{{Product: "p00", Quantity: 107}}}, Total: store.MinorUnits(107 * 100)}
		id, err := s.admin.PlaceOrder(s.Context(), order, s.store.NewToken())
		s.done("ordering", err)
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "90", "10"), s.store.NewToken()))
		accepted := 0
		for range 10 {
			if s.refund(id, 1, "10") == nil {
				accepted++
			}
		}
		if paid := s.order(id).Invoices[0].Paid(); accepted != 1 || paid.String() != "90" {
			s.Errorf("got %d refunds accepted and %s left, want 1 and 90", accepted, paid)
		}
		s.refused("a payment that is refunded in full", s.refund(id, 1, "1"), store.Invalid, "payment")
		s.done("a part of the gift card", s.refund(id, 0, "60"))
		s.refused("more than is left of the gift card", s.refund(id, 0, "30.01"), store.Invalid, "amount")
		s.done("the rest of the gift card", s.refund(id, 0, "30"))
		s.done("paying the rest", s.admin.RecordPayment(s.Context(), s.paying(id, "0", "7"), s.store.NewToken()))
		s.refused("the earlier payment with the same card", s.refund(id, 1, "7"), store.Invalid, "payment")
		s.done("the later one", s.refund(id, 5, "7"))
	})
}

// TestRefund_Concurrent refunds the same payment several times at once. Only one
// refund may succeed.
func TestRefund_Concurrent(t *testing.T) {
	sell(t, func(s *selling) {
		id := s.placeOrder()
		s.done("paying", s.admin.RecordPayment(s.Context(), s.paying(id, "2", "4.64"), s.store.NewToken()))
		invoice := s.order(id).Invoices[0]
		var accepted atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				r := store.RefundRequest{Confirmed: true, InvoiceID: invoice.ID, Version: invoice.Version, PaymentID: invoice.Payments[0].ID, Amount: s.amount("2"), Credit: s.amount("2"), Why: "x"}
				if s.admin.Refund(s.Context(), r, s.store.NewToken()) == nil {
					accepted.Add(1)
				}
			})
		}
		all.Wait()
		if paid := s.order(id).Invoices[0].Paid(); accepted.Load() != 1 || paid.String() != "4.64" {
			s.Errorf("got %d refunds accepted and %s left, want 1 and 4.64", accepted.Load(), paid)
		}
	})
}

// TestMoneyForms_Decimals checks the message for amounts with more decimals than the
// currency has.
func TestMoneyForms_Decimals(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		const most2 = "Enter an amount with at most 2 decimals, such as 12.50."
		refused := func(what string, err error, field, message string) {
			s.Helper()
			s.refused(what, err, store.Invalid, field)
			if rejected := new(store.Error); errors.As(err, &rejected) && rejected.Message != message {
				s.Errorf("%s: got %q, want %q", what, rejected.Message, message)
			}
		}
		id := s.placeOrder()
		refused("a voucher", s.admin.RecordPayment(ctx, s.paying(id, "1.001", "0"), s.store.NewToken()), store.FieldVoucherAmount, most2+" If you mean 1001, leave out the point.")
		refused("a card", s.admin.RecordPayment(ctx, s.paying(id, "0", "1.001"), s.store.NewToken()), store.FieldRestAmount, most2+" If you mean 1001, leave out the point.")
		refused("more than the balance", s.admin.RecordPayment(ctx, s.paying(id, "0", "7"), s.store.NewToken()), store.FieldRestAmount, "Enter at most the rest of the balance due, €6.64. If the customer paid more, record the rest on their other invoices, or return it to them.")
		s.done("a payment", s.admin.RecordPayment(ctx, s.paying(id, "2", "4.64"), s.store.NewToken()))
		refused("a refund", s.refund(id, 1, "0.001"), "amount", most2)
		refused("more than the payment", s.refund(id, 1, "4.641"), "amount", "Enter at most €4.64, the part of this payment that has not been refunded yet.")

		product := s.shop.Products[10]
		product.Price = s.amount("1.999")
		refused("a price", s.admin.SaveProduct(ctx, product, s.store.NewToken()), "price", most2+" If you mean 1999, leave out the point.")
		_, err := s.admin.AddProduct(ctx, store.Product{Name: "New", Price: s.amount("1.999")}, s.store.NewToken())
		refused("the price of a new product", err, "price", most2+" If you mean 1999, leave out the point.")

		old := store.Product{ID: "old", Name: "Old", Price: s.amount("1.2345"), Version: 1}
		if _, err := s.store.Load(ctx, []store.Entity{&old}, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		old.Name = "Renamed"
		s.done("a price that was imported", s.admin.SaveProduct(ctx, old, s.store.NewToken()))
		old.Version, old.Price = 2, s.amount("1.2346")
		refused("another price", s.admin.SaveProduct(ctx, old, s.store.NewToken()), "price", most2)
	})
}

// TestRecordPayment_Received records payments with the day when the money arrived. The
// payments and the statement must show this day, and invalid days must be refused.
func TestRecordPayment_Received(t *testing.T) {
	shops[2].OnEachEngine(t, func(t *testing.T, st *store.Store, clock *storetest.Clock) {
		s := &selling{t, st, st.As(admin), storetest.NewShop()}
		id := s.placeOrder()
		ordered, err := st.Today(t.Context())
		s.done("today", err)
		clock.Advance(5 * 24 * time.Hour)
		pay := func(amount string, day time.Time) error {
			paying := s.paying(id, "0", amount)
			paying.Received = day
			return s.admin.RecordPayment(t.Context(), paying, st.NewToken())
		}
		s.refused("tomorrow", pay("1", ordered.AddDate(0, 0, 6)), store.Invalid, store.FieldReceived)
		early := pay("1", ordered.AddDate(0, 0, -1))
		s.refused("before the invoice", early, store.Invalid, store.FieldReceived)
		if advice := ordered.Format("2 Jan 2006") + ", and add a note with the actual day to the order."; !strings.Contains(early.Error(), advice) {
			s.Errorf("before the invoice: got %v, want %q", early, advice)
		}
		s.done("the day of the invoice", pay("1", ordered))
		s.done("later", pay("2", ordered.AddDate(0, 0, 2)))
		s.done("today", pay("3", ordered.AddDate(0, 0, 5)))
		s.done("no day", pay("0.64", time.Time{}))
		o := s.order(id)
		var got []string
		for _, p := range o.Invoices[0].Payments {
			got = append(got, p.Day(time.UTC).Sub(ordered).String())
		}
		if p := o.Invoices[0].Payments; fmt.Sprint(got) != "[0s 48h0m0s 120h0m0s 120h0m0s]" || !p[2].Received.IsZero() || p[0].Date.Equal(p[0].Received) {
			t.Errorf("got the payments %+v received after %v", p, got)
		}
		found, err := s.admin.Statement(t.Context(), o.CustomerID, store.DateRange{From: ordered, To: ordered.AddDate(0, 0, 4)})
		s.done("statement", err)
		lines := found.Lines[max(0, len(found.Lines)-3):]
		if len(lines) != 3 || lines[0].Kind != store.StatementInvoice || lines[1].Amount.String() != "-1" || lines[2].Amount.String() != "-2" || !lines[2].Day.Equal(ordered.AddDate(0, 0, 2)) {
			t.Errorf("got the statement %+v, want the invoice and the payments that arrived until its last day", found.Lines)
		}
	})
}
