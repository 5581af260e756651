package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// NewRenter contains the form fields for a new person. Forms for rentals, orders and
// employments contain these fields. Only the order form has an address.
type NewRenter struct {
	Name, Phone, Email string
	Address            Address
}

// NewAddressFields are the fields for the address of a NewRenter.
var NewAddressFields = Fields[NewRenter](AddressFields(func(n *NewRenter) *Address { return &n.Address }))

// Names of the form fields for a new renter.
const (
	FieldNewName  = "new-name"
	FieldNewPhone = "new-phone"
	FieldNewEmail = "new-email"
)

// AddRenter adds a new renter as a customer and returns the customer's ID. The ID comes
// from the form token. AddRenter returns Invalid if a field is invalid.
func (a Access) AddRenter(ctx context.Context, n NewRenter, token string) (id string, err error) {
	if err := a.require(EditCustomers); err != nil {
		return "", err
	}
	if err := n.check().Err(); err != nil {
		return "", err
	}
	c := n.Customer()
	c.Created = a.store.now()
	if c.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	err = createFromForm(ctx, a, &c, customerEdit(ctx, a, c.ID, "", token))
	var wrong InputErrors
	if err := wrong.Add(err); err != nil {
		return "", err
	}
	wrong.moveToNew()
	return c.ID, wrong.Err()
}

// Customer returns the new renter as a customer without an ID.
func (n *NewRenter) Customer() Customer {
	return Customer{Name: n.Name, Email: n.Email, Phones: filledLines([]string{n.Phone}), Address: n.Address}
}

// choicesCalled returns the records of a kind that the text identifies: by ID, whole name
// with the words in any order, email address, phone number or SKU. It returns none for empty
// text.
func (a Access) choicesCalled(ctx context.Context, kind ChoiceKind, text string) ([]Choice, error) {
	if text == "" {
		return nil, nil
	}
	found, err := a.Choices(ctx, kind, text)
	words := slices.Sorted(slices.Values(key.Words(text)))
	return slices.DeleteFunc(found, func(c Choice) bool {
		return !c.isCalled(text) && !slices.Equal(slices.Sorted(slices.Values(key.Words(c.Name))), words)
	}), err
}

// CheckNewRenter returns the records of a kind that have the phone number or the email
// address of a new renter. It returns Invalid, and also these records, if fields are missing
// or invalid, or if a customer, employee or other person already has the email address.
// Several people can have the same phone number. CheckNewRenter ignores the record that a
// form with this token has already added. It makes two searches.
func (a Access) CheckNewRenter(ctx context.Context, kind ChoiceKind, n NewRenter, token string) (same []Choice, err error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	added, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	wrong := n.check()
	for _, contact := range []struct {
		field, text string
		kind        ChoiceKind
	}{{FieldNewEmail, n.Email, ChooseRenter}, {FieldNewPhone, n.Phone, kind}} {
		if wrong.Has(contact.field) {
			continue
		}
		found, err := a.choicesCalled(ctx, contact.kind, contact.text)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			switch {
			case c.ID == added:
				continue
			case contact.field == FieldNewEmail && kind == ChooseCustomer && !c.isCustomer:
				wrong.Reject(FieldNewEmail, "%s already has this email address. Enter another address or none.", c.Label())
				continue
			case contact.field == FieldNewEmail:
				wrong.Reject(FieldNewEmail, "%s already has this email address. Choose this %s above instead.", c.Name, kind)
			}
			same = append(same, c)
		}
	}
	return uniquely(same, func(c Choice) string { return c.ID }), wrong.Err()
}

func (n *NewRenter) check() (wrong InputErrors) {
	c := Customer{Name: strings.TrimSpace(n.Name), Email: strings.TrimSpace(n.Email), Phones: []string{n.Phone}, Address: n.Address}
	for _, err := range []error{CustomerFields.check(&c), CustomerFields.checkPhones(nil, &c), CustomerFields.checkEmails(nil, &c)} {
		_ = wrong.Add(err) // Add returns nil, because these checks return only Invalid
	}
	wrong.moveToNew()
	n.Name, n.Email, n.Phone, n.Address = c.Name, c.Email, strings.Join(c.Phones, ""), c.Address
	if n.Phone == "" && n.Email == "" {
		wrong.Reject(FieldNewPhone, "Enter a phone number or an email address.")
	}
	return wrong
}

// moveToNew changes errors about fields of a customer to errors about the fields of a new
// renter.
func (e InputErrors) moveToNew() {
	for i := range e {
		if field := map[string]string{"name": FieldNewName, "phones": FieldNewPhone, "email": FieldNewEmail}[e[i].Field]; field != "" {
			moved := *e[i]
			moved.Field = field
			e[i] = &moved
		}
	}
}
