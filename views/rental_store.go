package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Stores lists the rental stores, or the archived ones, by name.
type Stores struct {
	Page
	Rows     []StoreRow
	Archived bool
	Complete bool // false if there were too many overdue kayaks to count all of them
}

// StoreRow is a row of the list of stores.
type StoreRow struct {
	store.RentalStore
	Overdue int // number of overdue kayaks
}

// Store is the page of a store: its kayaks, their rentals and utilization, and its
// staff.
type Store struct {
	Page
	Store       store.RentalStore
	Utilisation store.Utilisation
	Person      PickInput // filter of the rental history
	Retired     bool      // Kayaks contains the retired kayaks instead of the current ones
	Kayaks      Part[store.Kayak]
	Out         Part[store.ActiveRental]
	Overdue     Part[store.ActiveRental]
	Rentals     Part[store.Rental] // newest first
	Employees   Part[store.StoreEmployee]
	Employments Employments
}

func (p Store) kayaksTitle() string {
	if p.Retired {
		return "Retired kayaks"
	}
	return "Kayaks"
}

func (p *Page) may(permission store.Permission) bool { return p.User.May(permission) }

// canRent reports whether the user may check kayaks out and in at a store, and make
// other changes there.
func canRent(p *Page, storeID string) bool {
	return p.User != nil && p.User.May(store.RunRentals) && p.User.InChargeOfStore(storeID)
}

// bars returns a bar for the utilization of the kayaks in each week. The current week may
// be incomplete.
func (p Store) bars() []ui.Bar {
	bars := make([]ui.Bar, len(p.Utilisation.Weeks))
	for i, week := range p.Utilisation.Weeks {
		days := min(7, daysBetween(week.Monday, in(p.Now, p.Zone))+1)
		bars[i] = ui.Bar{Label: week.Monday.Format("2 Jan"), Value: p.Utilisation.Share(week, days), Now: days < 7}
	}
	return bars
}
