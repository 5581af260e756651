package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Customer is a person who buys from the shop. The customer's billing account has the same
// ID. A customer who rents kayaks has the same ID as a renter.
type Customer struct {
	ID           string
	Name         string
	Email        string
	Phones       []string `json:",omitempty"`
	Address      Address
	AccountRepID string    `json:",omitempty"` // an employee ID
	Created      time.Time `json:",omitzero"`
	NoNotices    bool      `json:",omitempty"` // send no reminders
	Closed       time.Time `json:",omitzero"`  // when the customer was closed; zero if the customer is open
	Version      int
}

func (*Customer) EntityType() string { return "customer" }

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
	rest, isPhone := strings.CutPrefix(name, "phone")
	suffix, isEnd := strings.CutPrefix(rest, "End")
	n := slices.Index(indexedPhones, suffix)
	if !isPhone || n < 0 || n >= len(c.Phones) {
		return ""
	}
	phone := key.Phone(c.Phones[n])
	if isEnd {
		return key.PhonePartition(phone)
	}
	return phone
}

// indexedPhones lists the suffixes of key placeholders for phone numbers, such as 2 in
// phone2. Only the first three numbers of a customer have index keys.
var indexedPhones = []string{"", "2", "3"}

// attrClosed is the attribute of a closed customer. Open customers lack it.
const attrClosed = "Closed"

func (c *Customer) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "c#", &c.ID)
	a.Text("Name", &c.Name)
	a.Text("Email", &c.Email)
	a.Texts("Phones", &c.Phones)
	a.Nested("Address", c.Address.attributes)
	a.Text("AccountRepID", &c.AccountRepID)
	a.Time("Created", &c.Created)
	a.Flag("NoNotices", &c.NoNotices)
	a.Time(attrClosed, &c.Closed)
	a.Version(&c.Version)
}

// HasPhone reports whether the customer has this phone number, with or without
// country code.
func (c *Customer) HasPhone(number string) bool { return hasPhone(c.Phones, number) }

func hasPhone(phones []string, number string) bool {
	return slices.ContainsFunc(phones, func(own string) bool { return key.IsSamePhone(key.Phone(own), key.Phone(number)) })
}

// CustomerFilter selects customers by the first letter of their name (Bucket), or by the
// start of words in their name (Name). The zero filter selects all customers.
type CustomerFilter struct{ Bucket, Name string }

// Customer returns a customer by ID, or NotFound.
func (a Access) Customer(ctx context.Context, id string) (*Customer, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return readOne[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": id})
}

// PhonesOfCustomer returns a customer's phone numbers, or NotFound if there is no such
// customer.
func (a Access) PhonesOfCustomer(ctx context.Context, id string) ([]string, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	c, err := readOne[*Customer](ctx, a.store, getCustomerPhones, key.Map{"customerID": id})
	if err != nil {
		return nil, err
	}
	return c.Phones, nil
}

// Customers lists customers by name. If the filter has a Name, it lists the customers
// whose names have words that start with the words of Name.
func (a Access) Customers(ctx context.Context, f CustomerFilter, page Page) (List[Customer], error) {
	if err := a.require(Browse); err != nil {
		return List[Customer]{}, err
	}
	words := key.Words(f.Name)
	if len(words) == 0 {
		return list(ctx, a.store, byName(getCustomers, f.Bucket, f.Name), page, decodeAs[Customer])
	}
	return listNamed[*Customer](ctx, a.store, wordsOfPeople, f.Name, page, func(w *SearchWord) bool {
		return w.Type == typeCustomer && (f.Bucket == "" || key.Bucket(w.Name) == f.Bucket)
	})
}

// CustomersByEmail returns up to DefaultLimit customers with an email address, ignoring
// case. Imported customers can have the same address as others.
func (a Access) CustomersByEmail(ctx context.Context, email string) (List[Customer], error) {
	if err := a.require(Browse); err != nil {
		return List[Customer]{}, err
	}
	q := table.Query{Pattern: getCustomerByEmail, Values: key.Map{"email": strings.ToLower(strings.TrimSpace(email))}}
	return list(ctx, a.store, q, Page{}, decodeAs[Customer])
}
