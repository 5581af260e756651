package store

import (
	"context"
	"net/mail"
	"strings"

	"stockroom/store/key"
)

// maxPhones is how many phone numbers a customer has at most.
const maxPhones = 10

// AddCustomer adds a customer, whose ID is the token of the form, and returns
// the ID.
func (a Access) AddCustomer(ctx context.Context, customer Customer, once string) (id string, err error) {
	if err := a.may(Sell); err != nil {
		return "", err
	}
	if customer.ID, err = a.ofForm(once); err != nil {
		return "", err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return "", err
	}
	if err := a.checkCustomer(ctx, &customer, ""); err != nil {
		return customer.ID, a.unlessDone(ctx, "c#"+customer.ID, once, err)
	}
	customer.Created, customer.Version = a.now(), 1
	c.tell(Event{Partition: "c#" + customer.ID, What: "customer added"})
	c.create(&customer)
	return customer.ID, c.commit(ctx)
}

// SaveCustomer changes a customer from the version that the form showed. What
// orders and invoices copied of them stays as it was when they were made.
func (a Access) SaveCustomer(ctx context.Context, customer Customer, once string) error {
	if err := a.may(Sell); err != nil {
		return err
	}
	was, err := a.CustomerForChange(ctx, customer.ID)
	if err != nil {
		return err
	}
	about := "c#" + customer.ID
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	if customer.Version != was.Version {
		return c.behind(ctx, about)
	}
	if err := a.checkCustomer(ctx, &customer, was.AccountRepID); err != nil {
		return err
	}
	customer.Created = was.Created
	told, edited := customerEdits(was, &customer).event(about, "customer edited")
	if !edited {
		return nil
	}
	c.tell(told)
	c.replaceNext(&customer, &customer.Version)
	return c.commit(ctx)
}

// CustomerForChange reads a customer as they are in the table just now, for a
// form that leads to a change.
func (a Access) CustomerForChange(ctx context.Context, id string) (*Customer, error) {
	if err := a.may(Sell); err != nil {
		return nil, err
	}
	return readConsistently[*Customer](ctx, a.Store, getCustomer, key.Map{"customerID": id})
}

func customerEdits(was, now *Customer) *edits {
	var e edits
	e.field("name", was.Name, now.Name)
	e.field("e-mail", was.Email, now.Email)
	e.field("phones", strings.Join(was.Phones, " / "), strings.Join(now.Phones, " / "))
	e.field("address", strings.Join(was.Address.Lines(), " / "), strings.Join(now.Address.Lines(), " / "))
	e.field("account rep", was.AccountRepID, now.AccountRepID)
	return &e
}

// isEmail says whether mail can be sent to an address, and whether it can be
// found under it.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && key.CheckID(text) == nil
}

// checkCustomer looks at what was typed. That nobody else has the address is
// asked of an index, which lags a moment behind: it spares people mistakes,
// it is no lock. An account rep that the customer had before is not asked
// about: imported customers name some whom nobody knows any more.
func (a Access) checkCustomer(ctx context.Context, c *Customer, hadRep string) error {
	typed := append(c.Address.lines(), line{"name", &c.Name}, line{"email", &c.Email}, line{"rep", &c.AccountRepID})
	for i := range c.Phones {
		typed = append(typed, line{"phones", &c.Phones[i]})
	}
	if err := shortLines(typed); err != nil {
		return err
	}
	switch {
	case c.Name == "":
		return InvalidField("name", "Write a name.")
	case c.Email != "" && !isEmail(c.Email):
		return InvalidField("email", "This is no e-mail address.")
	case c.AccountRepID != "" && key.CheckID(c.AccountRepID) != nil:
		return InvalidField("rep", "This is no employee's ID.")
	case len(c.Phones) > maxPhones:
		return InvalidField("phones", "At most %d numbers.", maxPhones)
	}
	if c.AccountRepID != "" && c.AccountRepID != hadRep {
		_, err := readOne[*Employee](ctx, a.Store, getEmployee, key.Map{"employeeID": c.AccountRepID})
		if KindOf(err) == NotFound {
			return InvalidField("rep", "There is no employee with this ID.")
		}
		if err != nil {
			return err
		}
	}
	if c.Email == "" {
		return nil
	}
	found, listErr := a.CustomersByEmail(ctx, c.Email)
	if listErr != nil {
		return listErr
	}
	for _, other := range found.Rows {
		if other.ID != c.ID {
			return InvalidField("email", "The customer %s has this address already.", other.ID)
		}
	}
	return nil
}
