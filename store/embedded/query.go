package embedded

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// Query is DynamoDB's Query.
func (db *DB) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	q, err := newQuery(in)
	if err != nil {
		return nil, err
	}
	err = db.view(ctx, func(r *readTx) error {
		if err := q.choose(r.catalog, *in.TableName, in.IndexName); err != nil {
			return err
		}
		if err := q.narrow(in.ExclusiveStartKey); err != nil {
			return err
		}
		return q.read(r.bolt)
	})
	if err != nil {
		return nil, err
	}
	charged := q.charge(q.consistent)
	return &dynamodb.QueryOutput{
		Items: q.items, Count: int32(q.count), ScannedCount: int32(q.scanned), LastEvaluatedKey: q.last,
		ConsumedCapacity: charged.report(in.ReturnConsumedCapacity, capacityPlain),
	}, nil
}

// query is a Query that is parsed, and the page it reads.
type query struct {
	page
	selection
	condition *expr.KeyCondition
}

// selection is what Query and Scan have in common in their requests.
type selection struct {
	selects    types.Select
	consistent bool
}

func newQuery(in *dynamodb.QueryInput) (*query, error) {
	var c constraints
	c.tableName(in.TableName)
	if in.IndexName != nil {
		c.name(in.IndexName, "indexName", shortestName)
	}
	if in.Limit != nil && *in.Limit < 1 { // in other words than those of Scan
		c.broken = append(c.broken, "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.Select, "select", selects)
	if err := c.err(); err != nil {
		return nil, err
	}
	e := expressions{
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		parameters: []parameter{
			{"KeyConditionExpression", in.KeyConditionExpression != nil},
			{"FilterExpression", in.FilterExpression != nil},
			{"ProjectionExpression", in.ProjectionExpression != nil},
		},
		legacy: []parameter{
			{"AttributesToGet", in.AttributesToGet != nil},
			{"QueryFilter", in.QueryFilter != nil},
			{"ConditionalOperator", in.ConditionalOperator != ""},
			{"KeyConditions", in.KeyConditions != nil},
		},
	}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	if in.KeyConditionExpression == nil {
		return nil, invalidf("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	q := &query{selection: selection{in.Select, consistent(in.ConsistentRead)}}
	if q.condition, err = scope.KeyCondition(*in.KeyConditionExpression); err != nil {
		return nil, invalid(err)
	}
	if q.shape, err = shapeOf(scope, in.ProjectionExpression, in.FilterExpression); err != nil {
		return nil, err
	}
	if err := unused(scope); err != nil {
		return nil, err
	}
	q.limit = int(aws.ToInt32(in.Limit))
	q.backward = in.ScanIndexForward != nil && !*in.ScanIndexForward
	return q, q.checkSelect(&q.page)
}

// checkSelect holds Select against the projection.
func (s *selection) checkSelect(p *page) error {
	projection := p.shape.projection
	p.countOnly = s.selects == types.SelectCount
	switch {
	case s.selects == types.SelectSpecificAttributes && projection == nil:
		return invalidf("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case projection == nil, s.selects == "", s.selects == types.SelectSpecificAttributes:
		return nil
	}
	if p.countOnly {
		return invalidf("Cannot specify the ProjectionExpression when choosing to get only the Count")
	}
	return invalidf("Cannot specify the ProjectionExpression when choosing to get %s", s.selects)
}

// choose finds table and index, and whether the index has what is asked for.
func (q *query) choose(c *catalog, table string, indexName *string) error {
	return q.page.choose(c, table, indexName, &q.selection)
}

func (p *page) choose(c *catalog, table string, indexName *string, s *selection) error {
	var err error
	if p.table, err = c.table(table); err != nil {
		return err
	}
	if indexName == nil {
		if s.selects == types.SelectAllProjectedAttributes {
			return invalidf("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
		}
		return nil
	}
	var found bool
	if p.index, found = p.table.index(*indexName); !found {
		return invalidf("The table does not have the specified index: %s", *indexName)
	}
	if !p.index.Local && s.consistent {
		return invalidf("Consistent reads are not supported on global secondary indexes")
	}
	if p.index.Filling {
		return invalidf("Cannot read from backfilling global secondary index: %s", p.index.Name)
	}
	return p.checkProjected(s)
}

// checkProjected refuses to ask a global index for what it does not project; a
// local one has it fetched from the table.
func (p *page) checkProjected(s *selection) error {
	if p.index.kept == nil {
		return nil
	}
	if s.selects == types.SelectAllAttributes && !p.index.Local {
		return invalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", p.index.Name)
	}
	var lacking []string
	for _, name := range p.shape.attributes {
		if !p.index.kept[name] && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) > 0 && !p.index.Local {
		slices.Sort(lacking)
		return invalidParameter("Global secondary index %s does not project [%s]", p.index.Name, strings.Join(lacking, ", "))
	}
	p.fetch = p.index.Local && (len(lacking) > 0 || s.selects == types.SelectAllAttributes)
	return nil
}

// schema is the key schema by which the page is ordered.
func (p *page) schema() *keySchema {
	if p.index != nil {
		return &p.index.Key
	}
	return &p.table.Key
}

// narrow makes a range of the key condition.
func (q *query) narrow(start Item) error {
	schema := q.schema()
	asked, err := q.condition.Bind(schema.Partition.Name, schema.Sort.Name)
	if err != nil {
		return invalid(err)
	}
	if err := checkKeyValue(schema.Partition, asked.Hash); err != nil {
		return err
	}
	for _, value := range []types.AttributeValue{asked.Sort, asked.Upto} {
		if value == nil {
			continue
		}
		if err := checkKeyValue(schema.Sort, value); err != nil {
			return err
		}
	}
	if err := q.checkFilter(schema); err != nil {
		return err
	}
	partition, err := codec.AppendPartitionKey(make([]byte, 0, 64), asked.Hash)
	if err != nil {
		return invalid(err)
	}
	if q.from, q.upto, err = sortRange(partition, asked); err != nil {
		return invalid(err)
	}
	if start == nil {
		return nil
	}
	if q.after, err = q.startKey(start); err != nil {
		return err
	}
	if !bytes.HasPrefix(q.after, partition) {
		return invalidf("The provided starting key is outside query boundaries based on provided conditions")
	}
	beyond := bytes.Compare(q.after, q.from) < 0 || bytes.Compare(q.after, q.upto) >= 0
	if beyond {
		return invalidf("The provided starting key does not match the range key predicate")
	}
	return nil
}

// checkFilter refuses a filter on the keys: that is for the key condition.
func (q *query) checkFilter(schema *keySchema) error {
	if q.shape.filter == nil {
		return nil
	}
	for reference := range q.shape.filter.References() {
		if slices.Contains(schema.names(), reference.Attribute) {
			return invalidf("Filter Expression can only contain non-primary key attributes: Primary key attribute: %s", reference.Attribute)
		}
	}
	return nil
}

func checkKeyValue(key keyAttribute, value types.AttributeValue) error {
	if expr.TypeOf(value) != string(key.Type) {
		return invalidParameter("Condition parameter type does not match schema type")
	}
	if empty := emptyKind(value); empty != "" {
		return invalidf("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", empty, key.Name)
	}
	return nil
}

// sortRange makes the range of keys in a partition that a condition on the
// sort key asks for; upto is not in it. Since each sort key ends in a
// terminator, "all keys that begin so" covers what an index has behind it.
func sortRange(partition []byte, asked expr.KeyRange) (from, upto []byte, err error) {
	key := func(appendSort func([]byte, types.AttributeValue) ([]byte, error), value types.AttributeValue) []byte {
		if err != nil {
			return nil
		}
		var built []byte
		built, err = appendSort(bytes.Clone(partition), value)
		return built
	}
	exact := func(value types.AttributeValue) []byte { return key(codec.AppendSortKey, value) }
	beyond := func(value types.AttributeValue) []byte { return codec.After(exact(value)) }
	end := codec.After(bytes.Clone(partition))
	switch asked.Op {
	case expr.SortAny:
		from, upto = partition, end
	case expr.SortEqual:
		from, upto = exact(asked.Sort), beyond(asked.Sort)
	case expr.SortLess:
		from, upto = partition, exact(asked.Sort)
	case expr.SortLessEqual:
		from, upto = partition, beyond(asked.Sort)
	case expr.SortGreater:
		from, upto = beyond(asked.Sort), end
	case expr.SortGreaterEqual:
		from, upto = exact(asked.Sort), end
	case expr.SortBetween:
		from, upto = exact(asked.Sort), beyond(asked.Upto)
	case expr.SortBeginsWith:
		from = key(codec.AppendSortKeyPrefix, asked.Sort)
		upto = codec.After(bytes.Clone(from))
	}
	return from, upto, err
}

// startKey makes the place behind which a page begins of a LastEvaluatedKey.
func (p *page) startKey(start Item) ([]byte, error) {
	start, err := normalized(start)
	if err != nil {
		return nil, err
	}
	expected := p.table.Key.attributes()
	if p.index != nil {
		expected = append(expected, p.index.Key.attributes()...)
	}
	names := make(map[string]bool)
	for _, key := range expected {
		names[key.Name] = true
		value := start[key.Name]
		if expr.TypeOf(value) != string(key.Type) || emptyKind(value) != "" {
			return nil, errStartKey()
		}
	}
	if len(names) != len(start) {
		return nil, errStartKey()
	}
	var key []byte
	if p.index != nil {
		if key, err = p.index.Key.append(nil, start); err != nil {
			return nil, invalid(err)
		}
	}
	if key, err = p.table.Key.append(key, start); err != nil {
		return nil, invalid(err)
	}
	return key, nil
}

func errStartKey() error {
	return invalidf("The provided starting key is invalid")
}
