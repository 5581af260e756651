package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Overdue lists overdue kayaks of all stores that the user may see, or those that are
// due back today.
type Overdue struct {
	Page
	List     // URL parameters: show, limit
	DueToday bool
	Rows     []store.ActiveRental
}

// ShowToday is the value of the parameter "show" that selects kayaks due back today.
const ShowToday = "today"

// Addresses of the lists of kayaks that are due back.
const (
	overduePath  = "/rentals/overdue"
	dueTodayPath = overduePath + "?show=" + ShowToday
)

func (p *Overdue) tabs() []ui.Tab {
	return []ui.Tab{
		{Name: "Overdue", URL: p.With("show", ""), Current: !p.DueToday},
		{Name: "Due back today", URL: p.With("show", ShowToday), Current: p.DueToday},
	}
}

func (p *Overdue) caption() string {
	if p.DueToday {
		return "Kayaks due back today"
	}
	return "Overdue kayaks, longest overdue first"
}
