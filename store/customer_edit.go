package store

import (
	"context"
	"slices"

	"stockroom/store/key"
)

// maxPhones is the maximum number of phone numbers of a person.
const maxPhones = 10

// CustomerFields are the editable fields of a customer.
var CustomerFields = Fields[Customer](slices.Concat(
	inGroup("Contact",
		textField("name", "Name", func(c *Customer) *string { return &c.Name }).required().column("Name"),
		emailField("email", "Email", func(c *Customer) *string { return &c.Email }).column("Email"),
		phonesField(func(c *Customer) *[]string { return &c.Phones }).column("Phones"),
		noNoticesField(func(c *Customer) *bool { return &c.NoNotices }),
		pickField("rep", "Account rep", ChooseEmployee, func(c *Customer) *string { return &c.AccountRepID }).hint("Name, email address or ID. Optional.").column("AccountRepID"),
	),
	AddressFields(func(c *Customer) *Address { return &c.Address }),
))

func (c *Customer) version() *int { return &c.Version }

func customerEdit(ctx context.Context, a Access, id, formerRep, token string) edit[Customer] {
	return edit[Customer]{
		fields:    CustomerFields,
		added:     EventCustomerAdded,
		edited:    EventCustomerEdited,
		partition: partitionOf(getCustomer, "customerID", id),
		token:     token,
		validate: func(c *Customer) error {
			if c.AccountRepID == formerRep { // an unchanged rep can be missing after a lenient import
				return nil
			}
			return a.requireRep(ctx, c)
		},
		unique: func(c *Customer) error { return a.requireUniqueEmail(ctx, c) },
		also: func(c *change, before, after *Customer) error {
			if before == nil {
				return nil
			}
			return a.store.renameRenter(ctx, c, id, before.Name, after.Name)
		},
	}
}

// AddCustomer adds a customer and returns the ID, which comes from the form token. It
// returns Invalid if a field is invalid.
func (a Access) AddCustomer(ctx context.Context, customer Customer, token string) (id string, err error) {
	if err := a.require(EditCustomers); err != nil {
		return "", err
	}
	if customer.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	customer.Created = a.store.now()
	return customer.ID, createFromForm(ctx, a, &customer, customerEdit(ctx, a, customer.ID, "", token))
}

// SaveCustomer changes a customer. Existing orders keep the name and address that they
// copied. For rentals, see renameRenter. SaveCustomer returns NotFound or Invalid, and
// Conflict if the form showed another version.
func (a Access) SaveCustomer(ctx context.Context, customer Customer, token string) error {
	before, err := a.CustomerForChange(ctx, customer.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &customer, customerEdit(ctx, a, customer.ID, before.AccountRepID, token))
}

// CustomerForChange makes a consistent read of a customer. It returns NotFound if there
// is no such customer.
func (a Access) CustomerForChange(ctx context.Context, id string) (*Customer, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	return readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": id})
}

func (a Access) requireRep(ctx context.Context, c *Customer) error {
	if c.AccountRepID == "" {
		return nil
	}
	_, err := readOne[*Employee](ctx, a.store, getEmployee, key.Map{"employeeID": c.AccountRepID})
	if KindOf(err) == NotFound {
		return InvalidField("rep", "No employee has this ID.")
	}
	return err
}

// requireUniqueEmail returns Invalid if another customer has the same email address.
// It can miss a customer who was added a moment ago, because the index is updated
// with a delay.
func (a Access) requireUniqueEmail(ctx context.Context, c *Customer) error {
	if c.Email == "" {
		return nil
	}
	found, err := a.CustomersByEmail(ctx, c.Email)
	if err != nil {
		return err
	}
	for _, other := range found.Rows {
		if other.ID != c.ID {
			return InvalidField("email", "Customer %s already has this email address.", other.ID)
		}
	}
	return nil
}
