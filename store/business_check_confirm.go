package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

const (
	// suspectPause is the pause before suspects are read again. It is longer than a
	// transaction takes, so at most one of two reads can see a half-applied transaction.
	suspectPause = 200 * time.Millisecond
	indexPause   = 2 * time.Second // pause for suspects that are read from an index, which can be updated with a delay
	suspectReads = 5               // maximum number of reads of a suspect
)

// suspect adds a possible violation. Once there are suspectsPerRead suspects, it reads the
// items of all of them again.
func (c *businessChecker) suspect(ctx context.Context, s suspect) error {
	if c.suspects = append(c.suspects, s); len(c.suspects) < suspectsPerRead {
		return nil
	}
	return c.readSuspects(ctx)
}

// readSuspects reads the items of each suspect until two reads in a row return the same
// findings, and reports these. It drops a suspect without findings, and counts a suspect
// whose findings keep changing.
func (c *businessChecker) readSuspects(ctx context.Context) error {
	open := c.suspects
	c.suspects = nil
	before := make([][]CheckFinding, len(open))
	for n := range suspectReads {
		var rest []suspect
		var found [][]CheckFinding
		for i, s := range open {
			now, err := c.again(ctx, s)
			switch {
			case err != nil:
				return err
			case len(now) == 0:
			case n > 0 && reflect.DeepEqual(now, before[i]):
				for _, f := range now {
					c.report(f)
				}
			default:
				rest, found = append(rest, s), append(found, now)
			}
		}
		if open, before = rest, found; len(open) == 0 {
			return nil
		}
		pause := suspectPause
		if slices.ContainsFunc(open, suspect.usesIndex) {
			pause = indexPause
		}
		if err := c.how.Wait(ctx, pause); err != nil {
			return err
		}
	}
	c.result.Changing += len(open)
	return nil
}

// usesIndex reports whether again reads items of the suspect from an index.
func (s suspect) usesIndex() bool {
	isKayakReference := s.group.table == factKayaks && s.other == nil
	return s.group.table == factLedgers || s.rule == CheckNumberGap || isKayakReference
}

// again reads a suspect's items and returns the findings about them. The reads are
// consistent, except those from an index.
func (c *businessChecker) again(ctx context.Context, s suspect) ([]CheckFinding, error) {
	switch {
	case s.group.table == factSuspects && s.group.key2 == "":
		return c.partitionAgain(ctx, s.group.key1)
	case s.group.table == factSuspects:
		return c.itemAgain(ctx, table.Key(s.group.key1, s.group.key2))
	case s.group.table == factLedgers:
		return c.ledgerAgain(ctx, s)
	case s.rule == CheckNumberGap:
		return c.gapAgain(ctx, s)
	case s.other != nil:
		return c.sharedAgain(ctx, s)
	}
	return c.referenceAgain(ctx, s)
}

// readItem makes a consistent read of an item. item is nil if the item does not exist.
// entity is also nil if the item cannot be decoded; itemAgain reports this.
func (c *businessChecker) readItem(ctx context.Context, key Item) (Item, Entity, error) {
	item, err := c.store.table.GetKey(ctx, key)
	if err == nil {
		err = c.limit.Wait(ctx, 1)
	}
	if err != nil || item == nil {
		return nil, nil, err
	}
	entity, err := Decode(item)
	if err != nil {
		return item, nil, nil
	}
	return item, entity, nil
}

func (c *businessChecker) itemAgain(ctx context.Context, key Item) ([]CheckFinding, error) {
	item, entity, err := c.readItem(ctx, key)
	if err != nil || item == nil {
		return nil, err
	}
	if entity == nil {
		_, err := Decode(item)
		return []CheckFinding{damagedFinding(item, err)}, nil
	}
	settings, err := c.store.requireSettledShards(ctx)
	if err != nil {
		return nil, err
	}
	return itemFindings(entity, item, settings.Shards), nil
}

func (c *businessChecker) partitionAgain(ctx context.Context, pk string) ([]CheckFinding, error) {
	books := newBooks(pk)
	request := table.Request{Pattern: getPartition, Values: key.Map{"partition": pk}, Limit: checkPageSize, Consistent: true}
	for {
		rows, next, err := c.store.table.QueryOnce(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			entity, err := schema.DecodeRow(row)
			if err != nil {
				return nil, nil // itemAgain reports the item that cannot be decoded
			}
			books.add(entity, row.Item())
		}
		if err := c.limit.Wait(ctx, float64(len(rows))/2); err != nil {
			return nil, err
		}
		if request.From = next; next == nil {
			return books.findings(), nil
		}
	}
}

// sharedAgain reads two items again. It returns a finding if both still claim a value that
// only one record may have, such as an SKU.
func (c *businessChecker) sharedAgain(ctx context.Context, s suspect) ([]CheckFinding, error) {
	_, one, err := c.readItem(ctx, s.other)
	if err != nil {
		return nil, err
	}
	item, other, err := c.readItem(ctx, s.item)
	if err != nil || one == nil || other == nil {
		return nil, err
	}
	a, b := c.stated(one, s.other, s.group), c.stated(other, s.item, s.group)
	if a == nil || b == nil || a.value == b.value || a.value == "" || b.value == "" {
		return nil, nil
	}
	what := map[string]string{
		factKayaks: "are the same kayak in two stores", factEmails: "have the same email address", factSKUs: "have the same SKU",
		factInvoices: "have the same ID in two orders", factShipments: "have the same ID in two orders",
		factUsed:    "are for the same kayak and day",
		factNumbers: "have the same number", factOut: "are for the same kayak, and neither is checked in", factPeople: "have the same ID, but different email addresses",
	}[s.group.table]
	text := fmt.Sprintf("The %s and the %s %s.", labelOf(one), labelOf(other), what)
	return []CheckFinding{finding(sharedRules[s.group.table], item, text, table.TextOf(s.other, table.AttrPK))}, nil
}

// stated returns what an item states about a subject, such as its SKU; see statementsOf. It
// returns nil if the item states nothing about this subject.
func (c *businessChecker) stated(e Entity, key Item, about factGroup) *statement {
	all := statementsOf(e, table.TextOf(key, table.AttrPK), table.TextOf(key, table.AttrSK), c.settings.Zone())
	if i := slices.IndexFunc(all, func(s statement) bool { return s.group == about }); i >= 0 {
		return &all[i]
	}
	return nil
}

// referenceAgain reads a reference again and checks it. It first reads the item with the
// reference, and then the record to which the item refers. If one transaction wrote both,
// the record is therefore at least as new as the item.
func (c *businessChecker) referenceAgain(ctx context.Context, s suspect) ([]CheckFinding, error) {
	item, entity, err := c.readItem(ctx, s.item)
	if err != nil || entity == nil {
		return nil, err
	}
	all := referencesOf(entity)
	i := slices.IndexFunc(all, func(r reference) bool { return r.rule == s.rule && r.to == s.group })
	if i < 0 {
		return nil, nil
	}
	r := all[i]
	other, exists, err := c.readGroup(ctx, r.to)
	switch {
	case err != nil:
		return nil, err
	case !exists && r.rule == CheckEmployeeTitle: // CheckEmployeeRefs reports the missing job
		return nil, nil
	case !exists:
		return []CheckFinding{finding(r.rule, item, fmt.Sprintf("The %s refers to the %s, which does not exist.", labelOf(entity), r.label), recordsOf(entity)...)}, nil
	case r.differs == nil || other == nil:
		return nil, nil
	}
	if text := r.differs(other); text != "" {
		return []CheckFinding{finding(r.rule, item, fmt.Sprintf("The %s %s.", labelOf(entity), text), append(recordsOf(entity), s.group.key1)...)}, nil
	}
	return nil, nil
}

// readGroup reads the record that is the subject g. e is nil if there is no such record or
// it cannot be decoded. For the subject factSame, exists reports whether the SamePerson of
// the first ID names the second.
func (c *businessChecker) readGroup(ctx context.Context, g factGroup) (e Entity, exists bool, err error) {
	keys := []Item{table.Key(g.key1, g.key2)}
	switch g.table {
	case factPeople:
		keys = nil
		for _, p := range []*Pattern{getCustomer, getEmployee, getPerson} {
			keys = append(keys, personKey(p, g.key1))
		}
	case factSame:
		at := entityGroup(&SamePerson{ID: g.key1})
		keys = []Item{table.Key(at.key1, at.key2)}
	case factKayaks:
		keys, err = c.found(ctx, getInventoryItem, key.Map{"inventoryULID": g.key1}, (*Kayak)(nil).EntityType())
	case factOrders:
		keys, err = c.found(ctx, getOrderDetails, key.Map{"orderID": g.key1}, (*Order)(nil).EntityType())
	}
	for _, key := range keys {
		if err == nil && !exists {
			var item Item
			item, e, err = c.readItem(ctx, key)
			exists = item != nil
		}
	}
	if same, ok := e.(*SamePerson); ok {
		exists = slices.Contains(same.Others, g.key2)
	}
	return e, exists, err
}

// found returns the keys of the items that a pattern finds and that have this entity type.
func (c *businessChecker) found(ctx context.Context, p *Pattern, values key.Map, entityType string) (keys []Item, err error) {
	request := table.Request{Pattern: p, Values: values, Limit: checkPageSize, Consistent: p.Index == table.TableIndex}
	for {
		rows, next, err := c.store.table.QueryOnce(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Text(table.AttrType) == entityType {
				keys = append(keys, table.Key(row.Text(table.AttrPK), row.Text(table.AttrSK)))
			}
		}
		if request.From = next; next == nil {
			return keys, c.limit.Wait(ctx, float64(len(rows))/2)
		}
	}
}
