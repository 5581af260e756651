package storetest

import (
	"fmt"
	"time"

	"stockroom/store"
)

// shopSubscriptions is the number of customers with a subscription.
const shopSubscriptions = 20

// bill adds a subscription for each of the first customers. The subscription of customer n
// has the status n mod 4 of store.SubscriptionStatuses, is due n days after Now, and has a
// receipt for the previous month.
func (shop *Shop) bill() {
	today := time.Date(Now.Year(), Now.Month(), Now.Day(), 0, 0, 0, 0, time.UTC)
	for n := range shopSubscriptions {
		customer, due := shop.Customers[n], today.AddDate(0, 0, n)
		s := store.Subscription{
			ID: fmt.Sprintf("sub%02d", n), AccountID: customer.ID, SKU: "PLAN", Email: customer.Email,
			Status: store.SubscriptionStatuses[n%len(store.SubscriptionStatuses)], PaymentDay: due.Day(), PaymentAmount: store.MinorUnits(int64(1299 + n)),
			NextPaymentDate: due, NextAttemptDate: due, NextReminderDate: due.AddDate(0, 0, -7), PaymentDetails: store.PaymentDetails{Card: "1234"},
			Created: Now.AddDate(0, -6, 0), Version: 1,
		}
		if s.Status == store.SubscriptionPastDue {
			s.Attempt, s.NextAttemptDate = 1, due.AddDate(0, 0, 1)
		}
		shop.Subscriptions = append(shop.Subscriptions, s)
		last := due.AddDate(0, -1, 0)
		shop.Receipts = append(shop.Receipts, store.Receipt{
			AccountID: customer.ID, SubscriptionID: s.ID, SKU: s.SKU, DueDate: last, Email: s.Email,
			ProcessedDate: last, ProcessedAmount: s.PaymentAmount, Expires: last.AddDate(0, 6, 0), Version: 1,
		})
	}
}
