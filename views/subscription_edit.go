package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// SubscriptionAction is an action that changes a subscription. It is also the last part
// of the form's path.
type SubscriptionAction string

// The actions on a subscription.
const (
	SubscriptionChange SubscriptionAction = "change"
	SubscriptionPause  SubscriptionAction = "pause"
	SubscriptionResume SubscriptionAction = "resume"
	SubscriptionCancel SubscriptionAction = "cancel"
	SubscriptionRetry  SubscriptionAction = "retry"
	SubscriptionRemind SubscriptionAction = "remind"
	SubscriptionMethod SubscriptionAction = "payment-method"
	SubscriptionCard   SubscriptionAction = "card-link"
	SubscriptionSkip   SubscriptionAction = "skip"
	SubscriptionEnd    SubscriptionAction = "end"
	SubscriptionKeep   SubscriptionAction = "keep"
)

// subscriptionActions lists the actions in the order of their buttons.
var subscriptionActions = []SubscriptionAction{
	SubscriptionRetry, SubscriptionCard, SubscriptionMethod, SubscriptionRemind, SubscriptionChange, SubscriptionSkip, SubscriptionPause,
	SubscriptionResume, SubscriptionKeep, SubscriptionEnd, SubscriptionCancel,
}

// Title returns the title of the action's form, which is also the text of the form's
// button.
func (a SubscriptionAction) Title() string {
	switch a {
	case SubscriptionRetry:
		return "Retry payment"
	case SubscriptionRemind:
		return "Send reminder"
	case SubscriptionMethod:
		return "Edit payment method"
	case SubscriptionCard:
		return "Email card link"
	case SubscriptionSkip:
		return "Skip next payment"
	case SubscriptionEnd:
		return "Cancel at end of period"
	}
	return capital(string(a)) + " subscription"
}

// label returns a shorter name of the action, for the list of actions.
func (a SubscriptionAction) label() string {
	if a == SubscriptionCancel {
		return "Cancel now"
	}
	return strings.TrimSuffix(a.Title(), " subscription")
}

func (a SubscriptionAction) description() string {
	switch a {
	case SubscriptionChange:
		return "The next payment moves to the new day of its month or, if that day has passed, to the following month. A payment that was declined keeps its date."
	case SubscriptionPause:
		return "No payments are charged and no reminders are sent until the subscription is resumed."
	case SubscriptionResume:
		return "The next payment is charged on the next payment day. Payments that were declined, or were due while the subscription was paused, are not charged."
	case SubscriptionCancel:
		return "The subscription ends now, and no more payments are charged. Until the next payment is due, you can undo this in the history of the account."
	case SubscriptionEnd:
		return "The subscription stays active until the day of its next payment. On that day, it is cancelled and nothing is charged. Until then, you can keep it."
	case SubscriptionKeep:
		return "The subscription will no longer be cancelled at the end of its period. The next payment will be charged as usual."
	case SubscriptionSkip:
		return "The next payment is not charged. The customer pays again a month later."
	case SubscriptionMethod:
		return "The next payment attempt uses the new payment method."
	case SubscriptionCard:
		return "This emails the customer a link to a Stripe page, where they enter a new card. The link works only once and expires after 7 days."
	case SubscriptionRetry:
		return "This charges the open payment now. If it succeeds, a paused subscription becomes active again. If it is declined, it replaces a retry that was scheduled for today. If no retry is left, the subscription is paused."
	case SubscriptionRemind:
		return "This sends a reminder for the next payment now. The scheduled reminders do not change."
	}
	return ""
}

// available reports whether the state of the subscription allows the action.
func (a SubscriptionAction) available(s *store.Subscription) bool {
	switch a {
	case SubscriptionCancel:
		return s.Status != store.SubscriptionCancelled
	case SubscriptionChange:
		return s.Status != store.SubscriptionCancelled && !s.Ending
	case SubscriptionMethod:
		return s.Status != store.SubscriptionCancelled && s.PendingAttempt.Key == ""
	case SubscriptionCard:
		return s.Status != store.SubscriptionCancelled && s.Email != ""
	case SubscriptionPause, SubscriptionRemind:
		return s.Charged()
	case SubscriptionSkip:
		return s.CanSkip()
	case SubscriptionEnd:
		return s.CanEnd()
	case SubscriptionKeep:
		return s.Ending
	case SubscriptionResume:
		return s.Status == store.SubscriptionPaused
	case SubscriptionRetry:
		return s.HasOpenPayment()
	}
	return false
}

// edits reports whether the form of the action edits values of the subscription.
func (a SubscriptionAction) edits() bool {
	return a == SubscriptionChange || a == SubscriptionMethod
}

// SubscriptionChanging is the form of an action on a subscription.
type SubscriptionChanging struct {
	Page
	Form
	Action       SubscriptionAction
	Subscription store.Subscription
	Fields       []EditField // fields of the action
	Seen         string      // see FieldSeen
	Why          ui.Input    // reason for a cancellation or a skipped payment
}

func (p SubscriptionChanging) fields() []ui.Field {
	if p.Action.edits() {
		return p.Form.fields(p.Fields)
	}
	switch p.Action {
	case SubscriptionCancel, SubscriptionEnd, SubscriptionSkip:
		return []ui.Field{{Name: "why", Label: "Reason (optional)", Input: p.Why}}
	}
	return nil
}

// SubscriptionPath returns the path of the form for an action.
func SubscriptionPath(s *store.Subscription, action SubscriptionAction) string {
	return BillingPath(s.AccountID) + "/subscriptions/" + ui.Segment(s.ID) + "/" + ui.Segment(s.SKU) + "/" + string(action)
}
