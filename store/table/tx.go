package table

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// MaxActions is the maximum number of actions (writes and checks) in a transaction.
// See
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const MaxActions = 100

// maxLarge is the maximum number of actions in a large transaction.
const maxLarge = 20_000

// Tx collects the writes of one transaction. Most writes have a condition: the item
// is new, or still has the version that was read. The methods that add writes return
// no error; Commit returns their errors.
type Tx struct {
	table  *Table
	shards int
	items  []types.TransactWriteItem
	err    error
	large  bool // more than MaxActions actions are allowed

	written []changedKey // keys of written items; omits secret items and items without index keys
}

// NewTx returns an empty transaction. shards is the number of shards of sharded keys.
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
	return Condition{Expression: "attribute_not_exists(#key)", Names: keyName}
}

// keyName is shared by all conditions of isAbsent, because an import has one for each item.
// Do not modify it.
var keyName = map[string]string{"#key": AttrPK}

func exists() Condition {
	return Condition{Expression: "attribute_exists(#key)", Names: map[string]string{"#key": AttrPK}}
}

func (c Condition) expression() *string {
	if c.Expression == "" {
		return nil
	}
	return &c.Expression
}

// Shards returns the number of shards of sharded keys.
func (x *Tx) Shards() int { return x.shards }

// Len returns the number of actions so far.
func (x *Tx) Len() int { return len(x.items) }

// AllowLarge allows more than MaxActions actions if the table's DB is a LargeTransactor.
// Use it only for imports, because an import can divide its transactions if the DB is not a
// LargeTransactor. Large transactions have no request token. The caller must therefore add
// a condition that fails if the transaction is applied a second time.
func (x *Tx) AllowLarge() { x.large = x.table.CanTransactLarge() }

// MaxLen returns the maximum number of actions.
func (x *Tx) MaxLen() int {
	if x.large {
		return maxLarge
	}
	return MaxActions
}

// Append adds the writes of another transaction.
func (x *Tx) Append(o *Tx) {
	x.items, x.written = append(x.items, o.items...), append(x.written, o.written...)
	x.Fail(o.err)
}

// Fail records an error for Commit to return.
func (x *Tx) Fail(err error) { x.err = errors.Join(x.err, err) }

// Create adds a write of a new entity. Its condition is that no item has the same
// key.
func (x *Tx) Create(e Entity) { x.Put(e, isAbsent()) }

// Replace adds a write of an existing entity. Its condition is that the stored item
// has the given version. The caller must have incremented the version of e.
func (x *Tx) Replace(e Entity, version int) { x.Put(e, hasVersion(version)) }

// Put adds a write of an entity with a condition.
func (x *Tx) Put(e Entity, c Condition) {
	item, err := x.table.schema.Encode(e, x.shards)
	if err != nil {
		x.Fail(err)
		return
	}
	x.put(item, c)
}

// CreateItem adds a write of an encoded item. Its condition is that no item has the
// same key.
func (x *Tx) CreateItem(item Item) { x.put(item, isAbsent()) }

func (x *Tx) put(item Item, c Condition) {
	x.wrote(TextOf(item, AttrType), item)
	x.items = append(x.items, types.TransactWriteItem{Put: &types.Put{
		TableName:                 &x.table.name,
		Item:                      item,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Check adds a condition: the entity still has the given version.
func (x *Tx) Check(e Entity, version int) { x.check(x.key(e), hasVersion(version)) }

// CheckAbsent adds a condition: no item has the entity's key.
func (x *Tx) CheckAbsent(e Entity) { x.check(x.key(e), isAbsent()) }

// CheckKeyAbsent adds a condition: no item has the key.
func (x *Tx) CheckKeyAbsent(key Item) { x.check(key, isAbsent()) }

// CheckItem adds a condition: the item still has the version that was read.
func (x *Tx) CheckItem(item Item) {
	c := Condition{Expression: "attribute_exists(#key) AND attribute_not_exists(#version)", Names: map[string]string{"#key": AttrPK, "#version": AttrVersion}}
	if version := item[AttrVersion]; version != nil {
		c = Condition{Expression: "#version = :version", Names: map[string]string{"#version": AttrVersion}, Values: Item{":version": version}}
	}
	x.check(KeyOf(item), c)
}

func (x *Tx) check(key Item, c Condition) {
	x.items = append(x.items, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName:                 &x.table.name,
		Key:                       key,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Delete deletes an entity on the condition that it exists.
func (x *Tx) Delete(e Entity) { x.delete(e, exists()) }

// DeleteIfExists deletes an entity. It does nothing if the entity does not exist.
func (x *Tx) DeleteIfExists(e Entity) { x.delete(e, Condition{}) }

// DeleteVersion deletes an entity on the condition that it has the given version.
func (x *Tx) DeleteVersion(e Entity, version int) { x.delete(e, hasVersion(version)) }

// DeleteWith deletes an entity on a condition.
func (x *Tx) DeleteWith(e Entity, c Condition) { x.delete(e, c) }

func (x *Tx) delete(e Entity, c Condition) {
	key := x.key(e)
	x.wrote(e.EntityType(), key)
	x.items = append(x.items, types.TransactWriteItem{Delete: &types.Delete{
		TableName:                 &x.table.name,
		Key:                       key,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Update adds an update of an entity's item with an update expression and a condition. The
// expression can use the names and values of the condition.
func (x *Tx) Update(e Entity, expression string, c Condition) {
	key := x.key(e)
	x.wrote(e.EntityType(), key)
	x.items = append(x.items, types.TransactWriteItem{Update: &types.Update{
		TableName:                 &x.table.name,
		Key:                       key,
		UpdateExpression:          &expression,
		ConditionExpression:       c.expression(),
		ExpressionAttributeNames:  c.Names,
		ExpressionAttributeValues: c.Values,
	}})
}

// Merge adds a write of an entity. The write adds the numbers in counts to attributes and 1
// to the Version, and sets all other attributes. If an item with the same key exists, the
// attributes whose names are in the argument same must equal those of the entity; otherwise
// Commit returns Conflict.
func (x *Tx) Merge(e Entity, same []string, counts map[string]int) {
	item, err := x.table.schema.Encode(e, x.shards)
	if err != nil {
		x.Fail(err)
		return
	}
	c := isAbsent()
	c.Names, c.Values = maps.Clone(c.Names), Item{}
	var set, add, equal []string
	counts = maps.Clone(counts)
	counts[AttrVersion] = 1
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if _, counted := counts[name]; counted || name == AttrPK || name == AttrSK {
			continue
		}
		n := strconv.Itoa(len(set))
		c.Names["#a"+n], c.Values[":a"+n] = name, item[name]
		set = append(set, "#a"+n+" = :a"+n)
		if slices.Contains(same, name) {
			equal = append(equal, "#a"+n+" = :a"+n)
		}
	}
	for i, name := range slices.Sorted(maps.Keys(counts)) {
		n := strconv.Itoa(i)
		c.Names["#n"+n], c.Values[":n"+n] = name, NumberValue(strconv.Itoa(counts[name]))
		add = append(add, "#n"+n+" :n"+n)
	}
	c.Expression += " OR (" + strings.Join(equal, " AND ") + ")"
	x.Update(e, "SET "+strings.Join(set, ", ")+" ADD "+strings.Join(add, ", "), c)
}

// MaxCount is the limit of counts. Add does not change a count that is above MaxCount
// or below -MaxCount. The limit is far below the maximum of an int.
const MaxCount = 1_000_000_000_000_000_000

// Addition describes a change that Tx.Add makes to an item.
type Addition struct {
	Existing bool              // the item must exist; otherwise Add creates it
	Set      Item              // attributes to set
	Remove   []string          // attributes to remove
	Absent   []string          // attributes that must not exist; if one does, Commit returns Conflict
	Counts   map[string]int    // numbers to add to Count attributes, by name
	Sums     map[string]string // decimal numbers to add to attributes, by name
}

// Add adds numbers to attributes of an item, and 1 to its Version, without reading
// the item first. It does not check the Version, so concurrent additions do not
// conflict. A missing number counts as 0. Commit returns Invalid if a count is
// above MaxCount or below -MaxCount, or if a sum would have more than the 38 digits
// that DynamoDB stores.
func (x *Tx) Add(e Entity, a Addition) {
	c := Condition{
		Names:  map[string]string{"#Version": AttrVersion},
		Values: Item{":Version": NumberValue("1"), ":most": NumberValue(strconv.Itoa(MaxCount)), ":least": NumberValue(strconv.Itoa(-MaxCount))},
	}
	var set, add, remove, conditions []string
	for _, name := range slices.Sorted(maps.Keys(a.Set)) {
		c.Names["#"+name], c.Values[":"+name] = name, a.Set[name]
		set = append(set, "#"+name+" = :"+name)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Sums)) {
		c.Names["#"+name], c.Values[":"+name] = name, NumberValue(a.Sums[name])
		add = append(add, "#"+name+" :"+name)
	}
	counts := map[string]int{AttrVersion: 1}
	maps.Copy(counts, a.Counts)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c.Names["#"+name], c.Values[":"+name] = name, NumberValue(strconv.Itoa(counts[name]))
		add = append(add, "#"+name+" :"+name)
		conditions = append(conditions, "(attribute_not_exists(#"+name+") OR #"+name+" BETWEEN :least AND :most)")
	}
	if a.Existing {
		c.Names["#PK"] = AttrPK
		conditions = append(conditions, "attribute_exists(#PK)")
	}
	for _, name := range a.Absent {
		c.Names["#"+name] = name
		conditions = append(conditions, "attribute_not_exists(#"+name+")")
	}
	c.Expression = strings.Join(conditions, " AND ")
	expression := "ADD " + strings.Join(add, ", ")
	for _, name := range a.Remove {
		c.Names["#"+name] = name
		remove = append(remove, "#"+name)
	}
	if len(remove) > 0 {
		expression += " REMOVE " + strings.Join(remove, ", ")
	}
	if len(set) > 0 {
		expression = "SET " + strings.Join(set, ", ") + " " + expression
	}
	x.Update(e, expression, c)
	if len(a.Absent) == 0 { // otherwise, the failed condition may be that of Absent; see isOverflow
		x.items[len(x.items)-1].Update.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	}
}

func (x *Tx) key(e Entity) Item {
	item, err := x.table.schema.Encode(e, x.shards)
	if err != nil {
		x.Fail(err)
		return nil
	}
	return KeyOf(item)
}

// Commit writes everything or nothing. It returns Conflict if a condition failed,
// Busy if the table is throttled, and Invalid if there are more than MaxLen actions.
// It returns Unconfirmed if a response was lost and the outcome is unknown.
//
// Commit repeats a transaction that conflicts with a concurrent one or whose response
// is lost. All tries have the same request token, so the transaction is applied at
// most once. DynamoDB remembers a token for ten minutes. Commit does not repeat large
// transactions.
func (x *Tx) Commit(ctx context.Context) error {
	if len(x.items) > x.MaxLen() {
		x.Fail(Errorf(Invalid, "This change is too large: it has %d items, and at most %d are possible.", len(x.items), x.MaxLen()))
	}
	if x.err != nil {
		return x.err
	}
	transact := x.table.transact
	if len(x.items) > MaxActions {
		transact = x.table.transactLarge
	}
	units, err := transact(ctx, x.items)
	if err == nil {
		x.record(ctx, units)
	}
	return err
}

// transact commits a transaction and returns the consumed write capacity units.
func (t *Table) transact(ctx context.Context, items []types.TransactWriteItem) (consumed float64, err error) {
	in := &dynamodb.TransactWriteItemsInput{
		TransactItems:          items,
		ClientRequestToken:     aws.String(rand.Text()),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	var sent attempts
	err = tableBackoff.Retry(ctx, IsTransient, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := t.db.TransactWriteItems(ctx, in, sent.observe)
		sent.add(err)
		if err == nil {
			for i := range out.ConsumedCapacity {
				consumed += units(&out.ConsumedCapacity[i])
			}
			t.meterWrites(ctx, items, consumed)
		}
		return t.wrapCancelled(err, items)
	})
	return consumed, sent.explain(ctx, err)
}

// transactLarge commits a transaction of more than MaxActions actions. Unlike transact, it
// does not retry. Only the embedded engine has such transactions, and it reports no
// consumed capacity for them.
func (t *Table) transactLarge(ctx context.Context, items []types.TransactWriteItem) (consumed float64, err error) {
	var sent attempts
	err = t.db.(LargeTransactor).TransactLarge(ctx, items)
	sent.add(err)
	return 0, sent.explain(ctx, t.wrapCancelled(err, items))
}

// wrapCancelled returns the error of a cancelled transaction. Its kind depends on the
// cancellation reasons.
func (t *Table) wrapCancelled(err error, items []types.TransactWriteItem) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return t.wrap(err)
	}
	kind := Internal
	for i, reason := range cancelled.CancellationReasons {
		if isOverflow(reason, items[i].Update) {
			return &Error{Kind: Invalid, Message: "A count or total would become too large. Nothing was changed.", Err: err}
		}
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			return &Error{Kind: Conflict, Message: ConflictMessage, Err: err}
		case "TransactionConflict":
			kind = Busy
			if t.conflicted != nil && isAddition(items[i].Update) {
				t.conflicted()
			}
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			kind = Busy
		}
	}
	if kind == Busy {
		return &Error{Kind: Busy, Message: busyMessage, Err: err}
	}
	return err
}

// OnConflict makes the table call a function when a transaction with an addition is
// cancelled because another transaction is writing the same item. The function must
// be safe for concurrent use. Call OnConflict before the first request.
func (t *Table) OnConflict(conflicted func()) { t.conflicted = conflicted }

// isOverflow reports whether an addition failed because a number is at its limit. DynamoDB
// itself rejects sums with too many digits. Add asks DynamoDB for the item of a failed
// condition only if an existing item can fail no other condition. A cancellation reason that
// contains an item therefore means that a count was at its limit.
func isOverflow(reason types.CancellationReason, update *types.Update) bool {
	if !isAddition(update) {
		return false
	}
	code := aws.ToString(reason.Code)
	return code == "ValidationError" || code == "ConditionalCheckFailed" && len(reason.Item) > 0
}

// isAddition reports whether Tx.Add added the action, without Addition.Absent.
func isAddition(update *types.Update) bool {
	return update != nil && update.ReturnValuesOnConditionCheckFailure == types.ReturnValuesOnConditionCheckFailureAllOld
}

// ConditionFailed reports whether err is a Conflict from a failed condition of a
// transaction. Rules that are checked before the write also return Conflict.
func ConditionFailed(err error) bool {
	return KindOf(err) == Conflict && errors.As(err, new(*types.TransactionCanceledException))
}
