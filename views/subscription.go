package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Subscriptions is the list of subscriptions.
type Subscriptions struct {
	Page
	List
	Status  store.SubscriptionStatus
	Figures store.SubscriptionFigures
	Rows    []store.Subscription
}

// calendar formats a calendar day. It ignores time zones.
func calendar(day time.Time) string { return string(AppendDay(nil, day, time.UTC)) }

func subscriptionBadge(s store.SubscriptionStatus) ui.Badge {
	switch s {
	case store.SubscriptionActive:
		return ui.Badge{Word: "Active", Tone: ui.Good}
	case store.SubscriptionPastDue:
		return ui.Badge{Word: "Past due", Tone: ui.Wrong}
	case store.SubscriptionPaused:
		return ui.Badge{Word: "Paused", Tone: ui.Neutral}
	case store.SubscriptionCancelled:
		return ui.Badge{Word: "Cancelled", Tone: ui.Ended}
	}
	return unknownBadge(string(s))
}
