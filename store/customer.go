package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
)

// Customer is a person who buys. Their ID is their account's and their
// rental person's ID too.
type Customer struct {
	ID           string
	Name         string
	Email        string
	Phones       []string `json:",omitempty"`
	Address      Address
	AccountRepID string    `json:",omitempty"` // the employee who looks after them
	Created      time.Time `json:",omitzero"`
	Version      int
}

// EntityType implements Entity.
func (*Customer) EntityType() string { return "customer" }

// KeyValue implements Entity.
func (c *Customer) KeyValue(name string) string {
	switch name {
	case "id":
		return c.ID
	case "email":
		return strings.ToLower(c.Email)
	case "bucket":
		return key.Bucket(nameKey(c.Name, c.ID))
	case "name":
		return nameKey(c.Name, c.ID)
	case "accountRepID":
		return c.AccountRepID
	}
	for n, suffix := range []string{"", "2", "3"} { // the numbers by which they are found
		if n < len(c.Phones) {
			switch phone := key.Phone(c.Phones[n]); name {
			case "phone" + suffix:
				return phone
			case "phoneEnd" + suffix:
				return key.PhonePartition(phone)
			}
		}
	}
	return ""
}

func (c *Customer) write(a *attributes) {
	a.text("Name", c.Name)
	a.text("Email", c.Email)
	a.texts("Phones", c.Phones)
	a.nested("Address", c.Address.write)
	a.text("AccountRepID", c.AccountRepID)
	a.time("Created", c.Created)
	a.number(attrVersion, c.Version)
}

func decodeCustomer(item Item) (Entity, error) {
	f := fields{item: item}
	c := &Customer{
		ID:           f.after(attrPK, "c#"),
		Name:         f.text("Name"),
		Email:        f.text("Email"),
		Phones:       f.texts("Phones"),
		Address:      f.address("Address"),
		AccountRepID: f.text("AccountRepID"),
		Created:      f.time("Created"),
		Version:      f.number(attrVersion),
	}
	return c, f.err
}

// HasPhone says whether one of the customer's telephone numbers is this one,
// with its country or without.
func (c *Customer) HasPhone(number string) bool {
	return slices.ContainsFunc(c.Phones, func(own string) bool { return key.IsSamePhone(key.Phone(own), key.Phone(number)) })
}

// nameKey is the name by which lists are sorted; what has no name is sorted
// by its ID.
func nameKey(name, id string) string {
	if folded := key.Fold(name); folded != "" {
		return folded
	}
	return key.Fold(id)
}

// padded makes a quantity sort as a number among texts.
func padded(quantity int) string {
	digits := strconv.Itoa(quantity)
	return strings.Repeat("0", max(0, 12-len(digits))) + digits
}

// CustomerFilter narrows the list of customers: to a first letter, or to a
// beginning of the name.
type CustomerFilter struct{ Bucket, Name string }

// Customer finds a customer by ID.
func (a Access) Customer(ctx context.Context, id string) (*Customer, error) {
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	return readOne[*Customer](ctx, a.Store, getCustomer, key.Map{"customerID": id})
}

// PhonesOfCustomer are the numbers under which a customer is reached.
func (a Access) PhonesOfCustomer(ctx context.Context, id string) ([]string, error) {
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	c, err := readOne[*Customer](ctx, a.Store, getCustomerPhones, key.Map{"customerID": id})
	if err != nil {
		return nil, err
	}
	return c.Phones, nil
}

// Customers lists customers by name.
func (a Access) Customers(ctx context.Context, f CustomerFilter, page Page) (List[Customer], error) {
	if err := a.may(Browse); err != nil {
		return List[Customer]{}, err
	}
	return list(ctx, a.Store, byName(getCustomers, f.Bucket, f.Name), page, decoded[Customer])
}

// CustomersByEmail finds those with this address, in upper or lower case:
// one, unless imported data named two.
func (a Access) CustomersByEmail(ctx context.Context, email string) (List[Customer], error) {
	if err := a.may(Browse); err != nil {
		return List[Customer]{}, err
	}
	q := question{pattern: getCustomerByEmail, values: key.Map{"email": strings.ToLower(strings.TrimSpace(email))}}
	return list(ctx, a.Store, q, Page{}, decoded[Customer])
}
