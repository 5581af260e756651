package loadsim

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/table"
)

// history contains earlier versions of items that were written recently, by primary key.
type history map[string][]version

// version is an item before a write. visible says when the write becomes visible in the
// table ("") and in each changed index.
type version struct {
	item    store.Item
	visible map[string]time.Time
}

func (h history) add(w *write, visible map[string]time.Time, now time.Time) {
	kept := h[w.id][:0]
	for _, v := range h[w.id] {
		for _, at := range v.visible {
			if at.After(now) {
				kept = append(kept, v)
				break
			}
		}
	}
	h[w.id] = append(kept, version{w.before, visible})
}

// stale returns the item that a reader of the table or index sees before the latest
// writes are visible. The result old is false if the reader sees the current item.
func (h history) stale(id, index string, now time.Time) (item store.Item, old bool) {
	for _, v := range h[id] {
		if v.visible[index].After(now) {
			return v.item, true
		}
	}
	return nil, false
}

// read calls the function request after a delay, unless a limit is exceeded. It charges the
// read units that this function returns.
func (e *Engine) read(index, pk string, request func() (units float64, err error)) error {
	return e.retry(func() error {
		pause(requestTime)
		e.mu.Lock()
		defer e.mu.Unlock()
		now := time.Now()
		p := e.partition(index, pk)
		if p.reads.rejects(now) || e.reads.rejects(now) || e.fails(index, pk) {
			e.Meter.throttle(index, pk)
			return throttled()
		}
		units, err := request()
		p.reads.take(now, units, partitionReads)
		e.reads.take(now, units, e.limits.Quota)
		e.Meter.read(index, pk, units)
		return err
	})
}

// GetItem reads one item. An eventually consistent read can return an old item.
func (e *Engine) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (out *dynamodb.GetItemOutput, err error) {
	err = e.read("", table.TextOf(in.Key, table.AttrPK), func() (float64, error) {
		if out, err = e.DB.GetItem(ctx, in); err != nil {
			return 0, err
		}
		units := sizeReadUnits(out.Item)
		if aws.ToBool(in.ConsistentRead) {
			return units, nil
		}
		if item, old := e.recent.stale(table.KeyString(in.Key), "", time.Now()); old && rand.Float64() < staleShare {
			out.Item = item
		}
		return units / 2, nil
	})
	return out, err
}

func sizeReadUnits(item store.Item) float64 { return float64((int(sizeUnits(item)) + 3) / 4) }

// Query reads items of one partition. A query of an index sees writes only when they are
// visible in the index. Until then, an added or moved item is missing, and a changed item
// has its old values. The same can happen in an eventually consistent query of the table.
// A deleted item is missing at once.
func (e *Engine) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (out *dynamodb.QueryOutput, err error) {
	index, pk := aws.ToString(in.IndexName), ""
	if value, ok := in.ExpressionAttributeValues[":pk"].(*types.AttributeValueMemberS); ok {
		pk = value.Value
	}
	err = e.read(index, pk, func() (float64, error) {
		counted := *in
		counted.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		if out, err = e.DB.Query(ctx, &counted); err != nil {
			return 0, err
		}
		if index != "" || !aws.ToBool(in.ConsistentRead) && rand.Float64() < staleShare {
			out.Items = e.recent.replace(out.Items, index, pk)
		}
		return aws.ToFloat64(out.ConsumedCapacity.CapacityUnits), nil
	})
	return out, err
}

// replace returns the items of a query as the index shows them. If the last write of an
// item is not visible in the index yet, replace uses the earlier item or removes the item.
func (h history) replace(items []store.Item, index, pk string) []store.Item {
	seen := items[:0]
	pkName, skName := table.KeyAttributes(index)
	for _, item := range items {
		old, isOld := h.stale(table.KeyString(item), index, time.Now())
		switch {
		case !isOld:
			seen = append(seen, item)
		case old != nil && table.TextOf(old, pkName) == pk && table.TextOf(old, skName) == table.TextOf(item, skName):
			seen = append(seen, old)
		}
	}
	return seen
}

// BatchGetItem reads several items. It charges the whole batch to the partition of the
// first item.
func (e *Engine) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (out *dynamodb.BatchGetItemOutput, err error) {
	err = e.read("", firstKey(in), func() (float64, error) {
		counted := *in
		counted.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		if out, err = e.DB.BatchGetItem(ctx, &counted); err != nil {
			return 0, err
		}
		var units float64
		for i := range out.ConsumedCapacity {
			units += aws.ToFloat64(out.ConsumedCapacity[i].CapacityUnits)
		}
		return units, nil
	})
	return out, err
}

func firstKey(in *dynamodb.BatchGetItemInput) string {
	for _, keys := range in.RequestItems {
		return table.TextOf(keys.Keys[0], table.AttrPK)
	}
	return ""
}
