package store

import (
	"cmp"
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Person is somebody who rents or works at a store and whom neither the shop
// nor the staff knows under the same ID: one person, one ID.
type Person struct {
	ID      string
	Name    string
	Email   string   `json:",omitempty"`
	Phones  []string `json:",omitempty"`
	Version int
}

// EntityType implements Entity.
func (*Person) EntityType() string { return "personMetadata" }

// KeyValue implements Entity.
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
	a.Version(&p.Version)
}

// Renter is who an ID stands for.
type Renter struct {
	ID       string
	Name     string
	Email    string `json:",omitempty"`
	Customer bool   // there is a customer by this ID
	Employee bool   // there is an employee by it, whom the user may see
}

// Renter finds out who an ID stands for: a customer, an employee, or a person
// whom only the rental knows. All are asked for at once.
func (a Access) Renter(ctx context.Context, id string) (*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	var customer *Customer
	var employee *Employee
	var person *Person
	err := a.store.table.LookUp(ctx, []table.Lookup{
		lookUp(getCustomer, key.Map{"customerID": id}, &customer),
		lookUp(getEmployee, key.Map{"employeeID": id}, &employee),
		lookUp(getPerson, key.Map{"personULID": id}, &person),
	}, true)
	if err != nil {
		return nil, err
	}
	r := &Renter{ID: id, Customer: customer != nil, Employee: employee != nil && a.user.InCharge(employee.WarehouseID)}
	switch {
	case customer != nil:
		r.Name, r.Email = customer.Name, customer.Email
	case employee != nil:
		r.Name, r.Email = employee.Name, employee.Email
	case person != nil:
		r.Name, r.Email = person.Name, person.Email
	default:
		return nil, fail(NotFound, "There is nobody with the ID %s.", id)
	}
	r.Name = cmp.Or(r.Name, id)
	return r, nil
}

// FindRenter is Renter for what somebody types: an ID, or the e-mail address
// of a customer.
func (a Access) FindRenter(ctx context.Context, text string) (*Renter, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, InvalidField(fieldPerson, "Say who: an ID, or a customer's e-mail address.")
	}
	if strings.Contains(text, "@") {
		found, err := a.CustomersByEmail(ctx, text)
		switch {
		case err != nil:
			return nil, err
		case len(found.Rows) == 0:
			return nil, InvalidField(fieldPerson, "No customer has the address %s.", text)
		case len(found.Rows) > 1:
			return nil, InvalidField(fieldPerson, "Several customers have the address %s: %s and %s. Say which by their ID.", text, found.Rows[0].ID, found.Rows[1].ID)
		}
		text = found.Rows[0].ID
	}
	person, err := a.Renter(ctx, text)
	if KindOf(err) == NotFound {
		return nil, InvalidField(fieldPerson, "Nobody has the ID %q.", text)
	}
	return person, err
}

// unlessMissing drops the error of what is not there.
func unlessMissing(err error) error {
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}
