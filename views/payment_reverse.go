package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PaymentReversal is the form that reverses a payment.
type PaymentReversal struct {
	Page
	Form
	Invoice      store.Invoice // the current invoice
	Payment, Why ui.Input
}

func (p PaymentReversal) fields() (payment, why ui.Field) {
	return ui.Field{Name: "payment", Label: "Payment", Required: true, Input: p.Payment}, whyField(p.Why)
}

// payments returns an option for each payment that can be reversed.
func (p PaymentReversal) payments() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a payment"}}
	for _, payment := range p.Invoice.Reversible() {
		text := joinNonEmpty(", ", kindName(payment.Type), payment.Reference(), p.money(payment.Amount), p.calendar(payment.Day(p.zone())))
		options = append(options, ui.Option{Value: payment.ID, Text: text})
	}
	return options
}

// reversedBy says who reversed a payment, when and why. r is the reversal.
func reversedBy(p *Page, r *store.Payment) string {
	text := "Reversed by " + nameOr(r.By, "unknown user") + " on " + p.day(r.Date)
	if r.Why != "" {
		text += ": " + store.MaskCardNumbers(r.Why)
	}
	return text
}
