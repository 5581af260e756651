package store

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
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

func (p *Person) write(a *attributes) {
	a.text("Name", p.Name)
	a.text("Email", p.Email)
	a.texts("Phones", p.Phones)
	a.number(attrVersion, p.Version)
}

func decodePerson(item Item) (Entity, error) {
	f := fields{item: item}
	p := &Person{
		ID:      f.after(attrPK, "v1#person#personULID#"),
		Name:    f.text("Name"),
		Email:   f.text("Email"),
		Phones:  f.texts("Phones"),
		Version: f.number(attrVersion),
	}
	return p, f.err
}

// Renter is who an ID stands for: a customer, or a person whom only the
// rental knows.
type Renter struct {
	ID       string
	Name     string
	Email    string
	Customer bool // there is a customer by this ID
}

// Renter finds out who an ID stands for, among customers and persons at once.
func (a Access) Renter(ctx context.Context, id string) (*Renter, error) {
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	var customer *Customer
	var person *Person
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() (err error) {
		customer, err = readConsistently[*Customer](ctx, a.Store, getCustomer, key.Map{"customerID": id})
		return unlessMissing(err)
	})
	all.Go(func() (err error) {
		person, err = readConsistently[*Person](ctx, a.Store, getPerson, key.Map{"personULID": id})
		return unlessMissing(err)
	})
	if err := all.Wait(); err != nil {
		return nil, err
	}
	switch {
	case customer != nil:
		return &Renter{ID: id, Name: cmp.Or(customer.Name, id), Email: customer.Email, Customer: true}, nil
	case person != nil:
		return &Renter{ID: id, Name: cmp.Or(person.Name, id), Email: person.Email}, nil
	}
	return nil, fail(NotFound, "There is nobody with the ID %s.", id)
}

// unlessMissing drops the error of what is not there.
func unlessMissing(err error) error {
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}
