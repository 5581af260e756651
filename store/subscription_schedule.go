package store

import (
	"strconv"
	"strings"
	"time"
)

// The due days, attempt days and reminder days of a subscription are calendar days in the
// time zone of the business. The fields contain midnight UTC of the day.

// NextPayment returns the due day in the following month. If the payment day does
// not exist in that month, it returns the last day of the month.
func NextPayment(due time.Time, paymentDay int) time.Time {
	return dueIn(due.Year(), due.Month()+1, paymentDay)
}

// FirstPayment returns the first due day that is not before from.
func FirstPayment(from time.Time, paymentDay int) time.Time {
	due := dueIn(from.Year(), from.Month(), paymentDay)
	if due.Before(from) {
		return NextPayment(due, paymentDay)
	}
	return due
}

// dueIn returns the due day in a month. For damaged data with an invalid payment day,
// it still returns a day in this month, so that NextPayment always moves forward.
func dueIn(year int, month time.Month, paymentDay int) time.Time {
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, month, max(1, min(paymentDay, last)), 0, 0, 0, 0, time.UTC)
}

// dueAfter returns the due day after the given one. moved is true if the given one is
// earlier than the payment day because its month is too short. The following month then has
// 31 days, so that the returned day is the payment day.
func dueAfter(due time.Time, paymentDay int) (after time.Time, moved bool) {
	isLastDay := due.AddDate(0, 0, 1).Day() == 1
	return NextPayment(due, paymentDay), isLastDay && paymentDay > due.Day()
}

// defaultRetryDays are the retry days of settings without RetryDays.
const defaultRetryDays = "1, 3, 7"

// retryDays returns how many days after the due day a declined payment is retried.
func (s Settings) retryDays() []int {
	if days, err := parseRetryDays(s.RetryDays); err == nil {
		return days
	}
	days, _ := parseRetryDays(defaultRetryDays)
	return days
}

// parseRetryDays parses increasing days, such as 1, 3, 7. No day may be after
// DaysUntilLate.
func parseRetryDays(text string) (days []int, err error) {
	last := 0
	for part := range strings.SplitSeq(text, ",") {
		day, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || day <= last || day > DaysUntilLate {
			return nil, InvalidField("retries", "Enter days from 1 to %d in increasing order, separated by commas, such as %s.", DaysUntilLate, defaultRetryDays)
		}
		days, last = append(days, day), day
	}
	return days, nil
}

// NextAttempt returns the day of the next retry after an attempt that was declined
// today. declined is the number of declined attempts. If all retry days have passed
// but some retries were not made, the next retry is tomorrow. retry is false after the
// last retry: the subscription must be paused.
func (s Settings) NextAttempt(due, today time.Time, declined int) (day time.Time, retry bool) {
	retries := s.retryDays()
	for _, days := range retries {
		if day := due.AddDate(0, 0, days); day.After(today) {
			return day, true
		}
	}
	if declined <= len(retries) {
		return today.AddDate(0, 0, 1), true
	}
	return time.Time{}, false
}

// MaxReminderDays is the maximum number of days between a reminder and its payment. Due
// days are at least 28 days apart, so a reminder is never sent before the previous payment
// is due. Only a change of the payment day can bring two due days closer together.
const MaxReminderDays = 27

func (s Settings) reminderOf(due time.Time) time.Time { return due.AddDate(0, 0, -s.ReminderDays) }

func (s Settings) receiptEnd(processed time.Time) time.Time {
	return processed.AddDate(0, 0, s.ReceiptDays)
}

// reschedule sets the date of the next payment, and the dates of its attempt and
// reminder.
func (s *Subscription) reschedule(settings Settings, due, today time.Time) {
	s.NextPaymentDate, s.NextAttemptDate, s.Attempt = due, due, 0
	s.NextReminderDate = later(settings.reminderOf(due), today)
}

// AnnouncedPayment returns the due day of the payment that the next reminder
// announces.
func (s *Subscription) AnnouncedPayment() time.Time {
	return later(FirstPayment(s.NextReminderDate, s.PaymentDay), s.NextPaymentDate)
}

// DueOn returns the day on which the subscription is next due for a job.
func (s *Subscription) DueOn(job JobName) time.Time {
	if job == RemindersJob {
		return s.NextReminderDate
	}
	return s.NextAttemptDate
}
