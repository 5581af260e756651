package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// SubscriptionAction is a change of one subscription.
type SubscriptionAction string

// The changes.
const (
	SubscriptionChange SubscriptionAction = "change"
	SubscriptionPause  SubscriptionAction = "pause"
	SubscriptionResume SubscriptionAction = "resume"
	SubscriptionCancel SubscriptionAction = "cancel"
	SubscriptionRetry  SubscriptionAction = "retry"
	SubscriptionRemind SubscriptionAction = "remind"
)

// words are the title of an action's form, what its button says, and what it
// does.
func (a SubscriptionAction) words() (title, submit, explains string) {
	switch a {
	case SubscriptionChange:
		return "Change a subscription", "Change it", "The next payment stays in its month where the new day still lies ahead, and goes to the month after where it does not."
	case SubscriptionPause:
		return "Pause a subscription", "Pause it", "No payment is taken and no reminder sent until it is resumed."
	case SubscriptionResume:
		return "Resume a subscription", "Resume it", "The next payment is on the next payment day. The time of the pause is free."
	case SubscriptionCancel:
		return "Cancel a subscription", "Cancel it for good", "No payment is taken any more. This cannot be undone."
	case SubscriptionRetry:
		return "Try the payment again", "Take the payment now", "The open payment is asked for once more, now. Its next attempts stay as they are planned."
	case SubscriptionRemind:
		return "Send a reminder again", "Send it now", "The reminder of the next payment is sent once more."
	}
	return "", "", ""
}

// Title is the title of the action's form.
func (a SubscriptionAction) Title() string {
	title, _, _ := a.words()
	return title
}

// offered says whether an action makes sense for a subscription.
func (a SubscriptionAction) offered(s *store.Subscription) bool {
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

// SubscriptionChanging is the form of a change of one subscription.
type SubscriptionChanging struct {
	Page
	Form
	Action           SubscriptionAction
	Subscription     store.Subscription
	Day, Amount, Why ui.Input
}

func (p SubscriptionChanging) fields() []ui.Field {
	s := &p.Subscription
	switch p.Action {
	case SubscriptionChange:
		return []ui.Field{
			{Name: "day", Label: "Day of the month", Hint: dayHint, Numeric: true, Required: true, Now: p.now(p.Day.Value, strconv.Itoa(s.PaymentDay)), Input: p.Day},
			{Name: "amount", Label: "Amount", Required: true, Now: p.now(p.Amount.Value, s.PaymentAmount.String()), Input: p.Amount},
		}
	case SubscriptionCancel:
		return []ui.Field{{Name: "why", Label: "Why", Input: p.Why}}
	}
	return nil
}

const dayHint = "1 to 31. In a shorter month it is the last day."

// SubscriptionPath is the address of a change of a subscription.
func SubscriptionPath(s *store.Subscription, action SubscriptionAction) string {
	return BillingPath(s.AccountID) + "/subscriptions/" + ui.Segment(s.ID) + "/" + ui.Segment(s.SKU) + "/" + string(action)
}
