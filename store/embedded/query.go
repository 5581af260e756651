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
	"stockroom/store/row"
)

func (db *DB) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return db.queryExcept(ctx, in, nil)
}

// QueryRows is like Query, but returns rows instead of items.
func (db *DB) QueryRows(ctx context.Context, in *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error) {
	q, err := newQuery(in)
	if err != nil {
		return nil, nil, err
	}
	q.asRows = true
	out, err := db.runQuery(ctx, q, in)
	return q.rows, out, err
}

func (db *DB) queryExcept(ctx context.Context, in *dynamodb.QueryInput, hidden func(key Item) bool) (*dynamodb.QueryOutput, error) {
	q, err := newQuery(in)
	if err != nil {
		return nil, err
	}
	q.hidden = hidden
	return db.runQuery(ctx, q, in)
}

func (db *DB) runQuery(ctx context.Context, q *query, in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	err := db.view(ctx, func(r *readTx) error {
		if err := q.resolve(r.catalog, *in.TableName, in.IndexName, &q.selection); err != nil {
			return err
		}
		if err := q.setRange(in.ExclusiveStartKey); err != nil {
			return err
		}
		return q.read(ctx, r.bolt)
	})
	if err != nil {
		return nil, err
	}
	consumed := q.consumedUnits(q.consistent)
	return &dynamodb.QueryOutput{
		Items: q.items, Count: int32(q.count), ScannedCount: int32(q.scanned), LastEvaluatedKey: q.lastKey,
		ConsumedCapacity: consumed.report(in.ReturnConsumedCapacity, capacityCombined),
	}, nil
}

// query is a parsed Query request, with the page that it reads.
type query struct {
	page
	selection
	condition     *expr.KeyCondition
	keyConditions int // number of legacy KeyConditions
}

// selection contains the parameters that Query and Scan have in common.
type selection struct {
	mode       types.Select
	consistent bool
}

func newQuery(in *dynamodb.QueryInput) (*query, error) {
	var c constraints
	c.tableName(in.TableName)
	if in.IndexName != nil {
		c.name(in.IndexName, "indexName", minNameLen)
	}
	if in.Limit != nil && *in.Limit < 1 { // the message differs from that of Scan
		c.broken = append(c.broken, "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.Select, "select", selects)
	enum(&c, in.ConditionalOperator, "conditionalOperator", conditionalOperators)
	c.conditions(in.QueryFilter, "queryFilter")
	c.conditions(in.KeyConditions, "keyConditions")
	if err := c.err(); err != nil {
		return nil, err
	}
	e := expressions{
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		parameters: []parameter{
			{"ProjectionExpression", in.ProjectionExpression != nil},
			{"FilterExpression", in.FilterExpression != nil},
			{"KeyConditionExpression", in.KeyConditionExpression != nil},
		},
		legacy: []parameter{
			{attributesToGet, in.AttributesToGet != nil},
			{queryFilter, in.QueryFilter != nil},
			{conditionalOperator, in.ConditionalOperator != ""},
			{keyConditions, in.KeyConditions != nil && in.KeyConditionExpression != nil},
		},
		conditional: in.ConditionalOperator, conditions: len(in.QueryFilter),
	}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	q := &query{selection: selection{in.Select, consistent(in.ConsistentRead)}}
	hasLegacyShape := in.AttributesToGet != nil || in.QueryFilter != nil
	if hasLegacyShape {
		if q.shape, err = parseLegacyShape(in.AttributesToGet, in.QueryFilter, in.ConditionalOperator); err != nil {
			return nil, err
		}
	}
	if in.KeyConditionExpression == nil && in.KeyConditions == nil {
		return nil, invalidf("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	if in.KeyConditions != nil {
		if q.condition, err = parseKeyConditions(in.KeyConditions); err != nil {
			return nil, err
		}
	} else if q.condition, err = scope.KeyCondition(*in.KeyConditionExpression); err != nil {
		return nil, invalid(err)
	}
	if !hasLegacyShape {
		if q.shape, err = parseShape(scope, in.ProjectionExpression, in.FilterExpression); err != nil {
			return nil, err
		}
	}
	if err := checkUnused(scope); err != nil {
		return nil, err
	}
	q.keyConditions = len(in.KeyConditions)
	q.limit = int(aws.ToInt32(in.Limit))
	q.backward = in.ScanIndexForward != nil && !*in.ScanIndexForward
	return q, q.checkSelect(&q.page)
}

// checkSelect checks that Select and the projection are compatible. It also sets
// p.countOnly.
func (s *selection) checkSelect(p *page) error {
	projection := p.shape.projection
	p.countOnly = s.mode == types.SelectCount
	switch {
	case s.mode == types.SelectSpecificAttributes && projection == nil:
		return invalidf("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case projection == nil, s.mode == "", s.mode == types.SelectSpecificAttributes:
		return nil
	}
	parameter, choice := "ProjectionExpression", string(s.mode)
	if p.shape.legacy {
		parameter = attributesToGet
	}
	if p.countOnly {
		choice = "only the Count"
	}
	return invalidf("Cannot specify the %s when choosing to get %s", parameter, choice)
}

func (p *page) resolve(c *catalog, table string, indexName *string, s *selection) error {
	var err error
	if p.table, err = c.table(table); err != nil {
		return err
	}
	if indexName == nil {
		if s.mode == types.SelectAllProjectedAttributes {
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
	if p.index.Backfilling {
		return invalidf("Cannot read from backfilling global secondary index: %s", p.index.Name)
	}
	return p.checkProjected(s)
}

// checkProjected checks that the index projects all requested attributes. If it does
// not, checkProjected returns an error for a global index, and sets fetchItems for a
// local index.
func (p *page) checkProjected(s *selection) error {
	if p.index.projected == nil {
		return nil
	}
	if s.mode == types.SelectAllAttributes && !p.index.Local {
		return invalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", p.index.Name)
	}
	var missing []string
	for _, name := range p.shape.attributes {
		if !p.index.projected[name] && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 && !p.index.Local {
		slices.Sort(missing)
		return invalidParameter("Global secondary index %s does not project [%s]", p.index.Name, strings.Join(missing, ", "))
	}
	p.fetchItems = p.index.Local && (len(missing) > 0 || s.mode == types.SelectAllAttributes)
	return nil
}

// schema returns the key schema of the index, or of the table if the page has no index.
func (p *page) schema() *keySchema {
	if p.index != nil {
		return &p.index.Key
	}
	return &p.table.Key
}

func (q *query) setRange(exclusiveStart Item) error {
	schema := q.schema()
	var partition []byte
	var keyRange expr.KeyRange
	var err error
	switch {
	case schema.isMulti():
		partition, keyRange, err = q.multiRange(schema)
	case q.keyConditions > maxKeyElements:
		err = errConditionCount()
	default:
		partition, keyRange, err = q.simpleRange(schema)
	}
	if err == nil {
		err = q.checkFilter(schema)
	}
	if err != nil {
		return err
	}
	if q.start, q.end, err = sortRange(partition, keyRange); err != nil {
		return invalid(err)
	}
	if exclusiveStart == nil {
		return nil
	}
	if q.after, err = q.startKey(exclusiveStart); err != nil {
		return err
	}
	if !bytes.HasPrefix(q.after, partition) {
		return invalidf("The provided starting key is outside query boundaries based on provided conditions")
	}
	if bytes.Compare(q.after, q.start) < 0 || bytes.Compare(q.after, q.end) >= 0 {
		return invalidf("The provided starting key does not match the range key predicate")
	}
	return nil
}

// simpleRange applies the key condition to a key schema. It returns the encoded
// partition key.
func (q *query) simpleRange(schema *keySchema) (partition []byte, keyRange expr.KeyRange, err error) {
	if keyRange, err = q.condition.Bind(schema.Partition.Name, schema.Sort.Name); err != nil {
		return nil, keyRange, invalid(err)
	}
	if err := checkKeyValue(schema.Partition, keyRange.Partition); err != nil {
		return nil, keyRange, err
	}
	if err := checkSortValues(schema.Sort, keyRange); err != nil {
		return nil, keyRange, err
	}
	if err := checkKeyLengths(keyLength(keyRange.Partition), sortLength(keyRange)); err != nil {
		return nil, keyRange, err
	}
	if partition, err = codec.AppendPartitionKey(make([]byte, 0, 64), keyRange.Partition); err != nil {
		return nil, keyRange, invalid(err)
	}
	return partition, keyRange, nil
}

// multiRange is like simpleRange, for a key with several attributes. The returned prefix
// contains the partition key, and the sort key attributes that the condition compares for
// equality. The range applies to the next sort key attribute.
func (q *query) multiRange(schema *keySchema) (prefix []byte, keyRange expr.KeyRange, err error) {
	partition, sort := schema.partition(), schema.sort()
	keyRange, values, err := q.condition.BindMulti(namesOf(partition), namesOf(sort))
	if err != nil {
		return nil, keyRange, invalid(err)
	}
	lengths := [2]int{1: sortLength(keyRange)} // of the partition key and the sort key
	for i, value := range values {
		attribute, appendKey := keyAttribute{}, codec.AppendPartitionKey
		if i < len(partition) {
			attribute = partition[i]
			lengths[0] += keyLength(value)
		} else {
			attribute, appendKey = sort[i-len(partition)], codec.AppendSortKey
			lengths[1] += keyLength(value)
		}
		if err := checkKeyValue(attribute, value); err != nil {
			return nil, keyRange, err
		}
		if prefix, err = appendKey(prefix, value); err != nil {
			return nil, keyRange, invalid(err)
		}
	}
	if err := checkKeyLengths(lengths[0], lengths[1]); err != nil {
		return nil, keyRange, err
	}
	if keyRange.Op == expr.SortAny {
		return prefix, keyRange, nil
	}
	return prefix, keyRange, checkSortValues(sort[len(values)-len(partition)], keyRange)
}

// sortLength returns the length of the longest value in the condition on the sort key.
func sortLength(keyRange expr.KeyRange) int {
	return max(keyLength(keyRange.Sort), keyLength(keyRange.Upper))
}

func checkSortValues(attribute keyAttribute, keyRange expr.KeyRange) error {
	for _, value := range []types.AttributeValue{keyRange.Sort, keyRange.Upper} {
		if value == nil {
			continue
		}
		if err := checkKeyValue(attribute, value); err != nil {
			return err
		}
	}
	return nil
}

// checkFilter returns an error if the filter refers to a key attribute.
func (q *query) checkFilter(schema *keySchema) error {
	if q.shape.filter == nil {
		return nil
	}
	for reference := range q.shape.filter.References() {
		if slices.Contains(schema.names(), reference.Attribute) {
			parameter := "Filter Expression"
			if q.shape.legacy {
				parameter = queryFilter
			}
			return invalidf("%s can only contain non-primary key attributes: Primary key attribute: %s", parameter, reference.Attribute)
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

// usualSortKey is a length in bytes that few encoded sort keys exceed.
const usualSortKey = 64

// sortRange returns the range of keys in a partition that match a condition on the sort
// key, from start up to but not including end. Encoded sort keys end in a terminator, so
// the range also covers index entries, whose keys continue with the table key.
func sortRange(partition []byte, r expr.KeyRange) (start, end []byte, err error) {
	key := func(appendSort func([]byte, types.AttributeValue) ([]byte, error), value types.AttributeValue) []byte {
		if err != nil {
			return nil
		}
		var built []byte
		built, err = appendSort(append(make([]byte, 0, len(partition)+usualSortKey), partition...), value)
		return built
	}
	exact := func(value types.AttributeValue) []byte { return key(codec.AppendSortKey, value) }
	beyond := func(value types.AttributeValue) []byte { return codec.After(exact(value)) }
	start, end = partition, codec.After(bytes.Clone(partition))
	switch r.Op {
	case expr.SortEqual:
		start, end = exact(r.Sort), beyond(r.Sort)
	case expr.SortLess:
		end = exact(r.Sort)
	case expr.SortLessEqual:
		end = beyond(r.Sort)
	case expr.SortGreater:
		start = beyond(r.Sort)
	case expr.SortGreaterEqual:
		start = exact(r.Sort)
	case expr.SortBetween:
		start, end = exact(r.Sort), beyond(r.Upper)
	case expr.SortBeginsWith:
		start = key(codec.AppendSortKeyPrefix, r.Sort)
		end = codec.After(bytes.Clone(start))
	}
	return start, end, err
}

func (p *page) startKey(exclusiveStart Item) ([]byte, error) {
	exclusiveStart, err := normalizeItem(exclusiveStart)
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
		value := exclusiveStart[key.Name]
		if expr.TypeOf(value) != string(key.Type) || emptyKind(value) != "" {
			return nil, errStartKey()
		}
	}
	if len(names) != len(exclusiveStart) {
		return nil, errStartKey()
	}
	if p.table.Key.checkLengths(exclusiveStart) != nil || p.index != nil && p.index.Key.checkLengths(exclusiveStart) != nil {
		return nil, errStartKey()
	}
	var key []byte
	if p.index != nil {
		if key, err = p.index.Key.append(nil, exclusiveStart); err != nil {
			return nil, invalid(err)
		}
	}
	if key, err = p.table.Key.append(key, exclusiveStart); err != nil {
		return nil, invalid(err)
	}
	return key, nil
}

func errStartKey() error {
	return invalidf("The provided starting key is invalid")
}
