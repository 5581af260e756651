package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Due is what is due on some days.
type Due struct {
	Page
	List
	Job      store.JobName
	Day      ui.Input
	Week     bool
	From     time.Time // the first day of those that are listed
	Expected []ui.Bar  // revenue by week
	Rows     []store.Subscription
}
