package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Paying is the form that takes payments of an invoice: a gift card or a
// discount code first, the rest by card.
type Paying struct {
	Page
	Form
	Invoice                                 store.Invoice // as it is now
	VoucherKind, VoucherAmount, VoucherCode ui.Input
	CardKind, CardAmount, CardDigits        ui.Input
}

// Refunding is the form that pays back what was paid.
type Refunding struct {
	Page
	Form
	Invoice              store.Invoice // as it is now
	Payment, Amount, Why ui.Input
}

// Owing is what a form that takes a payment begins with: all that is owed.
func Owing(i *store.Invoice) ui.Input { return ui.Input{Value: i.BalanceDue().String()} }

// DueBack is what a form that pays back begins with: what was paid too much;
// nothing where nothing was.
func DueBack(i *store.Invoice) ui.Input {
	if owed := i.BalanceDue(); owed.Sign() < 0 {
		return ui.Input{Value: store.Amount{}.Minus(owed).String()}
	}
	return ui.Input{}
}

func (p Paying) fields() (voucher, card []ui.Field) {
	owed := ""
	if p.Conflict {
		owed = p.money(p.Invoice.BalanceDue()) + " owed"
	}
	voucher = []ui.Field{
		{Name: store.FieldVoucherKind, Label: "Gift card or discount code", Input: p.VoucherKind},
		{Name: store.FieldVoucherCode, Label: "Its code", Input: p.VoucherCode},
		{Name: store.FieldVoucherAmount, Label: "Amount from it", Hint: "Empty where there is none.", Decimal: true, Input: p.VoucherAmount},
	}
	card = []ui.Field{
		{Name: store.FieldCardKind, Label: "Card", Input: p.CardKind},
		{Name: store.FieldCardDigits, Label: "Last four digits", Hint: "Never more of a card's number.", Numeric: true, Input: p.CardDigits},
		{Name: store.FieldCardAmount, Label: "Amount by card", Decimal: true, Now: owed, Input: p.CardAmount},
	}
	return voucher, card
}

func (p Refunding) fields() (payment, amount, why ui.Field) {
	paid := ""
	if p.Conflict {
		paid = p.money(p.Invoice.Paid()) + " paid"
	}
	return ui.Field{Name: "payment", Label: "Pay back to", Required: true, Input: p.Payment},
		ui.Field{Name: "amount", Label: "Amount", Required: true, Decimal: true, Now: paid, Input: p.Amount},
		whyField(p.Why)
}

// whyField asks for the reason of what cannot be undone.
func whyField(why ui.Input) ui.Field {
	return ui.Field{Name: "why", Label: "Reason", Hint: "A sentence for whoever asks later.", Required: true, Input: why}
}

// kinds are ways to pay, as choices.
func kinds(all []string) []ui.Option {
	options := make([]ui.Option, len(all))
	for i, kind := range all {
		options[i] = ui.Option{Value: kind, Text: kindName(kind)}
	}
	return options
}

// kindName is what people call a way to pay.
func kindName(kind string) string {
	switch kind {
	case "GiftCard":
		return "Gift card"
	case "DiscountCode":
		return "Discount code"
	case "AmericanExpress":
		return "American Express"
	}
	return sentence(kind)
}

// ways are the payments that can be paid back.
func (p Refunding) ways() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a payment"}}
	for i, payment := range p.Invoice.Payments {
		if payment.Amount.Sign() > 0 {
			options = append(options, ui.Option{Value: payment.ID, Text: strconv.Itoa(i+1) + ". " + joined(", ", kindName(payment.Type), store.MaskCardNumbers(payment.Data), p.money(payment.Amount))})
		}
	}
	return options
}

// owedName, owedWord and owedSum say what is left between customer and shop, in the
// direction in which it is to be paid.
func owedName(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "To pay back"
	}
	return "Owed"
}

// owedOnPaper is owedName as the customer reads it.
func owedOnPaper(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "You get back"
	}
	return "To pay"
}

// owedWord is owedName behind a sum.
func owedWord(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "to pay back"
	}
	return "owed"
}

func owedSum(i store.Invoice) store.Amount {
	if owed := i.BalanceDue(); owed.Sign() < 0 {
		return store.Amount{}.Minus(owed)
	}
	return i.BalanceDue()
}
