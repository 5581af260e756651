package store

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxActions is how many items one transaction may touch.
const maxActions = 100

// change is one transaction in the making. What it was made of has a
// condition, so that a change which meets something else than it saw changes
// nothing at all. Totals, which are added to unread, and the results of runs,
// of which the last one counts, need none of their own.
type change struct {
	store  *Store
	shards int
	by     string // who makes it
	once   string // the token of the form that asked for it; "" for none
	about  string // the partition that its first event is told in
	items  []types.TransactWriteItem
	totals tallied
	err    error
}

// change begins a change by the program itself.
func (s *Store) change(ctx context.Context) (*change, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return &change{store: s, shards: settings.Shards, by: Program, totals: tallied{zone: settings.Zone(), shards: settings.Shards}}, nil
}

// change begins a change by a user. once is the token of the form that asked
// for it: a form that is sent twice changes once, see commit.
func (a Access) change(ctx context.Context, once string) (*change, error) {
	c, err := a.Store.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.once = a.user.Name, once
	return c, nil
}

// create puts an entity where nothing lies yet.
func (c *change) create(e Entity) {
	c.put(e, "attribute_not_exists(#key)", map[string]string{"#key": attrPK}, nil)
}

// replace puts an entity, whose Version has been raised, in the place of the
// version before.
func (c *change) replace(e Entity, seen int) {
	c.put(e, "#version = :seen", map[string]string{"#version": attrVersion}, seenVersion(seen))
}

func (c *change) put(e Entity, condition string, names map[string]string, values Item) {
	item, err := Encode(e, c.shards)
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	c.items = append(c.items, types.TransactWriteItem{Put: &types.Put{
		TableName: &c.store.table, Item: item,
		ConditionExpression: &condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}})
}

// unchanged requires that an entity still is as it was seen.
func (c *change) unchanged(e Entity, seen int) {
	c.items = append(c.items, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &c.store.table, Key: c.key(e),
		ConditionExpression:       aws.String("#version = :seen"),
		ExpressionAttributeNames:  map[string]string{"#version": attrVersion},
		ExpressionAttributeValues: seenVersion(seen),
	}})
}

// remove deletes an entity that is there.
func (c *change) remove(e Entity) {
	c.items = append(c.items, types.TransactWriteItem{Delete: &types.Delete{
		TableName: &c.store.table, Key: c.key(e),
		ConditionExpression:      aws.String("attribute_exists(#key)"),
		ExpressionAttributeNames: map[string]string{"#key": attrPK},
	}})
}

// removeSeen deletes an entity that still is as it was seen.
func (c *change) removeSeen(e Entity, seen int) {
	c.items = append(c.items, types.TransactWriteItem{Delete: &types.Delete{
		TableName: &c.store.table, Key: c.key(e),
		ConditionExpression:       aws.String("#version = :seen"),
		ExpressionAttributeNames:  map[string]string{"#version": attrVersion},
		ExpressionAttributeValues: seenVersion(seen),
	}})
}

// tell is event with what was before and after. Its time is the moment's, and
// unless it says otherwise it has a new ID and is the doing of whoever makes
// the change. The first event of a change also carries the token of its form.
func (c *change) tell(e Event) {
	id, err := c.store.ids.New()
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	e.ID, e.When, e.By = cmp.Or(e.ID, id), c.store.now(), cmp.Or(e.By, c.by)
	if c.about == "" {
		c.about, e.Token = e.Partition, c.once
	}
	c.create(&e)
}

func (c *change) key(e Entity) Item {
	item, err := Encode(e, c.shards)
	if err != nil {
		c.err = errors.Join(c.err, err)
		return nil
	}
	return Item{attrPK: item[attrPK], attrSK: item[attrSK]}
}

// commit makes the change, all of it or nothing.
//
// What the table refuses for now is asked again, with the same token, so that
// an answer which was lost does nothing twice. DynamoDB remembers a token for
// ten minutes; beyond that the conditions hold. A condition that fails because
// the same form was sent before is no conflict: what it asked for is done.
func (c *change) commit(ctx context.Context) error {
	items := append(c.items, c.totalActions()...)
	if len(items) > maxActions {
		c.err = errors.Join(c.err, fail(Invalid, "This is more than one change may hold: %d items, of %d at most.", len(items), maxActions))
	}
	if c.err != nil {
		return c.err
	}
	err := c.store.transact(ctx, items)
	if KindOf(err) != Conflict {
		return err
	}
	return c.store.unlessDone(ctx, c.about, c.once, err)
}

// behind answers a change before it is made, where what is there is not what
// the form saw: the rules that hold for what is there say nothing about a form
// that was sent before. Its event would be told in this partition.
func (c *change) behind(ctx context.Context, partition string) error {
	return c.store.unlessDone(ctx, partition, c.once, outOfDate())
}

// outOfDate refuses what was made for another version than there is.
func outOfDate() error { return fail(Conflict, "%s", conflictMessage) }

func seenVersion(seen int) Item {
	return Item{":seen": &types.AttributeValueMemberN{Value: strconv.Itoa(seen)}}
}
