package views

import (
	"fmt"
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// How many quarters there are to choose from at once, and how many reps a
// chart has room for.
const (
	shownQuarters = 8
	shownReps     = 8
)

// quarterName is a quarter for people: Q4 2026.
func quarterName(q store.Quarter) string { return fmt.Sprintf("Q%d %d", q.Number, q.Year) }

// tabs are the quarters around the one that is shown, none of them to come.
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
		tabs = append(tabs, ui.Tab{Name: quarterName(q), URL: p.With("period", q.String()), Current: q == p.Period})
	}
	return tabs
}

// bars are the first reps of the list by what they sold.
func (p Reps) bars() []ui.Bar {
	rows := p.Rows[:min(shownReps, len(p.Rows))]
	bars := make([]ui.Bar, len(rows))
	for i := range rows {
		bars[i] = ui.Bar{Label: named(rows[i].Name, rows[i].EmployeeID), Value: wholeUnits(rows[i].OrderTotal)}
	}
	return bars
}

// bars are the last quarters of a rep, in the order of time.
func (p Employee) bars() []ui.Bar {
	rows := p.Quotas.Rows[:min(shownQuarters, len(p.Quotas.Rows))]
	bars := make([]ui.Bar, len(rows))
	for i := range rows {
		bars[len(rows)-1-i] = ui.Bar{Label: quarterName(rows[i].Period), Value: wholeUnits(rows[i].OrderTotal)}
	}
	return bars
}

// wholeUnits is a sum as a chart draws it, without what comes after the point.
func wholeUnits(a store.Amount) int {
	units, err := strconv.Atoi(string(a.AppendFixed(nil, 0)))
	if err != nil { // an amount has ten digits at most
		return 0
	}
	return units
}

// Reps are the account reps of a quarter, who sold most first.
type Reps struct {
	Page
	List    // parameters period, limit
	Period  store.Quarter
	Current store.Quarter // the present one
	Rows    []store.Quota
}
