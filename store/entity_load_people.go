package store

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// identity is who a row says that an ID stands for. One person has one ID: as
// a customer, an account, an employee and somebody who rents.
type identity struct {
	id, name, email string
	others          []*Pattern // what else may stand for them
}

func identityOf(e Entity) (identity, bool) {
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

// withoutStrangers refuses rows of people under an ID that stands for somebody
// else already: whoever has another e-mail, and where one is missing on either
// side, whoever is not said to be the same.
func (l *loader) withoutStrangers(ctx context.Context, rows []loadRow) ([]loadRow, error) {
	looked, err := l.others(ctx, rows)
	if err != nil {
		return nil, err
	}
	var rest []loadRow
	for _, row := range rows {
		reason := ""
		if who, is := identityOf(row.entity); is {
			for _, p := range who.others {
				if item := looked[table.KeyString(keyIn(p, who.id))]; item != nil && reason == "" {
					reason = l.stranger(who, item)
				}
			}
		}
		if reason != "" {
			l.refuse(row.index, named(row.entity, row.item)+" "+reason)
			continue
		}
		if rest = append(rest, row); looked[row.place()] == nil {
			looked[row.place()] = row.item
		}
	}
	return rest, nil
}

// stranger says why an item is not of the same person.
func (l *loader) stranger(who identity, item Item) (reason string) {
	other, err := Decode(item)
	if err != nil {
		return ""
	}
	is, _ := identityOf(other)
	switch {
	case is.email == "" || who.email == "":
		if !l.how.SamePeople {
			return fmt.Sprintf("may be another person than the %s %s, who has this ID: there is no e-mail to compare. -same-people takes them for one, -id-prefix gives this one another ID.", other.EntityType(), is.name)
		}
	case !strings.EqualFold(is.email, who.email):
		return fmt.Sprintf("has the ID of somebody else, the %s %s, whose e-mail is another. -id-prefix gives this one another ID.", other.EntityType(), is.name)
	}
	return ""
}

// keyIn is where a pattern finds the person of an ID.
func keyIn(p *Pattern, id string) Item {
	values := key.Map{"customerID": id, "employeeID": id, "personULID": id}
	c, err := p.Condition(values)
	if err != nil {
		return Item{}
	}
	return table.Key(c.PK, c.SK)
}

// others reads what else stands for the people of some rows.
func (l *loader) others(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	var keys []loadRow
	asked := map[string]bool{}
	for _, row := range rows {
		who, is := identityOf(row.entity)
		if !is {
			continue
		}
		for _, p := range who.others {
			if at := (loadRow{item: keyIn(p, who.id)}); len(at.item) > 0 && !asked[at.place()] {
				asked[at.place()] = true
				keys = append(keys, at)
			}
		}
	}
	found := map[string]Item{}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, some := range chunks(keys, loadChunk) {
		group.Go(func() error {
			items, err := l.present(ctx, some)
			l.mu.Lock()
			defer l.mu.Unlock()
			for place, item := range items {
				found[place] = item
			}
			return err
		})
	}
	return found, group.Wait()
}
