package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// StoreFormKind is the kind of a form that makes a change at a store. It is also the last
// part of the form's path.
type StoreFormKind string

// The kinds of forms of a store.
const (
	StoreHire          StoreFormKind = "hire"
	StoreEndEmployment StoreFormKind = "leave"
)

// ButtonKeep is the value of ButtonParam in the form that removes the last day of an
// employment.
const ButtonKeep = "keep"

// Title returns the title of the form. Its button has the same text.
func (k StoreFormKind) Title() string {
	switch k {
	case StoreHire:
		return "Hire employee"
	case StoreEndEmployment:
		return "End employment"
	}
	return string(k)
}

// StoreForm is a form that makes a change at a store. Its kind determines which inputs
// it posts.
type StoreForm struct {
	Page
	NewPerson
	Kind                         StoreFormKind
	Store                        store.RentalStore
	Token                        string
	Problem                      string    // error that belongs to no field
	PersonID                     string    // ID of the person, if Until is set
	Until                        time.Time // last day of the employment that the form ends; zero if none is set
	Person, Position, From, Last ui.Input
	Pick                         *ui.Pick // people who match the input Person
}

func (p StoreForm) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/" + string(p.Kind), Token: p.Token, Submit: p.FormTitle(), Back: StorePath(p.Store.ID), Danger: p.Kind == StoreEndEmployment && p.Until.IsZero(),
	}
}

// FormTitle is like Title of the kind. If the last day is set, the form changes it.
func (p StoreForm) FormTitle() string {
	if !p.Until.IsZero() {
		return "Change last day"
	}
	return p.Kind.Title()
}

// keep returns the form that removes the last day of an employment.
func (p StoreForm) keep() ui.Change {
	return ui.Change{Action: StorePath(p.Store.ID) + "/" + string(p.Kind), Token: p.Token, Submit: "Remove last day"}
}

// allFields returns the fields for the error summary.
func (p StoreForm) allFields() []ui.Field { return append(p.fields(), p.added()...) }

// added returns the fields for a new person. Only the form that hires a person has them.
func (p StoreForm) added() []ui.Field {
	if p.Kind != StoreHire {
		return nil
	}
	return p.newFields()
}

// fields returns the fields of the form.
func (p StoreForm) fields() []ui.Field {
	person := ui.Field{Name: "person", Label: "Person", Hint: "Name, phone number, email address or ID.", Input: p.Person, Pick: p.Pick}
	if p.Kind == StoreHire {
		return []ui.Field{
			person,
			{Name: "position", Label: "Position", Input: p.Position},
			{Name: "from", Label: "First day", Type: "date", Required: true, Input: p.From},
		}
	}
	person.Hint = "Name or ID."
	last := ui.Field{Name: "last", Label: "Last day", Type: "date", Required: true, Input: p.Last}
	if !p.Until.IsZero() {
		last.Hint = "Now: " + calendar(p.Until) + "."
	}
	return []ui.Field{person, last}
}
