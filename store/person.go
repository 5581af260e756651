package store

import (
	"cmp"
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Person is the record of someone who rents kayaks or works at a store. Customers and
// employees need no Person. A Customer or Employee with the same ID is the same person.
type Person struct {
	ID      string
	Name    string
	Email   string   `json:",omitempty"`
	Phones  []string `json:",omitempty"`
	Version int

	NoNotices bool `json:",omitempty"` // do not email reminders to the person
}

func (*Person) EntityType() string { return "personMetadata" }

func (p *Person) KeyValue(name string) string {
	if name == "personULID" {
		return p.ID
	}
	return ""
}

func (p *Person) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "v1#person#personULID#", &p.ID)
	a.Text("Name", &p.Name)
	a.Text("Email", &p.Email)
	a.Texts("Phones", &p.Phones)
	a.Flag("NoNotices", &p.NoNotices)
	a.Version(&p.Version)
}

// HasPhone reports whether the person has this phone number, with or without country
// code.
func (p *Person) HasPhone(number string) bool { return hasPhone(p.Phones, number) }

// Renter is anyone who can rent a kayak: a customer, an employee or another person.
type Renter struct {
	ID       string
	Name     string
	Email    string `json:",omitempty"`
	Customer bool   // the renter is a customer
	Employee bool   // the renter is an employee whom the user may see

	NoNotices bool `json:",omitempty"` // do not email reminders to the renter
	Closed    bool `json:",omitempty"` // the renter is a closed customer

	Phones []string `json:"-"` // phone numbers of a customer or another person

	NameOnly bool `json:"-"` // the renter is an employee whom the user may not see: only the ID and the name are set
	hidden   bool // the renter is an employee whom the user may not see, and perhaps also a customer or another person
}

// RequireVisible returns NotFound if the renter is an employee whom the user may not see.
func (r *Renter) RequireVisible() error {
	if r.NameOnly {
		return errEmployeeNotFound(r.ID)
	}
	return nil
}

// Renter returns the customer, employee or other person with this ID, or NotFound. It
// makes one request. Of an employee whom the user may not see, it returns only the name,
// because lists of rentals and former staff show the name, too. If this employee also has a
// Customer or a Person, it returns the data of that record.
func (a Access) Renter(ctx context.Context, id string) (*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var customer *Customer
	var employee *Employee
	var person *Person
	var ownStaff bool
	lookups := append(a.lookUpOwnStaff(ctx, id, &ownStaff),
		lookUp(getCustomer, key.Map{"customerID": id}, &customer),
		lookUp(getEmployee, key.Map{"employeeID": id}, &employee),
		lookUp(getPerson, key.Map{"personULID": id}, &person),
	)
	if err := a.store.table.LookUp(ctx, lookups, true); err != nil {
		return nil, err
	}
	if r := a.renterOf(id, customer, employee, person, ownStaff); r != nil {
		return r, nil
	}
	return nil, fail(NotFound, "No person found with the ID %s.", id)
}

// renterOf returns the renter with these records, of which each can be nil. It returns nil
// if all of them are nil. For ownStaff, see lookUpOwnStaff.
func (a Access) renterOf(id string, customer *Customer, employee *Employee, person *Person, ownStaff bool) *Renter {
	r := &Renter{ID: id, Customer: customer != nil, Employee: employee != nil && a.maySeeEmployee(employee, ownStaff)}
	r.hidden = employee != nil && !r.Employee
	switch {
	case customer != nil:
		r.Name, r.Email, r.NoNotices = customer.Name, customer.Email, customer.NoNotices
		r.Phones, r.Closed = customer.Phones, customer.IsClosed()
	case r.Employee:
		r.Name, r.Email, r.NoNotices = employee.Name, employee.Email, true
	case person != nil:
		r.Name, r.Email, r.NoNotices = person.Name, person.Email, person.NoNotices || r.hidden
		r.Phones = person.Phones
	case r.hidden:
		r.Name, r.NameOnly = employee.Name, true
	default:
		return nil
	}
	r.Name = cmp.Or(r.Name, id)
	return r
}

// partition returns the partition with the renter's events.
func (r *Renter) partition() string {
	if r.Customer {
		return partitionOf(getCustomer, "customerID", r.ID)
	}
	return personPartition(r.ID)
}

// FindRenter returns the person that a user entered in a form: a renter by ID, or a
// customer by email address. It returns Invalid unless exactly one person matches.
func (a Access) FindRenter(ctx context.Context, text string) (*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, InvalidField(fieldPerson, "Enter a name, phone number, email address or ID.")
	}
	if strings.Contains(text, "@") {
		found, err := a.CustomersByEmail(ctx, text)
		switch {
		case err != nil:
			return nil, err
		case len(found.Rows) == 0:
			return nil, InvalidField(fieldPerson, "No customer found with the email address %s.", text)
		case len(found.Rows) > 1:
			return nil, InvalidField(fieldPerson, "Several customers have the email address %s: %s and %s. Enter the ID instead.", text, found.Rows[0].ID, found.Rows[1].ID)
		}
		text = found.Rows[0].ID
	}
	person, err := a.Renter(ctx, text)
	if KindOf(err) == NotFound {
		return nil, InvalidField(fieldPerson, "No person found for “%s”. Enter a name, phone number, email address or ID.", text)
	}
	return person, err
}

func ignoreNotFound(err error) error {
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}
