package store

import (
	"context"

	"stockroom/store/key"
)

// PersonFields are the editable fields of a person who is neither a customer nor an
// employee.
var PersonFields = Fields[Person]{
	textField("name", "Name", func(p *Person) *string { return &p.Name }).required().column("Name"),
	emailField("email", "Email", func(p *Person) *string { return &p.Email }).column("Email"),
	phonesField(func(p *Person) *[]string { return &p.Phones }).column("Phones"),
	noNoticesField(func(p *Person) *bool { return &p.NoNotices }),
}

// noNoticesField returns the field that turns off emails with reminders to a person.
func noNoticesField[T any](of func(*T) *bool) Field[T] {
	return flagField("no-notices", "No reminders", of).hint("Do not email this person about kayaks that are due tomorrow or overdue, or about unpaid invoices.").column("NoNotices")
}

func (p *Person) version() *int { return &p.Version }

func personEdit(ctx context.Context, a Access, id, token string) edit[Person] {
	return edit[Person]{
		fields:    PersonFields,
		added:     EventPersonAdded,
		edited:    EventPersonEdited,
		partition: personPartition(id),
		token:     token,
		also: func(c *change, before, after *Person) error {
			if before == nil {
				return nil
			}
			return a.store.renameRenter(ctx, c, id, before.Name, after.Name)
		},
	}
}

func personPartition(id string) string { return partitionOf(getPerson, "personULID", id) }

// SavePerson changes a person. It copies a new name to active rentals and unpaid charges
// (see renameRenter); bookings, employments and returned rentals keep the former name.
// SavePerson returns NotFound or Invalid, and Conflict if the form showed another version.
func (a Access) SavePerson(ctx context.Context, p Person, token string) error {
	before, err := a.PersonForChange(ctx, p.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &p, personEdit(ctx, a, p.ID, token))
}

// AddPerson adds a person and returns the person's ID. The ID comes from the form token.
// AddPerson returns Invalid if a field is invalid.
func (a Access) AddPerson(ctx context.Context, p Person, token string) (id string, err error) {
	if err := a.require(EditCustomers); err != nil {
		return "", err
	}
	if p.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return p.ID, createFromForm(ctx, a, &p, personEdit(ctx, a, p.ID, token))
}

// PersonForChange makes a consistent read of a person. It returns NotFound if there is no
// such person.
func (a Access) PersonForChange(ctx context.Context, id string) (*Person, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	return readConsistently[*Person](ctx, a.store, getPerson, key.Map{"personULID": id})
}
