package table

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// MaxActions is how many items one transaction may write or check. See
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const MaxActions = 100

// Tx collects the writes of one transaction. Most writes have a condition: the
// item is new, or still has the version that was read. Errors of its methods
// are returned by Commit.
type Tx struct {
	table  *Table
	shards int
	items  []types.TransactWriteItem
	err    error
}

// NewTx returns an empty transaction that writes sharded keys to so many
// shards.
func (t *Table) NewTx(shards int) *Tx { return &Tx{table: t, shards: shards} }

// Condition is a condition expression. The zero Condition always holds.
type Condition struct {
	Expression string
	Names      map[string]string
	Values     Item
}

func hasVersion(version int) Condition {
	return Condition{
		Expression: "#version = :version",
		Names:      map[string]string{"#version": AttrVersion},
		Values:     Item{":version": &types.AttributeValueMemberN{Value: strconv.Itoa(version)}},
	}
}

func isAbsent() Condition {
	return Condition{Expression: "attribute_not_exists(#key)", Names: map[string]string{"#key": AttrPK}}
}

func exists() Condition {
	return Condition{Expression: "attribute_exists(#key)", Names: map[string]string{"#key": AttrPK}}
}

func (c Condition) expression() *string {
	if c.Expression == "" {
		return nil
	}
	return &c.Expression
}

// Shards is the number of shards that sharded keys are spread over.
func (x *Tx) Shards() int { return x.shards }

// Len returns the number of actions so far.
func (x *Tx) Len() int { return len(x.items) }

// Fail makes Commit return the error.
func (x *Tx) Fail(err error) { x.err = errors.Join(x.err, err) }

// Create writes an entity whose key must be free.
func (x *Tx) Create(e Entity) { x.Put(e, isAbsent()) }

// Replace writes an entity in place of the given version. The entity's own
// Version must have been raised.
func (x *Tx) Replace(e Entity, version int) { x.Put(e, hasVersion(version)) }

// Put writes an entity if the condition holds.
func (x *Tx) Put(e Entity, c Condition) {
	item, err := x.table.schema.Encode(e, x.shards)
	if err != nil {
		x.Fail(err)
		return
	}
	x.put(item, c)
}

// CreateItem writes an encoded item whose key must be free.
func (x *Tx) CreateItem(item Item) { x.put(item, isAbsent()) }

func (x *Tx) put(item Item, c Condition) {
	x.items = append(x.items, types.TransactWriteItem{Put: &types.Put{
		TableName:                 &x.table.name,
		Item:                      item,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Check requires that an entity still has the given version.
func (x *Tx) Check(e Entity, version int) { x.check(e, hasVersion(version)) }

// CheckAbsent requires that an entity's key is free.
func (x *Tx) CheckAbsent(e Entity) { x.check(e, isAbsent()) }

func (x *Tx) check(e Entity, c Condition) {
	x.items = append(x.items, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName:                 &x.table.name,
		Key:                       x.key(e),
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Delete deletes an entity that must exist.
func (x *Tx) Delete(e Entity) { x.delete(e, exists()) }

// DeleteVersion deletes an entity that must still have the given version.
func (x *Tx) DeleteVersion(e Entity, version int) { x.delete(e, hasVersion(version)) }

func (x *Tx) delete(e Entity, c Condition) {
	x.items = append(x.items, types.TransactWriteItem{Delete: &types.Delete{
		TableName:                 &x.table.name,
		Key:                       x.key(e),
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Update applies an update expression to the item of an entity if the condition
// holds. The condition's names and values are also those of the expression.
func (x *Tx) Update(e Entity, expression string, c Condition) {
	x.items = append(x.items, types.TransactWriteItem{Update: &types.Update{
		TableName:                 &x.table.name,
		Key:                       x.key(e),
		UpdateExpression:          &expression,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

func (x *Tx) key(e Entity) Item {
	item, err := x.table.schema.Encode(e, x.shards)
	if err != nil {
		x.Fail(err)
		return nil
	}
	return KeyOf(item)
}

// Commit writes everything or nothing. It returns Conflict if a condition
// failed, Busy if the table is throttled, and Invalid if there are more than
// MaxActions actions.
//
// A transaction that meets another one, or whose response is lost, is tried
// again with the same token, which makes it idempotent. DynamoDB remembers a
// token for ten minutes.
func (x *Tx) Commit(ctx context.Context) error {
	if len(x.items) > MaxActions {
		x.Fail(Errorf(Invalid, "This change is too large: it has %d items, and at most %d are possible.", len(x.items), MaxActions))
	}
	if x.err != nil {
		return x.err
	}
	return x.table.transact(ctx, x.items)
}

func (t *Table) transact(ctx context.Context, items []types.TransactWriteItem) error {
	in := &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: aws.String(rand.Text())}
	return tableBackoff.Retry(ctx, IsTransient, func() error {
		_, err := t.db.TransactWriteItems(ctx, in)
		return t.wrapCancelled(err)
	})
}

// wrapCancelled gives a cancelled transaction the kind of its reasons.
func (t *Table) wrapCancelled(err error) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return t.wrap(err)
	}
	kind := Internal
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			return &Error{Kind: Conflict, Message: ConflictMessage, Err: err}
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			kind = Busy
		}
	}
	if kind == Busy {
		return &Error{Kind: Busy, Message: busyMessage, Err: err}
	}
	return err
}

// ConditionFailed reports whether the table itself rejected a change because a
// condition failed, rather than a rule that was checked before.
func ConditionFailed(err error) bool {
	return KindOf(err) == Conflict && errors.As(err, new(*types.TransactionCanceledException))
}

// Reindex writes the index keys that change when sharded keys are spread over
// another number of shards, if the item still has the version that was read.
// The version itself stays, because nothing else changes.
func (t *Table) Reindex(ctx context.Context, e Entity, item Item, shards int) (changed bool, err error) {
	wanted, err := t.schema.Encode(e, shards)
	if err != nil {
		return false, err
	}
	set := "SET "
	names, values := map[string]string{"#version": AttrVersion}, Item{":version": item[AttrVersion]}
	for n := 1; n <= IndexCount; n++ {
		pk, _ := KeyAttributes(IndexName(n))
		if wanted[pk] == nil || TextOf(wanted, pk) == TextOf(item, pk) {
			continue
		}
		index := strconv.Itoa(n)
		if len(names) > 1 {
			set += ", "
		}
		set += "#" + index + " = :" + index
		names["#"+index], values[":"+index] = pk, wanted[pk]
	}
	if len(names) == 1 {
		return false, nil
	}
	return true, t.transact(ctx, []types.TransactWriteItem{{Update: &types.Update{
		TableName:                 &t.name,
		Key:                       KeyOf(item),
		UpdateExpression:          &set,
		ConditionExpression:       aws.String("#version = :version"),
		ExpressionAttributeNames:  names,
		ExpressionAttributeValues: values,
	}}})
}
