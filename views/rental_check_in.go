package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// CheckIn is the form that checks kayaks in. First, the user enters the kayaks. Then the
// form shows their charges, and the user confirms the check-in.
type CheckIn struct {
	RentalForm
	Quote   *store.CheckInQuote // nil until the kayaks are entered
	States  []KayakState        // state of each kayak in Quote
	Payment CheckInPayment
}

// CheckInPayment contains the inputs for the payment of a check-in.
type CheckInPayment struct{ Method, Keep, KeepWhy ui.Input }

// payment returns the fields for the charge and for the deposit. It omits a field if there
// is no charge or no deposit.
func (p CheckIn) payment() []ui.Field {
	var fields []ui.Field
	if p.Quote.Total.Sign() > 0 {
		hint := ""
		if len(p.Quote.Renters()) > 1 {
			hint = "Each renter gets a separate payment. If they pay with different methods, check in the kayaks of one renter at a time."
		}
		fields = append(fields, ui.Field{
			Name: store.FieldPayMethod, Label: "Payment method for the charge of " + p.money(p.Quote.Total), Hint: hint, Options: payMethods(store.PayMethods), Required: true, Input: p.Payment.Method,
		})
	}
	if p.Quote.Deposit.Sign() > 0 {
		fields = append(fields,
			ui.Field{
				Name: store.FieldKeep, Label: "Deposit to keep (optional)", Hint: "Leave empty to return " + p.money(p.Quote.Deposit) + p.depositMethod() + ".",
				Decimal: true, Input: p.Payment.Keep,
			},
			ui.Field{Name: store.FieldKeepWhy, Label: "Reason for keeping it", Input: p.Payment.KeepWhy})
	}
	return fields
}

// depositMethod says how to return the deposits, as in " in cash". It returns "" if they
// were not all paid in the same way.
func (p CheckIn) depositMethod() string {
	var method store.PayMethod
	for i := range p.Quote.Lines {
		by := p.Quote.Lines[i].DepositBy
		if method != "" && by != "" && by != method {
			return ""
		}
		if by != "" {
			method = by
		}
	}
	switch method {
	case store.PayByCard:
		return " to the card"
	case store.PayByCash:
		return " in cash"
	}
	return ""
}

// KayakState contains the inputs for the state of a returned kayak.
type KayakState struct{ Condition, Damage, Repair ui.Input }

// state returns the fields for the state of kayak n, counted from 0.
func (p CheckIn) state(n int) []ui.Field {
	line, input := &p.Quote.Lines[n], p.States[n]
	now := "If you leave this empty, the damage becomes the new condition. Without damage, the condition does not change."
	if line.Condition != "" {
		now = "Now: " + line.Condition + ". If you leave this empty, the damage becomes the new condition. Without damage, the condition does not change."
	}
	return []ui.Field{
		{Name: store.DamageField(n + 1), Label: "Damage", Hint: "Leave empty if there is none.", Input: input.Damage},
		{Name: store.ConditionField(n + 1), Label: "New condition", Hint: now, Input: input.Condition},
		{Name: store.RepairField(n + 1), Label: "Send for repair", Input: input.Repair},
	}
}

// fields returns the fields for the error summary.
func (p CheckIn) fields() []ui.Field {
	var fields []ui.Field
	if p.Quote != nil {
		for n := range p.Quote.Lines {
			fields = append(fields, p.state(n)...)
		}
		fields = append(fields, p.payment()...)
	}
	return append(fields, scanField(p.Kayaks))
}

func (p CheckIn) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/return", Token: p.Token, Back: StorePath(p.Store.ID),
		Submit: "Check in for " + p.money(p.Quote.Total),
	}
}

// withKayak returns the address of this form with one more kayak entered.
func (p CheckIn) withKayak(id string) string {
	return ReturnPath(p.Store.ID, append(kayakIDs(p.Quote.Rentals()), id)...)
}
