package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Due lists the payments or reminders due on a day or in a week.
type Due struct {
	Page
	List
	Job      store.JobName
	Day      ui.Input
	Week     bool
	From     time.Time // first day of the list
	Expected []ui.Bar  // revenue by week
	Rows     []store.Subscription
}
