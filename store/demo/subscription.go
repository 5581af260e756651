package demo

import (
	"fmt"
	"time"

	"stockroom/store"
)

// Subscriptions is how many the demo business has.
const Subscriptions = 400

const (
	firstSubscription = 70001
	receiptDays       = 183 // as the settings of a new business have it
	reminderDays      = 7
	receiptMonths     = 5 // of which there are receipts at most
)

// plans are what customers of the demo subscribe to.
var plans = []struct {
	sku   string
	cents int64
}{{"PLAN-COFFEE", 1899}, {"PLAN-TEA", 1299}, {"PLAN-CARE", 499}, {"PLAN-FILTERS", 799}, {"PLAN-PRINT", 2450}}

// makeSubscriptions has some customers pay for something every month. Due days
// lie around today, most of them ahead.
func (g *generator) makeSubscriptions() {
	today := time.Date(g.now.Year(), g.now.Month(), g.now.Day(), 0, 0, 0, 0, time.UTC)
	for n := range Subscriptions {
		customer := &g.customers[n*len(g.customers)/Subscriptions]
		plan := pick(g, plans)
		due := today.AddDate(0, 0, g.IntRange(0, 27))
		s := &store.Subscription{
			ID: fmt.Sprint(firstSubscription + n), AccountID: customer.ID, SKU: plan.sku, Email: customer.Email,
			Status: store.SubscriptionActive, PaymentDay: due.Day(), PaymentAmount: store.MinorUnits(plan.cents),
			NextPaymentDate: due, NextAttemptDate: due, NextReminderDate: due.AddDate(0, 0, -reminderDays), Created: customer.Created, Version: 1,
			PaymentDetails: store.PaymentDetails{Card: g.Numerify("####"), Customer: "cus_demo" + customer.ID, Method: "pm_demo" + customer.ID},
		}
		g.stand(s, today)
		g.receipts(s)
		g.add(s)
	}
}

// stand puts a few into another state than being paid for.
func (g *generator) stand(s *store.Subscription, today time.Time) {
	switch x := g.IntRange(1, 100); {
	case x <= 6: // declined yesterday
		s.NextPaymentDate = today.AddDate(0, 0, -g.IntRange(1, 2))
		s.PaymentDay, s.Status, s.Attempt = s.NextPaymentDate.Day(), store.SubscriptionPastDue, 1
		s.NextAttemptDate, s.NextReminderDate = today.AddDate(0, 0, 1), s.NextPaymentDate.AddDate(0, 0, 21)
	case x <= 12:
		s.Status = store.SubscriptionPaused
	case x <= 20:
		s.Status = store.SubscriptionCancelled
	}
	if s.NextReminderDate.Before(today) && s.Live() {
		s.LastReminderDate = s.NextReminderDate.Add(7 * time.Hour)
		s.NextReminderDate = store.NextPayment(s.NextPaymentDate, s.PaymentDay).AddDate(0, 0, -reminderDays)
	}
}

// receipts are those of the months since the customer came that are still
// kept.
func (g *generator) receipts(s *store.Subscription) {
	due := s.NextPaymentDate
	for range receiptMonths {
		due = store.FirstPayment(time.Date(due.Year(), due.Month()-1, 1, 0, 0, 0, 0, time.UTC), s.PaymentDay)
		processed := due.Add(6*time.Hour + time.Duration(g.IntRange(0, 600))*time.Second)
		if due.Before(s.Created) || processed.After(g.now) {
			continue
		}
		if s.LastPaymentDate.Before(processed) {
			s.LastPaymentDate = processed
		}
		g.add(&store.Receipt{
			AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, DueDate: due, Email: s.Email,
			ProcessedDate: processed, ProcessedAmount: s.PaymentAmount, Expires: processed.AddDate(0, 0, receiptDays), Version: 1,
		})
	}
}
