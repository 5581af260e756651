package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Note is the form that adds a note to a record.
type Note struct {
	Page
	Form
	On    Noted
	ID    string // ID of the record
	Text  ui.Input
	Roles []store.Role // the chosen roles
}

// NoteRolesParam is the form parameter with the roles that see the note on Today.
const NoteRolesParam = "for"

func noteField(text ui.Input) ui.Field {
	return ui.Field{Name: "note", Label: "Note", Required: true, Input: text}
}

// Noted is a kind of record with notes.
type Noted int

// The kinds of records with notes.
const (
	NotedOrder Noted = iota
	NotedCustomer
	NotedAccount
	NotedKayak
)

// Path returns the path of the record's page.
func (n Noted) Path(id string) string {
	switch n {
	case NotedCustomer:
		return CustomerPath(id)
	case NotedAccount:
		return BillingPath(id)
	case NotedKayak:
		return KayakPath(id)
	}
	return OrderPath(id)
}

// list returns the path and the name of the list that the form links back to.
func (n Noted) list() (path, name string) {
	switch n {
	case NotedCustomer:
		return "/customers", "Customers"
	case NotedAccount:
		return "/subscriptions", "Subscriptions"
	case NotedKayak:
		return "/stores", "Stores"
	}
	return "/orders", "Orders"
}
