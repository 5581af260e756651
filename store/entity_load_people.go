package store

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// identity is the person that an entity describes. A person can have several records
// with the same ID: customer, account holder, employee and renter.
type identity struct {
	id, name, email string
	others          []*Pattern // patterns that find the person's records of the other types
}

// identityOf returns the person that an entity describes. ok is false if the entity
// does not describe a person.
func identityOf(e Entity) (person identity, ok bool) {
	switch e := e.(type) {
	case *Customer:
		return identity{e.ID, e.Name, e.Email, []*Pattern{getEmployee, getPerson}}, true
	case *Employee:
		return identity{e.ID, e.Name, e.Email, []*Pattern{getCustomer, getPerson}}, true
	case *Person:
		return identity{e.ID, e.Name, e.Email, []*Pattern{getCustomer, getEmployee}}, true
	case *Subscription:
		return identity{e.AccountID, e.AccountID, e.Email, []*Pattern{getCustomer}}, true
	}
	return identity{}, false
}

// rejectOtherPeople rejects rows whose ID belongs to a different person, in the
// table or in an earlier row. It returns the other rows. Two records with the same
// ID describe one person if their emails are equal. If an email is missing, they do
// so only with the option SamePeople.
func (l *loader) rejectOtherPeople(ctx context.Context, rows []loadRow) ([]loadRow, error) {
	known, err := l.otherItems(ctx, rows)
	if err != nil {
		return nil, err
	}
	var rest []loadRow
	for _, row := range rows {
		reason := ""
		if person, ok := identityOf(row.entity); ok {
			for _, p := range person.others {
				if item := known[table.KeyString(personKey(p, person.id))]; item != nil && reason == "" {
					reason = l.otherPerson(person, item)
				}
			}
		}
		if reason != "" {
			l.reject(row.index, row.describe()+" "+reason)
			continue
		}
		if rest = append(rest, row); known[row.place()] == nil {
			known[row.place()] = row.item
		}
	}
	return rest, nil
}

// otherPerson returns the reason why an item describes a different person, or "" if
// it does not.
func (l *loader) otherPerson(person identity, item Item) (reason string) {
	e, err := Decode(item)
	if err != nil {
		return ""
	}
	other, _ := identityOf(e)
	switch {
	case other.email == "" || person.email == "":
		if !l.options.SamePeople {
			return fmt.Sprintf("has the same ID as the %s %s and may be another person, because an email is missing. "+
				"Use -same-people to treat them as one person, or -id-prefix to change the ID.", e.EntityType(), other.name)
		}
	case !strings.EqualFold(other.email, person.email):
		return fmt.Sprintf("has the same ID as the %s %s, but another email. Use -id-prefix to change the ID.", e.EntityType(), other.name)
	}
	return ""
}

// personKey returns the primary key for a GetItem pattern and a person ID.
func personKey(p *Pattern, id string) Item {
	c, err := p.Condition(key.Map{"customerID": id, "employeeID": id, "personULID": id})
	if err != nil {
		return Item{}
	}
	return table.Key(c.PK, c.SK)
}

// otherItems reads the records of other types that have the IDs of the rows.
func (l *loader) otherItems(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	var keys []loadRow
	seen := map[string]bool{}
	for _, row := range rows {
		person, _ := identityOf(row.entity)
		for _, p := range person.others {
			if k := (loadRow{item: personKey(p, person.id)}); len(k.item) > 0 && !seen[k.place()] {
				seen[k.place()] = true
				keys = append(keys, k)
			}
		}
	}
	found := map[string]Item{}
	err := inChunks(ctx, keys, func(ctx context.Context, keys []loadRow) error {
		items, err := l.existing(ctx, keys)
		l.mu.Lock()
		defer l.mu.Unlock()
		maps.Copy(found, items)
		return err
	})
	return found, err
}
