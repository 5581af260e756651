package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// KayakFormKind is what a form asks to be done with a kayak.
type KayakFormKind string

// The forms of a kayak, by the last part of their address.
const (
	KayakMove     KayakFormKind = "move"
	KayakRepair   KayakFormKind = "repair"
	KayakRepaired KayakFormKind = "repaired"
	KayakRetire   KayakFormKind = "retire"
)

// Title says what is done.
func (k KayakFormKind) Title() string {
	switch k {
	case KayakMove:
		return "Move to another store"
	case KayakRepair:
		return "Take out for repair"
	case KayakRepaired:
		return "Back from repair"
	case KayakRetire:
		return "Retire for good"
	}
	return string(k)
}

// KayakForm is a form that changes a kayak. It posts store or why.
type KayakForm struct {
	Page
	Kind    KayakFormKind
	Kayak   store.Kayak
	Stores  []store.RentalStore // to move to
	Once    string
	Seen    int // the version that it was made for
	Refused string
	To, Why ui.Input
}

func (p KayakForm) change() ui.Change {
	return ui.Change{
		Action: KayakPath(p.Kayak.ID) + "/" + string(p.Kind), Once: p.Once, Version: p.Seen, Submit: p.Kind.Title(), Back: KayakPath(p.Kayak.ID), Danger: p.Kind == KayakRetire,
	}
}

func (p KayakForm) field() ui.Field {
	switch p.Kind {
	case KayakMove:
		return ui.Field{Name: "store", Label: "Store", Required: true, Input: p.To}
	case KayakRepaired:
		return ui.Field{Name: "why", Label: "What was done", Input: p.Why}
	}
	return ui.Field{Name: "why", Label: "Why", Required: true, Input: p.Why}
}

func (p KayakForm) options() []ui.Option {
	var options []ui.Option
	for _, s := range p.Stores {
		if s.ID != p.Kayak.StoreID {
			options = append(options, ui.Option{Value: s.ID, Text: named(s.Name, s.ID)})
		}
	}
	return options
}
