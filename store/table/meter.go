package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/row"
)

// Consumption is the capacity that one request to the table consumed.
type Consumption struct {
	Pattern    *Pattern // nil if no access pattern made the request
	ReadUnits  float64
	WriteUnits float64
	Keys       []IndexKey // the partitions that the request read or wrote
}

// IndexKey is a partition key that a request read or wrote, in the table or in an
// index.
type IndexKey struct {
	Index string // TableIndex or the name of an index
	PK    string
}

// Meter makes the table report the capacity of each successful request to a function,
// which must be safe for concurrent use. Call Meter before the first request.
func (t *Table) Meter(consumed func(context.Context, Consumption)) { t.meter = consumed }

func (t *Table) meterReads(ctx context.Context, p *Pattern, pk types.AttributeValue, capacity *types.ConsumedCapacity) {
	if t.meter == nil {
		return
	}
	index := TableIndex
	if p != nil {
		index = p.Index
	}
	t.meter(ctx, Consumption{Pattern: p, ReadUnits: units(capacity), Keys: []IndexKey{{index, textOfValue(pk)}}})
}

func (t *Table) meterBatch(ctx context.Context, p *Pattern, in *dynamodb.BatchGetItemInput, out *dynamodb.BatchGetItemOutput) {
	if t.meter == nil {
		return
	}
	c := Consumption{Pattern: p}
	for i := range out.ConsumedCapacity {
		c.ReadUnits += units(&out.ConsumedCapacity[i])
	}
	for _, item := range in.RequestItems[t.name].Keys {
		c.Keys = append(c.Keys, IndexKey{TableIndex, TextOf(item, AttrPK)})
	}
	t.meter(ctx, c)
}

func (t *Table) meterScan(ctx context.Context, out *dynamodb.ScanOutput) {
	if t.meter != nil {
		t.meter(ctx, Consumption{ReadUnits: units(out.ConsumedCapacity)})
	}
}

// meterWrites reports a transaction. For items that the transaction puts, it also
// reports the index keys.
func (t *Table) meterWrites(ctx context.Context, items []types.TransactWriteItem, written float64) {
	if t.meter == nil {
		return
	}
	c := Consumption{WriteUnits: written, Keys: make([]IndexKey, 0, len(items))}
	for i := range items {
		switch item := &items[i]; {
		case item.Put != nil:
			c.Keys = append(c.Keys, IndexKey{TableIndex, TextOf(item.Put.Item, AttrPK)})
			for n := 1; n <= IndexCount; n++ {
				pk, _ := KeyAttributes(IndexName(n))
				if value := TextOf(item.Put.Item, pk); value != "" {
					c.Keys = append(c.Keys, IndexKey{IndexName(n), value})
				}
			}
		case item.Update != nil:
			c.Keys = append(c.Keys, IndexKey{TableIndex, TextOf(item.Update.Key, AttrPK)})
		case item.Delete != nil:
			c.Keys = append(c.Keys, IndexKey{TableIndex, TextOf(item.Delete.Key, AttrPK)})
		case item.ConditionCheck != nil:
			c.Keys = append(c.Keys, IndexKey{TableIndex, TextOf(item.ConditionCheck.Key, AttrPK)})
		}
	}
	t.meter(ctx, c)
}

func textOfValue(value types.AttributeValue) string {
	text, _ := value.(*types.AttributeValueMemberS)
	if text == nil {
		return ""
	}
	return text.Value
}

// query makes a Query request, and reports its capacity. Use rows instead of out.Items,
// which is empty if the DB is a RowReader.
func (t *Table) query(ctx context.Context, p *Pattern, in *dynamodb.QueryInput) (rows []Row, out *dynamodb.QueryOutput, err error) {
	if in.IndexName == nil && changesBefore(ctx) != nil {
		in.ConsistentRead = aws.Bool(true)
	}
	running, err := enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer running.leave()
	if reader, ok := t.db.(RowReader); ok {
		var found []row.Row
		found, out, err = reader.QueryRows(ctx, in)
		rows = storedRows(found)
	} else if out, err = t.db.Query(ctx, in); err == nil {
		rows = rowsOf(out.Items)
	}
	if err == nil {
		t.meterReads(ctx, p, in.ExpressionAttributeValues[":pk"], out.ConsumedCapacity)
	}
	return rows, out, err
}

// getItem makes a GetItem request, and reports its capacity. It returns the item as
// a row, or nil if there is no such item.
func (t *Table) getItem(ctx context.Context, p *Pattern, in *dynamodb.GetItemInput) (found Row, out *dynamodb.GetItemOutput, err error) {
	if changesBefore(ctx) != nil {
		in.ConsistentRead = aws.Bool(true)
	}
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	running, err := enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer running.leave()
	if reader, ok := t.db.(RowReader); ok {
		var stored row.Row
		if stored, out, err = reader.GetRow(ctx, in); stored != nil {
			found = (*storedRow)(&stored)
		}
	} else if out, err = t.db.GetItem(ctx, in); err == nil {
		found = RowOf(out.Item)
	}
	if err == nil {
		t.meterReads(ctx, p, in.Key[AttrPK], out.ConsumedCapacity)
	}
	return found, out, err
}

// batchGetItem makes a BatchGetItem request, and reports its capacity. Use rows instead of
// out.Responses, which is empty if the DB is a RowReader.
func (t *Table) batchGetItem(ctx context.Context, p *Pattern, in *dynamodb.BatchGetItemInput) (rows []Row, out *dynamodb.BatchGetItemOutput, err error) {
	if changesBefore(ctx) != nil {
		for name, keys := range in.RequestItems {
			keys.ConsistentRead = aws.Bool(true)
			in.RequestItems[name] = keys
		}
	}
	running, err := enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer running.leave()
	if reader, ok := t.db.(RowReader); ok {
		var found map[string][]row.Row
		found, out, err = reader.BatchGetRows(ctx, in)
		rows = storedRows(found[t.name])
	} else if out, err = t.db.BatchGetItem(ctx, in); err == nil {
		rows = rowsOf(out.Responses[t.name])
	}
	if err == nil {
		t.meterBatch(ctx, p, in, out)
	}
	return rows, out, err
}
