package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// KayakFormKind is the kind of a form that changes a kayak. It is also the last part of
// the form's path.
type KayakFormKind string

// The kinds of forms that change a kayak.
const (
	KayakMove         KayakFormKind = "move"
	KayakRepair       KayakFormKind = "repair"
	KayakFinishRepair KayakFormKind = "repaired"
	KayakRetire       KayakFormKind = "retire"
	KayakRestore      KayakFormKind = "restore"
)

// Title returns the title of the form. Its button has the same text.
func (k KayakFormKind) Title() string {
	switch k {
	case KayakMove:
		return "Move kayak"
	case KayakRepair:
		return "Send for repair"
	case KayakFinishRepair:
		return "Finish repair"
	case KayakRetire:
		return "Retire kayak"
	case KayakRestore:
		return "Restore kayak"
	}
	return string(k)
}

// KayakForm is a form that changes a kayak. Depending on its kind, it posts the parameter
// "store", or "why" with the reason.
type KayakForm struct {
	Page
	Form
	Kind    KayakFormKind
	Kayak   store.Kayak
	Stores  []store.RentalStore // stores to which the kayak can move
	To, Why ui.Input
}

func (p KayakForm) change() ui.Change {
	return ui.Change{
		Action: KayakPath(p.Kayak.ID) + "/" + string(p.Kind), Token: p.Token, Version: p.Version, Submit: p.Kind.Title(), Back: KayakPath(p.Kayak.ID),
	}
}

func (p KayakForm) field() ui.Field {
	switch p.Kind {
	case KayakMove:
		return ui.Field{Name: "store", Label: "Store", Required: true, Input: p.To}
	case KayakFinishRepair:
		return ui.Field{Name: "why", Label: "Work done", Input: p.Why}
	case KayakRestore:
		return ui.Field{Name: "why", Label: "Reason (optional)", Input: p.Why}
	}
	return ui.Field{Name: "why", Label: "Reason", Required: true, Input: p.Why}
}

func (p KayakForm) options() []ui.Option {
	var options []ui.Option
	for _, s := range p.Stores {
		if s.ID != p.Kayak.StoreID {
			options = append(options, ui.Option{Value: s.ID, Text: nameOr(s.Name, s.ID)})
		}
	}
	return options
}
