package views

import (
	"slices"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// PaymentRefund is the form that refunds a payment.
type PaymentRefund struct {
	Page
	Form
	Invoice              store.Invoice // the current invoice
	Payment, Amount, Why ui.Input
	Limit                *store.Amount // maximum total refund of an invoice by this user; nil for no limit

	ToConfirm string       // what the user must confirm; "" for nothing
	Credit    store.Amount // the credit that the user must confirm
}

// SuggestedAmount returns the initial input for the amount: the amount to refund, but not more
// than one payment and the limit of the user still allow. The input is empty if nothing is to
// be refunded, or if the user can refund nothing.
func (p PaymentRefund) SuggestedAmount() ui.Input {
	if p.Invoice.BalanceDue().Sign() >= 0 {
		return ui.Input{}
	}
	amount := owedSum(p.Invoice)
	if most := p.largestLeft(); amount.Compare(most) > 0 {
		amount = most
	}
	if p.Limit != nil && p.Invoice.Refunded().Plus(amount).Compare(*p.Limit) > 0 {
		amount = p.Limit.Minus(p.Invoice.Refunded())
	}
	if amount.Sign() <= 0 {
		return ui.Input{}
	}
	return ui.Input{Value: store.InputAmount(amount, p.Currency)}
}

// largestLeft returns the most that can still be refunded of one payment.
func (p PaymentRefund) largestLeft() store.Amount {
	return slices.MaxFunc(append(p.Invoice.Refundable(), store.Amount{}), store.Amount.Compare)
}

// maxRefundNotes is the maximum number of invoices that RefundNote names.
const maxRefundNotes = 3

// RefundNote returns sentences for a message, with links: which of the invoices have an
// amount to refund. It returns "" if there are none. canRefund reports whether the user may
// refund this amount.
func RefundNote(invoices []store.Invoice, currency string, canRefund func(*store.Invoice, store.Amount) bool) string {
	note, more := "", -maxRefundNotes
	for i := range invoices {
		invoice := &invoices[i]
		if invoice.BalanceDue().Sign() >= 0 {
			continue
		}
		owed, ask := owedSum(*invoice), " Refund "
		if !canRefund(invoice, owed) {
			ask = " Ask an admin to refund "
		}
		if more++; more <= 0 {
			note += ask + string(AppendMoney(nil, owed, currency)) + " for " + messageLink(InvoicePath(invoice.ID), "invoice "+invoice.NumberText()) + "."
		}
	}
	if more > 0 {
		note += " " + capital(count(more, "more invoice has", "more invoices have")) + " an amount to refund."
	}
	return note
}

func (p PaymentRefund) fields() (payment, amount, why ui.Field) {
	paid := ""
	if p.Conflict {
		paid = p.money(p.Invoice.Paid()) + " paid"
	}
	hint := ""
	switch owed := owedSum(p.Invoice); {
	case p.Invoice.BalanceDue().Sign() >= 0:
		hint = "No refund is due. A refund will also credit the invoice and issue a credit note."
	case owed.Compare(p.largestLeft()) > 0:
		hint = "The amount to refund, " + p.money(owed) + ", needs more than one refund, because each refund goes to one payment."
	}
	if p.Limit != nil {
		refunded := ""
		if sum := p.Invoice.Refunded(); sum.Sign() > 0 {
			refunded = ", and " + p.money(sum) + " is already refunded"
		}
		hint = joinNonEmpty(" ", hint, "You can refund up to "+p.money(*p.Limit)+" per invoice"+refunded+". Admins can refund more.")
	}
	return ui.Field{Name: "payment", Label: "Refund to", Required: true, Input: p.Payment},
		ui.Field{Name: "amount", Label: "Amount", Required: true, Autocomplete: restored, Decimal: true, Hint: hint, Now: paid, Input: p.Amount},
		whyField(p.Why)
}

// canRefund reports whether the user may refund any part of the invoice.
func (p PaymentRefund) canRefund() bool {
	return p.Invoice.CanRefund() && (p.Limit == nil || p.Limit.Sign() > 0)
}

func (p PaymentRefund) formTarget() ui.Change {
	c := p.to(InvoicePath(p.Invoice.ID)+"/refund", "Record refund", InvoicePath(p.Invoice.ID))
	if p.ToConfirm != "" {
		c.Submit = "Confirm and record refund"
	}
	return c
}

// ways returns an option for each payment of which an amount can still be refunded. The
// option shows this amount.
func (p PaymentRefund) ways() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a payment"}}
	left := p.Invoice.Refundable()
	for i, payment := range p.Invoice.Payments {
		if left[i].Sign() == 0 {
			continue
		}
		amount := p.money(left[i])
		if left[i].Compare(payment.Amount) < 0 {
			amount += " left of " + p.money(payment.Amount)
		}
		options = append(options, ui.Option{Value: payment.ID, Text: strconv.Itoa(i+1) + ". " + joinNonEmpty(", ", kindName(payment.Type), payment.Reference(), amount)})
	}
	return options
}
