package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// SamePerson is the page that joins records of the same person.
type SamePerson struct {
	Page
	Form
	Person store.Renter
	Others []store.Renter
	Other  ui.Input // ID of the record to join
	Pick   *ui.Pick
}

// SamePersonPath returns the path of the page that joins the records of a person.
func SamePersonPath(id string) string { return PersonPath(id) + "/same" }

func (p *SamePerson) other() ui.Field {
	return ui.Field{Name: "person", Label: "Other record", Hint: "Name, phone number, email address or ID.", Required: true, Input: p.Other, Pick: p.Pick}
}

func (p *SamePerson) join() ui.Change {
	return p.to(SamePersonPath(p.Person.ID), "Join records", renterPath(&p.Person))
}

func renterPath(r *store.Renter) string {
	switch {
	case r.Customer:
		return CustomerPath(r.ID)
	case r.Employee:
		return EmployeePath(r.ID)
	}
	return PersonPath(r.ID)
}

// renterKind returns the kind and the ID of a renter's record, such as Customer C1.
func renterKind(r *store.Renter) string {
	switch {
	case r.Customer:
		return "Customer " + r.ID
	case r.Employee:
		return "Employee " + r.ID
	}
	return "Person " + r.ID
}
