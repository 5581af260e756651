package views

import (
	"strings"

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

// scanField takes what a scanner types, which ends each code with a new line.
func scanField(kayaks ui.Input) ui.Field {
	return ui.Field{Name: "kayaks", Label: "Kayaks", Hint: "Scan the labels, or type the IDs, one a line.", Required: true, Input: kayaks}
}

// Return takes kayaks back: first it asks which, then it shows what they come
// to and posts kayaks and charge.
type Return struct {
	Page
	Store     store.RentalStore
	Kayaks    ui.Input         // as scanned
	Returning *store.Returning // nil: not known yet
	Once      string
	Refused   string
}

// ids are the kayaks that are about to be returned.
func (p Return) ids() []string {
	ids := make([]string, len(p.Returning.Lines))
	for i := range ids {
		ids[i] = p.Returning.Lines[i].KayakID
	}
	return ids
}

func (p Return) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/return", Once: p.Once, Back: StorePath(p.Store.ID),
		Submit: "Return " + count(len(p.Returning.Lines), "kayak", "kayaks") + " for " + p.money(p.Returning.Total),
	}
}

func (p Return) kayaks() string { return strings.Join(p.ids(), "\n") }

// also is the same return with one kayak more.
func (p Return) also(id string) string { return ReturnPath(p.Store.ID, append(p.ids(), id)...) }

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

// Labels are the labels of a store's kayaks, to be printed and cut.
type Labels struct {
	Page
	Store  store.RentalStore
	Labels []Label
}

// Label is stuck on a kayak: its code leads to the kayak's page.
type Label struct {
	Kayak store.Kayak
	Code  ui.QR
}
