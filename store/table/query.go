package table

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
)

// Get returns the item that a GetItem pattern finds, or NotFound. Before a change of the
// item, use a consistent read, which costs twice the read units.
func (t *Table) Get(ctx context.Context, p *Pattern, values key.Values, consistent bool) (Row, error) {
	began := time.Now()
	c, err := p.Condition(values)
	if err != nil {
		return nil, err
	}
	found, out, err := t.getItem(ctx, p, &dynamodb.GetItemInput{
		TableName:      &t.name,
		Key:            Key(c.PK, c.SK),
		ConsistentRead: &consistent,
	})
	if err != nil {
		return nil, t.wrap(err)
	}
	read := Read{Pattern: p, Condition: c, Shards: 1, Requests: 1, Units: units(out.ConsumedCapacity), Took: time.Since(began)}
	if found == nil {
		t.trace(ctx, read, nil)
		return nil, Errorf(NotFound, "Not found.")
	}
	read.Items = 1
	t.trace(ctx, read, []Row{found})
	return found, nil
}

// GetKey consistently reads the item with this primary key. It returns nil if there
// is no such item.
func (t *Table) GetKey(ctx context.Context, key Item) (Item, error) {
	found, _, err := t.getItem(ctx, nil, &dynamodb.GetItemInput{TableName: &t.name, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil || found == nil {
		return nil, t.wrap(err)
	}
	return found.Item(), nil
}

// Partition returns all rows that a pattern finds in one partition. Use it for
// partitions whose size is bounded, such as the partition of an order.
func (t *Table) Partition(ctx context.Context, p *Pattern, values key.Values, consistent bool) ([]Row, error) {
	began := time.Now()
	c, err := p.Condition(values)
	if err != nil {
		return nil, err
	}
	read := Read{Pattern: p, Condition: c, Shards: 1}
	in := t.queryInput(p, c, p.Newest, false)
	in.ConsistentRead = &consistent
	var rows []Row
	err = t.eachResponse(ctx, p, in, func(some []Row, out *dynamodb.QueryOutput) {
		read.Requests++
		read.Units += units(out.ConsumedCapacity)
		rows = append(rows, some...)
	})
	if err != nil {
		return nil, err
	}
	read.Items, read.Took = len(rows), time.Since(began)
	rows, err = t.showChanges(ctx, p, c, rows)
	if err != nil {
		return nil, err
	}
	t.trace(ctx, read, rows)
	return rows, nil
}

// Count returns the number of items that a pattern finds in one partition. The trace
// does not show this read.
func (t *Table) Count(ctx context.Context, p *Pattern, values key.Values) (int, error) {
	c, err := p.Condition(values)
	if err != nil {
		return 0, err
	}
	in := t.queryInput(p, c, p.Newest, false)
	in.Select, in.ProjectionExpression = types.SelectCount, nil
	count := 0
	err = t.eachResponse(ctx, p, in, func(_ []Row, out *dynamodb.QueryOutput) { count += int(out.Count) })
	return count, err
}

// eachResponse queries a partition to its end, and calls visit with each response.
func (t *Table) eachResponse(ctx context.Context, p *Pattern, in *dynamodb.QueryInput, visit func([]Row, *dynamodb.QueryOutput)) error {
	for {
		rows, out, err := t.query(ctx, p, in)
		if err != nil {
			return t.wrap(err)
		}
		visit(rows, out)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return nil
		}
	}
}

// Request is one Query request.
type Request struct {
	Pattern    *Pattern
	Values     key.Values
	Limit      int
	Consistent bool
	From       Item // the key after which to start; nil means at the beginning
	Reverse    bool // use the opposite of the pattern's order
}

// QueryOnce makes a single request. It returns the rows and the key where the next
// request starts, or nil at the end.
func (t *Table) QueryOnce(ctx context.Context, r Request) (rows []Row, next Item, err error) {
	began := time.Now()
	c, err := r.Pattern.Condition(r.Values)
	if err != nil {
		return nil, nil, err
	}
	in := t.queryInput(r.Pattern, c, r.Pattern.Newest != r.Reverse, false)
	in.Limit, in.ConsistentRead, in.ExclusiveStartKey = aws.Int32(int32(r.Limit)), &r.Consistent, r.From
	rows, out, err := t.query(ctx, r.Pattern, in)
	if err != nil {
		return nil, nil, t.wrap(err)
	}
	read := Read{Pattern: r.Pattern, Condition: c, Shards: 1, Requests: 1, Units: units(out.ConsumedCapacity), Items: len(rows), Took: time.Since(began)}
	t.trace(ctx, read, nil)
	if len(out.LastEvaluatedKey) == 0 {
		return rows, nil, nil
	}
	return rows, out.LastEvaluatedKey, nil
}

// QueryAll reads several small partitions in parallel, with one request for each. It
// returns the partitions in no particular order. The trace shows them as one read with the
// given number of shards.
func (t *Table) QueryAll(ctx context.Context, p *Pattern, values []key.Map, shards int) ([]Row, error) {
	rows, _, err := t.queryEach(ctx, p, values, shards, nil)
	return rows, err
}

// QueryFirst reads the first items of several partitions in parallel, with one request for
// each partition. The argument limit is the maximum number of items of each partition. The
// result more reports whether a partition has further items.
func (t *Table) QueryFirst(ctx context.Context, p *Pattern, values []key.Map, limit int) (rows []Row, more bool, err error) {
	return t.queryEach(ctx, p, values, len(values), aws.Int32(int32(limit)))
}

func (t *Table) queryEach(ctx context.Context, p *Pattern, values []key.Map, shards int, limit *int32) (rows []Row, more bool, err error) {
	began := time.Now()
	read := Read{Pattern: p, Shards: shards}
	conditions := make([]KeyCondition, len(values))
	for i := range values {
		var err error
		if conditions[i], err = p.Condition(values[i]); err != nil {
			return nil, false, err
		}
	}
	if len(conditions) > 0 {
		read.Condition = conditions[0]
	}
	var mu sync.Mutex
	group, groupCtx := errgroup.WithContext(ctx)
	for _, c := range conditions {
		group.Go(func() error {
			in := t.queryInput(p, c, p.Newest, false)
			in.Limit = limit
			some, out, err := t.query(groupCtx, p, in)
			if err != nil {
				return t.wrap(err)
			}
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, some...)
			more = more || len(out.LastEvaluatedKey) > 0
			read.Requests++
			read.Items += len(some)
			read.Units += units(out.ConsumedCapacity)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	read.Took = time.Since(began)
	t.trace(ctx, read, rows)
	return rows, more, nil
}

// queryInput returns a Query of one partition. Queries of a pattern share the
// expression and the attribute names. keysOnly requests only the keys of the items.
func (t *Table) queryInput(p *Pattern, c KeyCondition, descending, keysOnly bool) *dynamodb.QueryInput {
	// Allocate all parts of the request at once.
	var memory struct {
		in         dynamodb.QueryInput
		pk, sk, to types.AttributeValueMemberS
		ascending  bool
	}
	values := make(Item, 3)
	memory.pk.Value, memory.sk.Value, memory.to.Value = c.PK, c.SK, c.To
	values[":pk"] = &memory.pk
	of := &p.withSK
	if c.Operator == "" {
		of = &p.withoutSK
	} else {
		values[":sk"] = &memory.sk
	}
	if c.Operator == opBetween {
		values[":to"] = &memory.to
	}
	request := &of.request
	if keysOnly {
		request = &of.keys
	}
	memory.ascending = !descending
	memory.in = dynamodb.QueryInput{
		TableName:                 &t.name,
		KeyConditionExpression:    &request.expression,
		ProjectionExpression:      request.projection,
		ExpressionAttributeNames:  request.names,
		ExpressionAttributeValues: values,
		ScanIndexForward:          &memory.ascending,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if p.Index != TableIndex {
		memory.in.IndexName = &p.Index
	}
	return &memory.in
}

func units(capacity *types.ConsumedCapacity) float64 {
	if capacity == nil || capacity.CapacityUnits == nil {
		return 0
	}
	return *capacity.CapacityUnits
}

// scanSegments is the number of segments of a parallel scan.
const scanSegments = 4

// Scan reads the whole table in no particular order. It calls visit with the items of
// each response, from several goroutines. If an item changes during the scan, visit gets
// its old or its new version. Scan is expensive: it uses read units for each item of the
// table.
func (t *Table) Scan(ctx context.Context, visit func([]Item) error) error {
	group, ctx := errgroup.WithContext(ctx)
	if t.CanBulkLoad() {
		// The embedded engine would read the whole file for each segment, so only one goroutine
		// reads.
		group.SetLimit(1 + scanSegments)
		group.Go(func() error {
			return t.scanSegment(ctx, 0, 1, func(items []Item) error {
				group.Go(func() error { return visit(items) })
				return ctx.Err()
			})
		})
		return group.Wait()
	}
	for segment := range int32(scanSegments) {
		group.Go(func() error { return t.scanSegment(ctx, segment, scanSegments, visit) })
	}
	return group.Wait()
}

func (t *Table) scanSegment(ctx context.Context, segment, segments int32, visit func([]Item) error) error {
	in := &dynamodb.ScanInput{TableName: &t.name, Segment: &segment, TotalSegments: &segments, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	for {
		out, err := t.db.Scan(ctx, in)
		if err != nil {
			return t.wrap(err)
		}
		t.meterScan(ctx, out)
		if err := visit(out.Items); err != nil {
			return err
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return ctx.Err()
		}
	}
}
