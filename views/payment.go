package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// restored is the value of the attribute autocomplete of amounts and days, which are not
// secret. With the value "off", browsers do not restore them when the user goes back.
const restored = "on"

// whyField returns the field for the reason of a change that cannot be undone.
func whyField(why ui.Input) ui.Field {
	return ui.Field{Name: "why", Label: "Reason", Hint: "Shown in the history.", Required: true, Input: why}
}

func kinds(all []string) []ui.Option {
	options := make([]ui.Option, len(all))
	for i, kind := range all {
		options[i] = ui.Option{Value: kind, Text: kindName(kind)}
	}
	return options
}

func kindName(kind string) string {
	switch kind {
	case "GiftCard":
		return "Gift card"
	case "DiscountCode":
		return "Discount code"
	case "AmericanExpress":
		return "American Express"
	case "BankTransfer":
		return "Bank transfer"
	}
	return sentence(kind)
}

func paymentName(payment store.Payment) string {
	if payment.ReversalOf != "" {
		return joinNonEmpty(", ", "Reversal", kindName(payment.Type))
	}
	if payment.Amount.Sign() < 0 {
		return joinNonEmpty(", ", "Refund", kindName(payment.Type))
	}
	return nameOr(kindName(payment.Type), "Payment")
}

// owedName returns the label of an invoice's balance. A negative balance is an amount to
// refund.
func owedName(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "To refund"
	}
	return "Balance due"
}

// owedOnPaper returns the label of the balance on a printed invoice.
func owedOnPaper(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "Refund due to you"
	}
	return "To pay"
}

// owedWord returns the words after the amount of a balance: "due" or "to refund".
func owedWord(i store.Invoice) string {
	if i.BalanceDue().Sign() < 0 {
		return "to refund"
	}
	return "due"
}

func owedSum(i store.Invoice) store.Amount {
	if owed := i.BalanceDue(); owed.Sign() < 0 {
		return store.Amount{}.Minus(owed)
	}
	return i.BalanceDue()
}
