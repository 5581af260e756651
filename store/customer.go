package store

import (
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
