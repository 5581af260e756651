package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// NewSubscription is a request to create a subscription.
type NewSubscription struct {
	AccountID string
	SKU       string
	PlanName  string // name of the plan; "" for the name of the product with this SKU
	Email     string // "" for the customer's email address
	Day       int    // payment day of the month, 1 to 31
	Amount    Amount
	From      time.Time // earliest day of the first payment; zero for today
	Details   PaymentDetails
	Token     string // form token; its ULID becomes the ID of the subscription
}

// NewSubscriptionFields are the fields of the form for a new subscription.
var NewSubscriptionFields = Fields[NewSubscription](slices.Concat(
	Fields[NewSubscription]{
		idField("sku", "SKU", func(n *NewSubscription) *string { return &n.SKU }).required(),
		textField("plan", "Plan name", func(n *NewSubscription) *string { return &n.PlanName }).
			hint("Leave empty to use the name of the product with this SKU."),
	},
	termsFields(func(n *NewSubscription) *int { return &n.Day }, func(n *NewSubscription) *Amount { return &n.Amount }),
	Fields[NewSubscription]{
		dayField("from", "First payment on or after", func(n *NewSubscription) *time.Time { return &n.From }).
			hint("For example, 2026-12-01. Leave empty for today."),
		emailField("email", "Email for reminders", func(n *NewSubscription) *string { return &n.Email }).
			hint("Leave empty to use the customer's email address."),
	},
	methodFields(func(n *NewSubscription) *PaymentDetails { return &n.Details }),
))

// CreateSubscription creates a subscription and returns its ID. It returns NotFound if the
// account does not exist, and Conflict if the customer is being closed. It can also return
// Forbidden or Invalid.
func (a Access) CreateSubscription(ctx context.Context, n NewSubscription) (id string, err error) {
	if err := a.require(Subscribe); err != nil {
		return "", err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return "", err
	}
	today := dayIn(a.store.now(), settings.Zone())
	if err := a.Wrong.With(n.check(today, settings.Currency)); err != nil {
		return "", err
	}
	customer, email, err := a.subscriber(ctx, n.AccountID)
	if err != nil {
		return "", err
	}
	n.Email = cmp.Or(n.Email, email)
	if n.PlanName, err = a.planName(ctx, n.SKU, n.PlanName); err != nil {
		return "", err
	}
	id, err = a.store.newID(n.Token)
	if err != nil {
		return "", err
	}
	c, err := a.change(ctx, n.Token)
	if err != nil {
		return "", err
	}
	due := FirstPayment(n.From, n.Day)
	s := &Subscription{
		ID: id, AccountID: n.AccountID, SKU: n.SKU, PlanName: n.PlanName, Email: n.Email, Status: SubscriptionActive,
		PaymentDay: n.Day, PaymentAmount: n.Amount, NextPaymentDate: due, NextAttemptDate: due,
		NextReminderDate: later(settings.reminderOf(due), today), PaymentDetails: n.Details, Created: a.store.now(), Version: 1,
	}
	c.Create(s)
	c.requireStillOpen(customer)
	c.moveTotals(nil, s)
	c.recordEvent(Event{Partition: accountPartition(s.AccountID), What: EventSubscriptionCreated, Why: "subscription " + s.ID + " to " + s.SKU, After: s.terms()})
	return s.ID, c.Commit(ctx)
}

func (n *NewSubscription) check(today time.Time, currency string) error {
	if n.From.IsZero() {
		n.From = today
	}
	var wrong InputErrors
	for _, err := range []error{NewSubscriptionFields.check(n), NewSubscriptionFields.checkEmails(nil, n), NewSubscriptionFields.checkDecimals(nil, n, currency)} {
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	if n.From.Before(today) {
		wrong.Reject("from", "Enter today or a later date.")
	}
	return wrong.Err()
}

// planName returns the argument name. If the argument is "", it returns the name of the
// product with the SKU. Without such a product it returns "", because a plan needs no
// product.
func (a Access) planName(ctx context.Context, sku, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	found, err := a.ProductsBySKU(ctx, sku)
	if err != nil || len(found.Rows) == 0 {
		return "", err
	}
	return found.Rows[0].Name, nil
}

// subscriber returns the customer of an account and their email address. If the customer
// does not exist, it returns nil and the email address of another subscription of the
// account. It returns NotFound if the account has neither a customer nor a subscription, and
// Invalid if the customer is closed.
func (a Access) subscriber(ctx context.Context, accountID string) (customer *Customer, email string, err error) {
	customer, err = a.openCustomer(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	if customer != nil {
		return customer, customer.Email, nil
	}
	existing, err := a.SubscriptionsOfAccount(ctx, accountID, Page{Limit: 1})
	if err != nil {
		return nil, "", err
	}
	if len(existing.Rows) == 0 {
		return nil, "", fail(NotFound, "Customer %s not found.", accountID)
	}
	return nil, existing.Rows[0].Email, nil
}
