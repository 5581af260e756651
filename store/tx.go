package store

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxActions is how many items one transaction may touch.
const maxActions = 100

// change is one transaction in the making. Every action in it has a
// condition, so that a change which meets something else than it saw changes
// nothing at all.
type change struct {
	store  *Store
	shards int
	items  []types.TransactWriteItem
	err    error
}

func (s *Store) change(ctx context.Context) (*change, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return &change{store: s, shards: settings.Shards}, nil
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

// event tells in the partition of what it is about that something changed.
func (c *change) event(partition, by, what, why string) {
	id, err := c.store.ids.New()
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	c.create(&Event{ID: id, Partition: partition, When: c.store.now(), By: by, What: what, Why: why})
}

func (c *change) key(e Entity) Item {
	item, err := Encode(e, c.shards)
	if err != nil {
		c.err = errors.Join(c.err, err)
		return nil
	}
	return Item{attrPK: item[attrPK], attrSK: item[attrSK]}
}

// commit makes the change, all of it or nothing. The token makes a request
// that is sent again within ten minutes do nothing twice; beyond that the
// conditions do.
func (c *change) commit(ctx context.Context) error {
	if c.err != nil {
		return c.err
	}
	token, err := c.store.ids.New()
	if err != nil {
		return err
	}
	_, err = c.store.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: c.items, ClientRequestToken: &token,
	})
	return c.store.cancelled(err)
}

// cancelled gives a cancelled transaction the kind of its reasons: a condition
// that failed is a conflict, everything else passes.
func (s *Store) cancelled(err error) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return s.failure(err)
	}
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			return &Error{Kind: Conflict, Message: "Somebody else changed this first. Nothing was changed; look at it again.", Err: err}
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			return &Error{Kind: Busy, Message: "The table is busy. Nothing was changed; please try again in a moment.", Err: err}
		}
	}
	return err
}

func seenVersion(seen int) Item {
	return Item{":seen": &types.AttributeValueMemberN{Value: strconv.Itoa(seen)}}
}
