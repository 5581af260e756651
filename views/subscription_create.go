package views

import (
	"stockroom/views/ui"
)

// Subscribing is the form of a new subscription.
type Subscribing struct {
	Page
	Form
	AccountID                                              string
	SKU, Day, Amount, From, Email, Card, Customer, Payment ui.Input
}

func (p Subscribing) fields() []ui.Field {
	return []ui.Field{
		{Name: "sku", Label: "SKU", Required: true, Input: p.SKU},
		{Name: "amount", Label: "Amount a month", Required: true, Input: p.Amount},
		{Name: "day", Label: "Day of the month", Hint: dayHint, Numeric: true, Required: true, Input: p.Day},
		{Name: "from", Label: "First payment not before", Hint: "A day such as 2026-12-01. Empty is today.", Input: p.From},
		{Name: "email", Label: "E-mail for reminders", Hint: "Empty is the customer's own.", Input: p.Email},
	}
}

func (p Subscribing) details() []ui.Field {
	return []ui.Field{
		{Name: "card", Label: "Card", Hint: "Its last four digits, for reminders. Never more are kept.", Numeric: true, Input: p.Card},
		{Name: "customer", Label: "Customer at the payment processor", Input: p.Customer},
		{Name: "method", Label: "Payment method at the payment processor", Input: p.Payment},
	}
}
