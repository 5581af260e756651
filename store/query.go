package store

import (
	"context"
	"maps"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// get reads the one item that a GetItem pattern names. Consistent reads cost
// twice the units; what leads to a write asks for one.
func (s *Store) get(ctx context.Context, p *Pattern, values key.Map, consistent bool) (Item, error) {
	began := time.Now()
	pk, sk, err := p.keys(values)
	if err != nil {
		return nil, err
	}
	out, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.table,
		Key: Item{
			attrPK: &types.AttributeValueMemberS{Value: pk},
			attrSK: &types.AttributeValueMemberS{Value: sk.low},
		},
		ConsistentRead:         &consistent,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return nil, s.failure(err)
	}
	read := Read{
		Pattern: p, Condition: Condition{PK: pk, SK: sk.low, Operator: "="}, Shards: 1,
		Requests: 1, Units: units(out.ConsumedCapacity), Took: time.Since(began),
	}
	if out.Item == nil {
		traceOf(ctx).add(read, nil)
		return nil, fail(NotFound, "There is nothing here by that name.")
	}
	read.Items = 1
	traceOf(ctx).add(read, []Item{out.Item})
	return out.Item, nil
}

// readOne is get for an entity; a missing value is a thing that is not there.
func readOne[E Entity](ctx context.Context, s *Store, p *Pattern, values key.Map) (E, error) {
	return readAs[E](s.get(ctx, p, values, false))
}

// readConsistently is readOne for what leads to a write.
func readConsistently[E Entity](ctx context.Context, s *Store, p *Pattern, values key.Map) (E, error) {
	return readAs[E](s.get(ctx, p, values, true))
}

func readAs[E Entity](item Item, err error) (E, error) {
	var none E
	if err != nil {
		return none, err
	}
	entity, err := Decode(item)
	if err != nil {
		return none, err
	}
	e, ok := entity.(E)
	if !ok {
		return none, fail(Damaged, "The item %s is a %s, not a %s.", (&fields{item: item}).key(), entity.EntityType(), none.EntityType())
	}
	return e, nil
}

// partition reads everything that a pattern finds in one partition, for
// partitions whose size a rule bounds, such as one order's.
func (s *Store) partition(ctx context.Context, p *Pattern, values key.Map) ([]Item, error) {
	return s.wholePartition(ctx, p, values, false)
}

func (s *Store) wholePartition(ctx context.Context, p *Pattern, values key.Map, consistent bool) ([]Item, error) {
	began := time.Now()
	pk, sk, err := p.keys(values)
	if err != nil {
		return nil, err
	}
	read := Read{Pattern: p, Condition: sk.condition(pk), Shards: 1}
	in := s.queryInput(p, pk, sk, p.Newest)
	in.ConsistentRead = &consistent
	var items []Item
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return nil, s.failure(err)
		}
		read.Requests++
		read.Units += units(out.ConsumedCapacity)
		items = append(items, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			break
		}
	}
	read.Items, read.Took = len(items), time.Since(began)
	traceOf(ctx).add(read, items)
	return items, nil
}

// queryInput asks for one partition. Expression and names are those of the
// pattern, made once; only the values are new.
func (s *Store) queryInput(p *Pattern, pk string, sk bounds, descending bool) *dynamodb.QueryInput {
	values := make(Item, 3)
	values[":pk"] = &types.AttributeValueMemberS{Value: pk}
	if sk.operator != "" {
		values[":sk"] = &types.AttributeValueMemberS{Value: sk.low}
	}
	if sk.operator == "between" {
		values[":to"] = &types.AttributeValueMemberS{Value: sk.high}
	}
	asked := &p.asked
	if sk.operator == "" {
		asked = &p.whole
	}
	in := &dynamodb.QueryInput{
		TableName:                 &s.table,
		KeyConditionExpression:    &asked.expression,
		ProjectionExpression:      asked.projection,
		ExpressionAttributeNames:  asked.names,
		ExpressionAttributeValues: values,
		ScanIndexForward:          aws.Bool(!descending),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if p.Index != "table" {
		in.IndexName = &p.Index
	}
	return in
}

// shardQuery asks for one shard of a pattern.
func (s *Store) shardQuery(p *Pattern, values key.Map, shard int) (*dynamodb.QueryInput, error) {
	values = maps.Clone(values)
	values["shard"] = strconv.Itoa(shard)
	pk, sk, err := p.keys(values)
	if err != nil {
		return nil, err
	}
	return s.queryInput(p, pk, sk, p.Newest), nil
}

// DynamoDB refuses longer keys, so nothing can lie under one.
const (
	maxPKBytes = 2048
	maxSKBytes = 1024
)

// bounds are a sort condition with its values put in.
type bounds struct{ operator, low, high string }

func (b bounds) condition(pk string) Condition {
	return Condition{PK: pk, SK: b.low, To: b.high, Operator: b.operator}
}

// keys puts the values into the pattern's key condition.
func (p *Pattern) keys(values key.Values) (pk string, sk bounds, err error) {
	pk, missing := p.PK.Render(values)
	if missing == "" && p.SK.operator != "" {
		sk.operator = p.SK.operator
		sk.low, missing = renderBeginning(p.SK, values)
	}
	if missing == "" && p.SK.operator == "between" {
		sk.high, missing = p.SK.high.Render(values)
	}
	if missing != "" {
		return "", bounds{}, fail(NotFound, "There is nothing without a %s.", missing)
	}
	if len(pk) > maxPKBytes || len(sk.low) > maxSKBytes || len(sk.high) > maxSKBytes {
		return "", bounds{}, fail(NotFound, "Nothing has so long a name.")
	}
	if p.SK.operator == "begins_with" && sk.low == "" {
		sk.operator = "" // every key begins with nothing: the whole partition
	}
	return pk, sk, nil
}

// renderBeginning renders the lower bound. A beginning may be empty, as when
// a list by name is asked for every name.
func renderBeginning(c SortCondition, values key.Values) (rendered, missing string) {
	rendered, missing = c.low.Render(values)
	if missing != "" && c.operator == "begins_with" && c.low.String() == "${"+missing+"}" {
		return "", ""
	}
	return rendered, missing
}

func units(capacity *types.ConsumedCapacity) float64 {
	if capacity == nil || capacity.CapacityUnits == nil {
		return 0
	}
	return *capacity.CapacityUnits
}
