package views

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Undo is the form that undoes a change. It shows what will change.
type Undo struct {
	Page
	Form
	Plan store.UndoPlan
}

// UndoPath returns the address of the form that undoes an event.
func UndoPath(partition, eventID string) string {
	return "/undo?about=" + url.QueryEscape(partition) + "&event=" + url.QueryEscape(eventID)
}

// eventUndo says whether and how the user can undo the change of an event. If the event is
// itself an undo, the result also has the address of the undone change. All other fields
// are empty for events that only record the use of the program, such as a sign-in or an
// import, for events of an unknown kind, and if the user may not undo the change.
//
// Pass the later event that changed the same value, or nil, as the last argument.
func eventUndo(p *Page, e, later *store.Event) ui.Undo {
	u := undoOf(p, e, later)
	if e.Undoes != "" {
		u.First = UndoPath(e.Partition, e.Undoes)
	}
	return u
}

func undoOf(p *Page, e, later *store.Event) ui.Undo {
	switch why := e.WhyNotUndone(); {
	case e.UndoneBy != "":
		return ui.Undo{Undone: "Undone by " + e.UndoneBy + " on " + p.time(e.Undone)}
	case e.What.StaysInTable(), !e.What.IsKnown():
		return ui.Undo{}
	case e.What == store.EventOrderShipped, e.What == store.EventShipmentUnpacked, e.What == store.EventPaymentRecorded, e.What == store.EventPaymentReversed:
		return ui.Undo{How: why}
	case why != "":
		return ui.Undo{Why: why}
	case later != nil:
		return ui.Undo{Why: "Changed again by " + nameOr(later.By, "unknown user") + " on " + p.time(later.When) + "."}
	case p.User.MayUndo(e):
		return ui.Undo{URL: UndoPath(e.Partition, e.ID), What: e.Sentence()}
	}
	return ui.Undo{}
}

// conflicts reports whether one of the values has changed since the event. This prevents
// the undo.
func (p Undo) conflicts() bool {
	return slices.ContainsFunc(p.Plan.Values, func(v store.UndoValue) bool { return v.Conflict })
}

// text formats a value for the table: amounts with their currency, and times in the time
// zone of the page. It masks card numbers.
func (p *Undo) text(v store.UndoValue, text string) string {
	if amount, err := store.ParseAmount(text); v.Kind == store.InputMoney && err == nil {
		return p.money(amount)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return p.time(at)
	}
	return nameOr(store.MaskCardNumbers(text), "–")
}

// overwrittenMoves is like overwritten, for the events of the ledger entries on the page.
func overwrittenMoves(p *Page) map[string]*store.Event {
	events := slices.Collect(maps.Values(p.Related.Changes))
	return store.Overwritten(slices.DeleteFunc(events, func(e *store.Event) bool { return e == nil }))
}

// overwritten maps the ID of an event to the later event that prevents its undo.
func overwritten(events []store.Event) map[string]*store.Event {
	all := make([]*store.Event, len(events))
	for i := range events {
		all[i] = &events[i]
	}
	return store.Overwritten(all)
}
