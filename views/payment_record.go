package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PaymentRecord is the form that records payments of an invoice: by gift card or
// discount code, by card, or both.
type PaymentRecord struct {
	Page
	Form
	Invoice                                 store.Invoice // the current invoice
	VoucherKind, VoucherAmount, VoucherCode ui.Input
	CardKind, CardAmount, CardDigits        ui.Input
}

// Owing returns the initial input for the amount: the balance due.
func Owing(i *store.Invoice, currency string) ui.Input {
	return ui.Input{Value: store.InputAmount(i.BalanceDue(), currency)}
}

func (p PaymentRecord) fields() (voucher, card []ui.Field) {
	owed := ""
	if p.Conflict {
		owed = p.money(p.Invoice.BalanceDue()) + " due"
	}
	voucher = []ui.Field{
		{Name: store.FieldVoucherKind, Label: "Gift card or discount code", Input: p.VoucherKind},
		{Name: store.FieldVoucherCode, Label: "Code", Input: p.VoucherCode},
		{Name: store.FieldVoucherAmount, Label: "Amount used", Hint: "Leave empty if none.", Decimal: true, Input: p.VoucherAmount},
	}
	card = []ui.Field{
		{Name: store.FieldCardKind, Label: "Card", Input: p.CardKind},
		{Name: store.FieldCardDigits, Label: "Last four digits", Hint: "Don't enter the full card number.", Numeric: true, Input: p.CardDigits},
		{Name: store.FieldCardAmount, Label: "Amount by card", Decimal: true, Now: owed, Input: p.CardAmount},
	}
	return voucher, card
}
