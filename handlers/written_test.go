package handlers

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// writtenKeys collects the keys of items that were written or deleted. It ignores
// sessions and access events.
type writtenKeys struct {
	mu   sync.Mutex
	keys []string
}

// take returns the sorted keys that were added since the last call.
func (w *writtenKeys) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	keys := w.keys
	w.keys = nil
	slices.Sort(keys)
	return keys
}

// add adds the key of an item, unless the item is a session or an access event. The
// argument is the item or only its key.
func (w *writtenKeys) add(item store.Item) {
	if pk := stringOf(item["PK"]); !strings.HasPrefix(pk, "session#") && !isAccessEvent(item) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.keys = append(w.keys, pk+" "+stringOf(item["SK"]))
	}
}

func (c *countingDB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := c.DB.UpdateItem(ctx, in, options...)
	if err == nil {
		c.written.add(in.Key)
	}
	return out, err
}

func (c *countingDB) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	out, err := c.DB.BatchWriteItem(ctx, in, options...)
	if err == nil {
		for _, writes := range in.RequestItems {
			for _, write := range writes {
				if write.PutRequest != nil {
					c.written.add(write.PutRequest.Item)
				} else {
					c.written.add(write.DeleteRequest.Key)
				}
			}
		}
	}
	return out, err
}

func (c *countingDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := c.DB.TransactWriteItems(ctx, in, options...)
	if err == nil {
		for i := range in.TransactItems {
			if key := writtenKey(&in.TransactItems[i]); key != nil {
				c.written.add(key)
			}
		}
	}
	return out, err
}

// writtenKey returns the item or the key of an action in a transaction. It returns nil
// if the action only checks a condition.
func writtenKey(action *types.TransactWriteItem) store.Item {
	switch {
	case action.Put != nil:
		return action.Put.Item
	case action.Update != nil:
		return action.Update.Key
	case action.Delete != nil:
		return action.Delete.Key
	}
	return nil
}
