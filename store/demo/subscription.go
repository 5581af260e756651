package demo

import (
	"fmt"
	"time"

	"stockroom/store"
)

const (
	firstSubscription = 70001
	receiptDays       = 183 // number of days for which receipts are kept; the default of new businesses
	reminderDays      = 7
	receiptMonths     = 5
)

var plans = []struct {
	sku, name string
	cents     int64
}{
	{"PLAN-COFFEE", "Coffee every month", 1899},
	{"PLAN-TEA", "Tea every month", 1299},
	{"PLAN-CARE", "Furniture care", 499},
	{"PLAN-FILTERS", "Water filters", 799},
	{"PLAN-PRINT", "Art prints", 2450},
}

// addSubscriptions adds monthly subscriptions with their receipts. Most payments are
// due within the next four weeks.
func (g *generator) addSubscriptions() {
	today := time.Date(g.now.Year(), g.now.Month(), g.now.Day(), 0, 0, 0, 0, time.UTC)
	for n := range g.size.Subscriptions {
		customer := &g.customers[n*len(g.customers)/g.size.Subscriptions]
		plan := pick(g, plans)
		due := today.AddDate(0, 0, g.intBetween(0, 27))
		s := &store.Subscription{
			ID: fmt.Sprint(firstSubscription + n), AccountID: customer.ID, SKU: plan.sku, PlanName: plan.name, Email: customer.Email,
			Status: store.SubscriptionActive, PaymentDay: due.Day(), PaymentAmount: store.MinorUnits(plan.cents),
			NextPaymentDate: due, NextAttemptDate: due, NextReminderDate: due.AddDate(0, 0, -reminderDays), Created: customer.Created, Version: 1,
			PaymentDetails: store.PaymentDetails{Card: g.digits("####"), Customer: "cus_demo" + customer.ID, Method: "pm_demo" + customer.ID},
		}
		g.setState(s, today)
		g.addReceipts(s)
		g.add(s)
	}
}

// setState makes some subscriptions past due, paused or cancelled.
func (g *generator) setState(s *store.Subscription, today time.Time) {
	switch x := g.intBetween(1, 100); {
	case x <= 6: // the payment was declined and will be retried tomorrow
		s.NextPaymentDate = today.AddDate(0, 0, -g.intBetween(1, 2))
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

// addReceipts adds receipts for past months, but not for months before the customer
// existed.
func (g *generator) addReceipts(s *store.Subscription) {
	due := s.NextPaymentDate
	for range receiptMonths {
		due = store.FirstPayment(time.Date(due.Year(), due.Month()-1, 1, 0, 0, 0, 0, time.UTC), s.PaymentDay)
		processed := due.Add(6*time.Hour + time.Duration(g.intBetween(0, 600))*time.Second)
		if due.Before(s.Created) || processed.After(g.now) {
			continue
		}
		if s.LastPaymentDate.Before(processed) {
			s.LastPaymentDate = processed
		}
		g.add(&store.Receipt{
			AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU, PlanName: s.PlanName, DueDate: due, Email: s.Email,
			ProcessedDate: processed, ProcessedAmount: s.PaymentAmount, Expires: processed.AddDate(0, 0, receiptDays), Version: 1,
		})
	}
}
