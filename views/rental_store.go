package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Stores are all stores that rent kayaks out, by name.
type Stores struct {
	Page
	Rows  []StoreRow
	Whole bool // all that is overdue was counted
}

// StoreRow is a store with what a list says of it.
type StoreRow struct {
	store.RentalStore
	Overdue int
}

// Store is one store: its kayaks, what is out, what it rented and who works
// there.
type Store struct {
	Page
	Store       store.RentalStore
	Utilisation store.Utilisation
	Person      ui.Input // whose rentals the history is narrowed to
	Kayaks      Part[store.Kayak]
	Out         Part[store.ActiveRental]
	Overdue     Part[store.ActiveRental]
	Rentals     Part[store.Rental] // newest first
	Employees   Part[store.StoreEmployee]
	Employments Part[store.Employment]
}

// runs says whether the reader may change something at a store.
func (p *Page) runs(storeID string) bool {
	return p.User != nil && p.User.May(store.RunRentals) && p.User.InChargeOfStore(storeID)
}

// bars are the weeks of a store, the last of which is not over.
func (p Store) bars() []ui.Bar {
	bars := make([]ui.Bar, len(p.Utilisation.Weeks))
	for i, week := range p.Utilisation.Weeks {
		days := min(7, daysBetween(week.Monday, in(p.Now, p.Zone))+1)
		bars[i] = ui.Bar{Label: week.Monday.Format("2 Jan"), Value: p.Utilisation.Share(week, days), Now: days < 7}
	}
	return bars
}
