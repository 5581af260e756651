package views

import "stockroom/store"

// Subscribing is the form for a new subscription.
type Subscribing struct {
	Page
	Form
	AccountID string
	Customer  *store.Customer // nil if the account has no customer
	Fields    []EditField
}
