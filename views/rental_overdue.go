package views

import (
	"slices"

	"stockroom/store"
	"stockroom/views/ui"
)

// Overdue lists overdue kayaks, or kayaks that are due back today, of all stores that
// the user may see.
type Overdue struct {
	Page
	List
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

func (p *Overdue) selectAll() string {
	if p.DueToday {
		return "All kayaks due back today"
	}
	return "All overdue kayaks"
}

// actions returns the buttons for the selected kayaks. Reminders can be sent only for
// overdue kayaks.
func (p *Overdue) actions() []bulkAction {
	actions := []bulkAction{{ButtonPrint, "Print list"}}
	if !p.DueToday && p.may(store.RunRentals) {
		actions = append([]bulkAction{{string(store.BulkRentalReminder), "Send reminders"}}, actions...)
	}
	return actions
}

func (p *Overdue) caption() string {
	if p.DueToday {
		return "Kayaks due back today"
	}
	return "Overdue kayaks, longest overdue first"
}

// OverduePrint is a printable list of kayaks that are due back.
type OverduePrint struct {
	Page
	DueToday bool
	Rows     []store.ActiveRental
	Renters  map[string]*store.Renter // renters by ID
}

func (p *OverduePrint) back() string {
	if p.DueToday {
		return dueTodayPath
	}
	return overduePath
}

// contact returns the phone numbers and the email address of the renter.
func (p *OverduePrint) contact(r *store.ActiveRental) []string {
	renter := p.Renters[r.PersonID]
	if renter == nil {
		return nil
	}
	lines := slices.Clone(renter.Phones)
	if renter.Email != "" {
		lines = append(lines, renter.Email)
	}
	return lines
}

func (p *OverduePrint) late(r *store.ActiveRental) int {
	return store.LateDays(r.Due, p.Now, p.zone())
}
