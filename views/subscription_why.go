package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// WhyCharged is the page that explains whether and why a subscription is charged on a
// day.
type WhyCharged struct {
	Page
	Subscription store.Subscription
	Answer       *store.ChargeAnswer // nil if the entered day is invalid
	Input        ui.Input            // the entered day
}

func (p *WhyCharged) dayField() ui.Field {
	return ui.Field{Name: "day", Label: "Day", Type: "date", Input: p.Input}
}

// WhyChargedPath returns the path of the page that explains the charges of a
// subscription.
func WhyChargedPath(s *store.Subscription) string { return SubscriptionPath(s, "why") }

// verdict says in a few words whether the subscription is charged.
func (p *WhyCharged) verdict() string {
	a := p.Answer
	switch future := a.Result == nil && a.Reason != store.ReasonPaid; { // a payment with the reason ReasonPaid has a receipt, even if no result is stored
	case a.Charges && future:
		return p.money(a.Amount) + " will be charged"
	case a.Charges:
		return p.money(a.Amount) + " was charged"
	case a.Reason == store.ReasonOtherDay:
		return p.money(a.Amount) + " was charged on " + calendar(a.Charged)
	case a.Reason == store.ReasonTooOld || a.Reason == store.ReasonUnknown || a.Reason == store.ReasonRepeat:
		return "Not known"
	case future && a.Reason != store.ReasonNoRecord:
		return "Nothing will be charged"
	}
	return "Nothing was charged"
}

// because explains the verdict in one or two sentences.
func (p *WhyCharged) because() string {
	a := p.Answer
	switch a.Reason {
	case store.ReasonPaid:
		return "The payment" + p.dueThen() + " was recorded as paid."
	case store.ReasonOtherDay:
		return "The payment was due on this day and was recorded as paid on " + calendar(a.Charged) + "."
	case store.ReasonDeclined:
		return "The payment" + p.dueThen() + " was declined."
	case store.ReasonPaused:
		return "The payment" + p.dueThen() + " was declined for the last time, and the subscription was paused."
	case store.ReasonSkipped:
		return "The payment was skipped."
	case store.ReasonDropped:
		return "The payment attempt did not reach the payment service, and the subscription was no longer active."
	case store.ReasonUnknown:
		return "The payment service did not say whether the customer paid. The next payment run for this day will check it."
	case store.ReasonFailed:
		return "The payment run could not process this subscription."
	case store.ReasonNoRecord:
		return "No payment was due on this day, or no payment run processed the day. If a user retried a payment on this day, it is listed under Changes on this day."
	case store.ReasonTooOld:
		return "The results of payment runs are deleted after 90 days. The receipts of the account show the payments."
	case store.ReasonDue:
		return "The payment is due on this day, if nothing changes and earlier payments succeed."
	case store.ReasonBehind:
		return "The payment was due on " + calendar(a.Due) + " and is still open. The next payment run for " + calendar(p.Subscription.NextAttemptDate) + " will charge it."
	case store.ReasonRetry:
		return "The payment due on " + calendar(a.Due) + " was declined " + times(p.Subscription.Attempt) + " and is retried on this day."
	case store.ReasonRepeat:
		return "The outcome of the last attempt is not known yet. The next payment run for " + calendar(p.Subscription.NextAttemptDate) + " will check it."
	case store.ReasonLate:
		return "The payment is more than " + strconv.Itoa(store.DaysUntilLate) + " days late, and the settings say that late payments are skipped."
	case store.ReasonEnds:
		return "The subscription is cancelled on this day, at the end of its period."
	case store.ReasonNotDue:
		return "No payment is due on this day. The next one is due on " + calendar(a.Due) + "."
	case store.ReasonNotActive:
		return "The subscription is not active on this day."
	}
	return ""
}

// dueThen says when the payment of a past answer was due, or nothing if this is unknown.
func (p *WhyCharged) dueThen() string {
	switch a := p.Answer; {
	case a.Due.IsZero():
		return ""
	case a.Due.Equal(a.Day):
		return " due on this day"
	default:
		return " due on " + calendar(a.Due)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
