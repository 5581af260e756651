package views

import (
	"fmt"

	"stockroom/store"
	"stockroom/views/ui"
)

// Maximum numbers of quarters and reps that tabs and charts show.
const (
	shownQuarters = 8
	shownReps     = 8
)

// QuarterName formats a quarter: Q4 2026.
func QuarterName(q store.Quarter) string { return fmt.Sprintf("Q%d %d", q.Number, q.Year) }

// tabs returns tabs for the quarters around the selected one, up to the current
// quarter.
func (p Reps) tabs() []ui.Tab {
	last := p.Period.Plus(shownQuarters / 2)
	if last.String() > p.Current.String() {
		last = p.Current
	}
	if p.Period.String() > last.String() {
		last = p.Period
	}
	var tabs []ui.Tab
	for n := range shownQuarters {
		q := last.Plus(n + 1 - shownQuarters)
		tabs = append(tabs, ui.Tab{Name: QuarterName(q), URL: p.With("period", q.String()), Current: q == p.Period})
	}
	return tabs
}

// bars returns a bar for the sales of each of the best reps.
func (p Reps) bars() []ui.Bar {
	rows := p.Rows[:min(shownReps, len(p.Rows))]
	bars := make([]ui.Bar, len(rows))
	for i := range rows {
		bars[i] = ui.Bar{Label: nameOr(rows[i].Name, rows[i].EmployeeID), Value: rows[i].OrderTotal.Whole()}
	}
	return bars
}

// bars returns a bar for each of the rep's latest quarters, oldest first.
func (p Employee) bars() []ui.Bar {
	rows := p.Quotas.Rows[:min(shownQuarters, len(p.Quotas.Rows))]
	bars := make([]ui.Bar, len(rows))
	for i := range rows {
		bars[len(rows)-1-i] = ui.Bar{Label: QuarterName(rows[i].Period), Value: rows[i].OrderTotal.Whole()}
	}
	return bars
}

// Reps is the page that ranks the account reps of a quarter by sales.
type Reps struct {
	Page
	List
	Period  store.Quarter
	Current store.Quarter
	Rows    []store.Quota
}
