package views

// Subscribing is the form for a new subscription.
type Subscribing struct {
	Page
	Form
	AccountID string
	Fields    []EditField
}
