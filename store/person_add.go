package store

import (
	"context"
	"errors"
	"strings"
)

// NewRenter contains the form fields for a new person who rents, orders or starts to
// work at a store. Only the order form has an address.
type NewRenter struct {
	Name, Phone, Email string
	Address            Address
}

// NewAddressFields are the fields for the address of a new person.
var NewAddressFields = Fields[NewRenter](AddressFields(func(n *NewRenter) *Address { return &n.Address }))

// Names of the form fields for a new renter.
const (
	FieldNewName  = "new-name"
	FieldNewPhone = "new-phone"
	FieldNewEmail = "new-email"
)

// AddRenter adds a new renter as a customer and returns the ID, which comes from the
// form token. It returns Invalid if a field is invalid.
func (a Access) AddRenter(ctx context.Context, n NewRenter, token string) (id string, err error) {
	if err := a.require(EditCustomers); err != nil {
		return "", err
	}
	if err := n.check(); err != nil {
		return "", err
	}
	c := n.Customer()
	c.Created = a.store.now()
	if c.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	err = createFromForm(ctx, a, &c, a.customerEdit(ctx, c.ID, "", token))
	return c.ID, inNewField(err)
}

// Customer returns the customer to add, without an ID.
func (n *NewRenter) Customer() Customer {
	return Customer{Name: n.Name, Email: n.Email, Phones: filledLines([]string{n.Phone}), Address: n.Address}
}

// CheckRenter returns Invalid if a new renter has no name, or neither a phone number
// nor an email address. It also returns Invalid if another person has the same phone
// number or email address. It makes at most twenty requests.
func (a Access) CheckRenter(ctx context.Context, n NewRenter) error {
	if err := a.require(EditCustomers); err != nil {
		return err
	}
	if err := n.check(); err != nil {
		return err
	}
	if err := a.requireUnknown(ctx, FieldNewPhone, n.Phone); err != nil {
		return err
	}
	return a.requireUnknown(ctx, FieldNewEmail, n.Email)
}

// requireUnknown returns Invalid if a person already has this phone number or email
// address.
func (a Access) requireUnknown(ctx context.Context, field, text string) error {
	if text == "" {
		return nil
	}
	found, err := a.Choices(ctx, ChooseRenter, text)
	if err != nil {
		return err
	}
	what := "phone number"
	if field == FieldNewEmail {
		what = "email address"
	}
	for i := range found {
		if found[i].isCalled(text) {
			return InvalidField(field, "%s already has this %s. Choose this person above instead.", found[i].Name, what)
		}
	}
	return nil
}

func (n *NewRenter) check() error {
	c := Customer{Name: strings.TrimSpace(n.Name), Email: strings.TrimSpace(n.Email), Phones: []string{n.Phone}, Address: n.Address}
	if err := CustomerFields.check(&c); err != nil {
		return inNewField(err)
	}
	if err := CustomerFields.checkPhones(nil, &c); err != nil {
		return inNewField(err)
	}
	n.Name, n.Email, n.Phone, n.Address = c.Name, c.Email, strings.Join(c.Phones, ""), c.Address
	if n.Phone == "" && n.Email == "" {
		return InvalidField(FieldNewPhone, "Enter a phone number or an email address.")
	}
	return nil
}

// inNewField converts an error about a customer's field to an error about the field
// of the new renter.
func inNewField(err error) error {
	var known *Error
	if !errors.As(err, &known) {
		return err
	}
	field := map[string]string{"name": FieldNewName, "phones": FieldNewPhone, "email": FieldNewEmail}[known.Field]
	if field == "" {
		return err
	}
	moved := *known
	moved.Field = field
	return &moved
}
