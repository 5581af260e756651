package table

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Update writes the attributes that differ between two states of an entity, if the
// item still has the version of the first state. It costs half as many write units
// as a transaction. It returns Conflict if the condition failed, Busy if the table is
// throttled, and Unconfirmed if a response was lost and the outcome is unknown.
//
// Unlike a transaction, Update has no request token: if a response was lost and the
// repetition fails, Conflict can also mean that this update was applied. The caller
// must therefore read the item after a Conflict.
func (t *Table) Update(ctx context.Context, before, after Entity, version, shards int) error {
	x := t.NewTx(shards)
	x.updateChanged(before, after, version)
	if x.err != nil {
		return x.err
	}
	u := x.items[0].Update
	in := &dynamodb.UpdateItemInput{
		TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
		ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	var sent attempts
	err := tableBackoff.Retry(ctx, IsTransient, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := t.db.UpdateItem(ctx, in, sent.observe)
		sent.add(err)
		if err == nil {
			t.meterWrites(ctx, x.items, units(out.ConsumedCapacity))
			x.record(ctx, units(out.ConsumedCapacity))
		}
		return t.wrapUpdate(err)
	})
	if sent.unknown && KindOf(err) == Conflict {
		recordUnknown(ctx)
	}
	return sent.explain(ctx, err)
}

// wrapUpdate returns the error of an update outside a transaction.
func (t *Table) wrapUpdate(err error) error {
	switch {
	case errors.As(err, new(*types.ConditionalCheckFailedException)):
		return &Error{Kind: Conflict, Message: ConflictMessage, Err: err}
	case errors.As(err, new(*types.TransactionConflictException)):
		return &Error{Kind: Busy, Message: busyMessage, Err: err}
	}
	return t.wrap(err)
}

// updateChanged adds an update of the attributes that differ.
func (x *Tx) updateChanged(before, after Entity, version int) {
	was, err := x.table.schema.Encode(before, x.shards)
	is, err2 := x.table.schema.Encode(after, x.shards)
	if err := errors.Join(err, err2); err != nil {
		x.Fail(err)
		return
	}
	c := hasVersion(version)
	var set, remove []string
	for i, name := range slices.Sorted(maps.Keys(is)) {
		if reflect.DeepEqual(was[name], is[name]) {
			continue
		}
		n := strconv.Itoa(i)
		c.Names["#a"+n], c.Values[":a"+n] = name, is[name]
		set = append(set, "#a"+n+" = :a"+n)
	}
	for i, name := range slices.Sorted(maps.Keys(was)) {
		if _, kept := is[name]; !kept {
			n := strconv.Itoa(i)
			c.Names["#r"+n] = name
			remove = append(remove, "#r"+n)
		}
	}
	expression := "SET " + strings.Join(set, ", ")
	if len(remove) > 0 {
		expression += " REMOVE " + strings.Join(remove, ", ")
	}
	x.Update(after, expression, c)
}
