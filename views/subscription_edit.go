package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// SubscriptionAction is an action that changes a subscription. It is also the last part
// of the form's path.
type SubscriptionAction string

// The actions.
const (
	SubscriptionChange SubscriptionAction = "change"
	SubscriptionPause  SubscriptionAction = "pause"
	SubscriptionResume SubscriptionAction = "resume"
	SubscriptionCancel SubscriptionAction = "cancel"
	SubscriptionRetry  SubscriptionAction = "retry"
	SubscriptionRemind SubscriptionAction = "remind"
)

// Title returns the title of the action's form. Its button has the same text.
func (a SubscriptionAction) Title() string {
	switch a {
	case SubscriptionRetry:
		return "Retry payment"
	case SubscriptionRemind:
		return "Send reminder"
	}
	return capital(string(a)) + " subscription"
}

// label returns a shorter title for the list of actions.
func (a SubscriptionAction) label() string { return strings.TrimSuffix(a.Title(), " subscription") }

func (a SubscriptionAction) description() string {
	switch a {
	case SubscriptionChange:
		return "If the new day has passed this month, the next payment moves to next month."
	case SubscriptionPause:
		return "No payments are taken and no reminders are sent until the subscription is resumed."
	case SubscriptionResume:
		return "The next payment is taken on the next payment day. The customer does not pay for the paused time."
	case SubscriptionCancel:
		return "No more payments are taken. This cannot be undone."
	case SubscriptionRetry:
		return "This tries to take the open payment now. The scheduled retries do not change."
	case SubscriptionRemind:
		return "This sends a reminder for the next payment now. The scheduled reminders do not change."
	}
	return ""
}

// available reports whether the subscription's status allows the action.
func (a SubscriptionAction) available(s *store.Subscription) bool {
	switch a {
	case SubscriptionChange, SubscriptionCancel:
		return s.Status != store.SubscriptionCancelled
	case SubscriptionPause, SubscriptionRemind:
		return s.Live()
	case SubscriptionResume:
		return s.Status == store.SubscriptionPaused
	case SubscriptionRetry:
		return s.Status == store.SubscriptionPastDue
	}
	return false
}

// SubscriptionChanging is the form of an action.
type SubscriptionChanging struct {
	Page
	Form
	Action       SubscriptionAction
	Subscription store.Subscription
	Fields       []EditField // payment day and amount, if the action changes them
	Why          ui.Input    // reason for a cancellation
}

func (p SubscriptionChanging) fields() []ui.Field {
	switch p.Action {
	case SubscriptionChange:
		return p.Form.fields(p.Fields)
	case SubscriptionCancel:
		return []ui.Field{{Name: "why", Label: "Reason (optional)", Input: p.Why}}
	}
	return nil
}

// SubscriptionPath returns the path of the form for an action.
func SubscriptionPath(s *store.Subscription, action SubscriptionAction) string {
	return BillingPath(s.AccountID) + "/subscriptions/" + ui.Segment(s.ID) + "/" + ui.Segment(s.SKU) + "/" + string(action)
}
