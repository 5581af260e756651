package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// StoreFormKind is what a form at a store asks for.
type StoreFormKind string

// The forms at a store, by the last part of their address.
const (
	StoreCheckOut StoreFormKind = "check-out"
	StoreExtend   StoreFormKind = "extend"
	StoreHire     StoreFormKind = "hire"
	StoreLeave    StoreFormKind = "leave"
)

// Title says what is done.
func (k StoreFormKind) Title() string {
	switch k {
	case StoreCheckOut:
		return "Check out"
	case StoreExtend:
		return "Extend"
	case StoreHire:
		return "Hire"
	case StoreLeave:
		return "End somebody's time here"
	}
	return string(k)
}

// StoreForm is a form at a store: kayaks go out or stay out longer, people
// come and go. It posts the inputs that its kind asks for.
type StoreForm struct {
	Page
	Kind                                      StoreFormKind
	Store                                     store.RentalStore
	Once                                      string
	Refused                                   string // why it was not done, where no field is to blame
	Kayaks, Person, Due, Position, From, Last ui.Input
}

func (p StoreForm) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/" + string(p.Kind), Once: p.Once, Submit: p.Kind.Title(), Back: StorePath(p.Store.ID), Danger: p.Kind == StoreLeave,
	}
}

// fields are what the form asks for; that of the kayaks has several lines.
func (p StoreForm) fields() []ui.Field {
	kayaks := scanField(p.Kayaks)
	due := ui.Field{Name: "due", Label: "Back by", Type: "date", Required: true, Input: p.Due}
	person := ui.Field{Name: "person", Label: "Person", Hint: "An ID, or a customer's e-mail address.", Required: true, Input: p.Person}
	switch p.Kind {
	case StoreCheckOut:
		return []ui.Field{kayaks, person, due}
	case StoreExtend:
		return []ui.Field{kayaks, due}
	case StoreHire:
		return []ui.Field{
			person,
			{Name: "position", Label: "Position", Input: p.Position},
			{Name: "from", Label: "First day", Type: "date", Required: true, Input: p.From},
		}
	}
	return []ui.Field{person, {Name: "last", Label: "Last day", Type: "date", Required: true, Input: p.Last}}
}
