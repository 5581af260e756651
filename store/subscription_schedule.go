package store

import "time"

// The dates of a subscription are calendar days, at midnight UTC: which day it
// is now is the business's time zone to say, and clocks that change on a day
// do not make it another one.

// NextPayment is the due day in the month after another's. Days 29 to 31 fall
// on the last day of a shorter month, and on their own day again afterwards.
func NextPayment(due time.Time, paymentDay int) time.Time {
	return dueIn(due.Year(), due.Month()+1, paymentDay)
}

// FirstPayment is the first due day on or after a day.
func FirstPayment(from time.Time, paymentDay int) time.Time {
	due := dueIn(from.Year(), from.Month(), paymentDay)
	if due.Before(from) {
		return NextPayment(due, paymentDay)
	}
	return due
}

func dueIn(year int, month time.Month, paymentDay int) time.Time {
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, month, min(paymentDay, last), 0, 0, 0, 0, time.UTC)
}

// retryDays are how many days after the due day a payment that was declined is
// tried again, and fewestAttempts how often it is tried before the
// subscription is paused.
var retryDays = [...]int{1, 3, 7}

const fewestAttempts = 1 + len(retryDays)

// nextAttempt is the day on which a payment is tried again that was declined
// today and so often in all; none where the subscription is to be paused. One
// that was tried late is not tried twice on one day to catch up.
func nextAttempt(due, today time.Time, declined int) (day time.Time, again bool) {
	for _, days := range retryDays {
		if day := due.AddDate(0, 0, days); day.After(today) {
			return day, true
		}
	}
	if declined < fewestAttempts {
		return today.AddDate(0, 0, 1), true
	}
	return time.Time{}, false
}

// maxReminderDays keeps the reminder of one payment behind the payment before
// it: no two due days are nearer than 28 days.
const maxReminderDays = 27

// reminderOf is when a payment is announced.
func (s Settings) reminderOf(due time.Time) time.Time { return due.AddDate(0, 0, -s.ReminderDays) }

// receiptEnd is when a receipt of something processed at a moment disappears.
func (s Settings) receiptEnd(processed time.Time) time.Time {
	return processed.AddDate(0, 0, s.ReceiptDays)
}
