package embedded

import (
	"bytes"
	"context"
	"math"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// collections returns the ItemCollectionMetrics of written items by table. It omits tables
// without local indexes, as in DynamoDB. The map is empty if the request does not ask for
// the metrics. To compute the sizes, collections reads all items of the partitions, and
// their entries in local indexes. The items are already written, so an error of these reads
// is only logged, and the metrics are incomplete.
func (db *DB) collections(ctx context.Context, mode types.ReturnItemCollectionMetrics, writes ...*itemWrite) map[string][]types.ItemCollectionMetrics {
	metrics := make(map[string][]types.ItemCollectionMetrics)
	if mode != types.ReturnItemCollectionMetricsSize {
		return metrics
	}
	err := db.view(ctx, func(r *readTx) error {
		seen := make(map[string]bool)
		for _, w := range writes {
			t := w.consumed.owner
			partition, _, err := codec.SplitPartitionKey(w.tableKey)
			if err != nil {
				return t.items.damaged(w.tableKey, err.Error())
			}
			id := w.table + "\x00" + string(partition)
			if seen[id] || !slices.ContainsFunc(t.indexes, func(ix *index) bool { return ix.Local }) {
				continue
			}
			seen[id] = true
			size, err := t.collectionSize(r.bolt, partition)
			if err != nil {
				return err
			}
			gigabytes := math.Floor(float64(size) / (1 << 30))
			name := t.Key.Partition.Name
			metrics[w.table] = append(metrics[w.table], types.ItemCollectionMetrics{
				ItemCollectionKey:   Item{name: w.key[name]},
				SizeEstimateRangeGB: []float64{gigabytes, gigabytes + 1},
			})
		}
		return nil
	})
	if err != nil {
		db.log.Warn("cannot compute the item collection metrics of a write", "error", err)
	}
	return metrics
}

// collection is like collections for one item. It returns nil if there are no metrics.
func (db *DB) collection(ctx context.Context, mode types.ReturnItemCollectionMetrics, w *itemWrite) *types.ItemCollectionMetrics {
	metrics := db.collections(ctx, mode, w)[w.table]
	if len(metrics) == 0 {
		return nil
	}
	return &metrics[0]
}

func (t *table) collectionSize(tx *bbolt.Tx, partition []byte) (size int, err error) {
	spaces := []*keyspace{t.items}
	for _, ix := range t.indexes {
		if ix.Local {
			spaces = append(spaces, ix.entries)
		}
	}
	for _, space := range spaces {
		cursor, err := space.cursor(tx)
		if err != nil {
			return 0, err
		}
		key, value, err := cursor.seek(partition)
		for ; err == nil && bytes.HasPrefix(key, partition); key, value, err = cursor.next() {
			body, err := space.unseal(key, value)
			if err != nil {
				return 0, err
			}
			size += codec.SizeOfStored(body)
		}
		if err == nil {
			err = space.verifyEnd(key, value)
		}
		if err != nil {
			return 0, err
		}
	}
	return size, nil
}
