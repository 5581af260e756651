package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// identity is the person that an entity describes. A person can have several records
// with the same ID: customer, employee and renter.
type identity struct {
	id, name, email string
	others          []*Pattern // patterns that find other records of the person
}

// Patterns that find other records of one person, by type of record.
var (
	besideCustomer = []*Pattern{getEmployee, getPerson}
	besideEmployee = []*Pattern{getCustomer, getPerson}
	besidePerson   = []*Pattern{getCustomer, getEmployee}
)

// identityOf returns the person that an entity describes. ok is false if the entity
// describes no person. A subscription describes none: its email address says where
// reminders are sent, and can differ from that of its customer.
func identityOf(e Entity) (person identity, ok bool) {
	switch e := e.(type) {
	case *Customer:
		return identity{e.ID, e.Name, e.Email, besideCustomer}, true
	case *Employee:
		return identity{e.ID, e.Name, e.Email, besideEmployee}, true
	case *Person:
		return identity{e.ID, e.Name, e.Email, besidePerson}, true
	}
	return identity{}, false
}

// rejectOtherPeople rejects rows whose ID belongs to a different person, in the table
// or in an earlier row. It returns the other rows. Two records with the same ID
// describe the same person if their email addresses are equal. If one of them has no
// email address, this depends on the option SamePeople.
func (l *loader) rejectOtherPeople(ctx context.Context, rows []loadRow) ([]loadRow, error) {
	reasons, err := l.otherPeople(ctx, rows, otherRecords(rows))
	if err != nil || reasons == nil {
		return rows, err
	}
	rest := make([]loadRow, 0, len(rows))
	for i, row := range rows {
		if reasons[i] != "" {
			l.reject(row.index, row.describe()+" "+reasons[i])
		} else {
			rest = append(rest, row)
		}
	}
	return rest, nil
}

// otherPeople returns, for each row, why its ID belongs to a different person, or "".
// reasons is nil if others is empty. others contains the otherRecords of the rows.
func (l *loader) otherPeople(ctx context.Context, rows []loadRow, others []otherRecord) (reasons []string, err error) {
	if len(others) == 0 {
		return nil, nil
	}
	items, err := l.readRecords(ctx, others)
	if err != nil {
		return nil, err
	}
	known := make(map[string]Entity, len(rows))
	for place, item := range items {
		if e, err := Decode(item); err == nil {
			known[place] = e
		}
	}
	reasons = make([]string, len(rows))
	for i, row := range rows {
		person, isPerson := identityOf(row.entity)
		for ; len(others) > 0 && others[0].row == i; others = others[1:] {
			if e := known[others[0].place]; e != nil && reasons[i] == "" {
				reasons[i] = l.otherPerson(person, e)
			} else if reasons[i] == "" {
				if reasons[i], err = l.plannedOtherPerson(person, others[0].place); err != nil {
					return nil, err
				}
			}
		}
		if isPerson && reasons[i] == "" && known[row.place] == nil {
			known[row.place] = row.entity
		}
	}
	return reasons, nil
}

const (
	samePeopleHint = "Use -same-people to treat them as one person, or -id-prefix to change the ID."
	prefixHint     = "Use -id-prefix to change the ID."
)

// otherPerson returns why an entity describes a different person, or "".
func (l *loader) otherPerson(person identity, e Entity) (reason string) {
	other, _ := identityOf(e)
	label := labelOf(e)
	if other.name != "" {
		label += " (" + other.name + ")"
	}
	switch {
	case other.email == "" || person.email == "":
		if !l.options.SamePeople {
			return fmt.Sprintf("has the same ID as the %s and may be another person, because an email address is missing. "+samePeopleHint, label)
		}
	case !strings.EqualFold(other.email, person.email):
		return fmt.Sprintf("has the same ID as the %s, but a different email address. "+prefixHint, label)
	}
	return ""
}

// plannedOtherPerson is like otherPerson, for an entity that an earlier call of a dry run
// would have inserted.
func (l *loader) plannedOtherPerson(person identity, place string) (reason string, err error) {
	p := l.options.Plan
	email, found, err := p.get(planEmail, place)
	switch {
	case err != nil || !found:
		return "", err
	case email == p.digest("") || person.email == "":
		if !l.options.SamePeople {
			return "has the same ID as an earlier row of another entity and may be another person, because an email address is missing. " + samePeopleHint, nil
		}
	case email != p.digest(strings.ToLower(person.email)):
		return "has the same ID as an earlier row of another entity, but a different email address. " + prefixHint, nil
	}
	return "", nil
}

// otherRecord is the key of another record that the person of a row may have.
type otherRecord struct {
	row   int
	key   Item
	place string
}

// otherRecords returns the other records that people in rows may have, in the order
// of the rows.
func otherRecords(rows []loadRow) (others []otherRecord) {
	for i := range rows {
		person, _ := identityOf(rows[i].entity)
		for _, p := range person.others {
			if key := personKey(p, person.id); len(key) > 0 {
				others = append(others, otherRecord{i, key, table.KeyString(key)})
			}
		}
	}
	return others
}

// personKey returns the key of the item that a pattern finds for a person's ID. It
// is empty if the ID cannot be part of a key.
func personKey(p *Pattern, id string) Item {
	c, err := p.Condition(personID(id))
	if err != nil {
		return Item{}
	}
	return table.Key(c.PK, c.SK)
}

// personID is the value of every placeholder in the patterns that find a person.
type personID string

// KeyValue returns the ID for any placeholder, because the name of the placeholder
// differs between patterns.
func (id personID) KeyValue(string) string { return string(id) }

// readRecords returns the existing records, by key.
func (l *loader) readRecords(ctx context.Context, others []otherRecord) (map[string]Item, error) {
	keys := make([]Item, 0, len(others))
	seen := make(map[string]bool, len(others))
	for i := range others {
		if !seen[others[i].place] {
			seen[others[i].place] = true
			keys = append(keys, others[i].key)
		}
	}
	keys, err := l.store.table.MayExist(ctx, keys)
	if err != nil {
		return nil, err
	}
	known := map[string]Item{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for some := range slices.Chunk(keys, loadChunk) {
		group.Go(table.Recovering(func() error {
			items, err := l.store.table.GetKeys(ctx, some)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(known, items)
			return err
		}))
	}
	return known, group.Wait()
}
