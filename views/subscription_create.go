package views

import (
	"stockroom/views/ui"
)

// Subscribing is the form for a new subscription.
type Subscribing struct {
	Page
	Form
	AccountID                                              string
	SKU, Day, Amount, From, Email, Card, Customer, Payment ui.Input
}

func (p Subscribing) fields() []ui.Field {
	return []ui.Field{
		{Name: "sku", Label: "SKU", Required: true, Input: p.SKU},
		{Name: "amount", Label: "Amount per month", Required: true, Input: p.Amount},
		{Name: "day", Label: "Day of the month", Hint: dayHint, Numeric: true, Required: true, Input: p.Day},
		{Name: "from", Label: "First payment on or after", Hint: "For example 2026-12-01. Leave empty for today.", Input: p.From},
		{Name: "email", Label: "Email for reminders", Hint: "Leave empty to use the customer's email.", Input: p.Email},
	}
}

func (p Subscribing) details() []ui.Field {
	return []ui.Field{
		{Name: "card", Label: "Card", Hint: "The last four digits, shown in reminders. The full number is never stored.", Numeric: true, Input: p.Card},
		{Name: "customer", Label: "Customer ID at the payment processor", Input: p.Customer},
		{Name: "method", Label: "Payment method ID at the payment processor", Input: p.Payment},
	}
}
