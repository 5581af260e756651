package views

import (
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

// DueBack returns the initial input for the amount: the overpaid amount, or "" if
// nothing is overpaid.
func DueBack(i *store.Invoice, currency string) ui.Input {
	if owed := i.BalanceDue(); owed.Sign() < 0 {
		return ui.Input{Value: store.InputAmount(store.Amount{}.Minus(owed), currency)}
	}
	return ui.Input{}
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
			note += ask + string(AppendMoney(nil, owed, currency)) + " from " + messageLink(InvoicePath(invoice.ID), "invoice "+invoice.NumberText()) + "."
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
	if p.Invoice.BalanceDue().Sign() >= 0 {
		hint = "No refund is due. A refund will also credit the invoice and issue a credit note."
	}
	if p.Limit != nil {
		hint = joinNonEmpty(" ", hint, "You can refund up to "+p.money(*p.Limit)+" per invoice. Admins can refund more.")
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
