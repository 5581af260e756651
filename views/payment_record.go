package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PaymentRecord is the form that records payments of an invoice: by gift card or
// discount code, by another method, or both.
type PaymentRecord struct {
	Page
	Form
	Invoice                                 store.Invoice // the current invoice
	VoucherKind, VoucherAmount, VoucherCode ui.Input
	RestMethod, RestAmount, RestReference   ui.Input
	Received                                ui.Input
	Similar                                 []store.Payment // recorded payments that may be the same as the entered ones
	Question                                string          // asks the user to check the similar payments; "" if the form has shown them before
}

// Owing returns the initial input for the amount: the balance due.
func Owing(i *store.Invoice, currency string) ui.Input {
	return ui.Input{Value: store.InputAmount(i.BalanceDue(), currency)}
}

func (p PaymentRecord) similarIDs() string {
	return joinIDs(p.Similar, func(paid *store.Payment) string { return paid.ID })
}

// similarText describes a similar payment.
func (p PaymentRecord) similarText(paid *store.Payment) string {
	return joinNonEmpty(", ", paymentName(*paid), paid.Reference(), p.money(paid.Amount), p.calendar(paid.Day(p.zone())))
}

func (p PaymentRecord) fields() (voucher, rest []ui.Field) {
	owed := ""
	if p.Conflict {
		owed = p.money(p.Invoice.BalanceDue()) + " due"
	}
	voucher = []ui.Field{
		{Name: store.FieldVoucherKind, Label: "Gift card or discount code", Input: p.VoucherKind},
		{Name: store.FieldVoucherCode, Label: "Code", Input: p.VoucherCode},
		{Name: store.FieldVoucherAmount, Label: "Amount used", Autocomplete: restored, Hint: "Leave empty if none.", Decimal: true, Input: p.VoucherAmount},
	}
	rest = []ui.Field{
		{Name: store.FieldRestMethod, Label: "Payment method", Input: p.RestMethod},
		{Name: store.FieldRestReference, Label: "Card digits or reference", Hint: "For a card, only the last four digits of its number. For a bank transfer or cash, a reference if there is one.", Input: p.RestReference},
		{Name: store.FieldRestAmount, Label: "Amount paid by this method", Autocomplete: restored, Decimal: true, Now: owed, Input: p.RestAmount},
		{Name: store.FieldReceived, Label: "Received on", Type: "date", Autocomplete: restored, Hint: "The day when the money arrived, for example on the bank statement.", Input: p.Received},
	}
	return voucher, rest
}
