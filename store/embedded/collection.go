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

// collections describes, by table, the item collections of what was written, if
// that was asked for. A collection is the items of one partition of a table
// with local indexes and their entries in those; all of it is read.
func (db *DB) collections(ctx context.Context, asked types.ReturnItemCollectionMetrics, writes ...*writing) (map[string][]types.ItemCollectionMetrics, error) {
	described := make(map[string][]types.ItemCollectionMetrics)
	if asked != types.ReturnItemCollectionMetricsSize {
		return described, nil
	}
	err := db.view(ctx, func(r *readTx) error {
		seen := make(map[string]bool)
		for _, w := range writes {
			t := w.charged.of
			partition, _, err := codec.SplitPartitionKey(w.stored)
			if err != nil {
				return t.items.damaged(w.stored, err.Error())
			}
			place := w.table + "\x00" + string(partition)
			if seen[place] || !slices.ContainsFunc(t.indexes, func(ix *index) bool { return ix.Local }) {
				continue
			}
			seen[place] = true
			size, err := t.collectionSize(r.bolt, partition)
			if err != nil {
				return err
			}
			gigabytes := math.Floor(float64(size) / (1 << 30))
			name := t.Key.Partition.Name
			described[w.table] = append(described[w.table], types.ItemCollectionMetrics{
				ItemCollectionKey:   Item{name: w.key[name]},
				SizeEstimateRangeGB: []float64{gigabytes, gigabytes + 1},
			})
		}
		return nil
	})
	return described, err
}

// collection is collections for a single write, nil if there is none.
func (db *DB) collection(ctx context.Context, asked types.ReturnItemCollectionMetrics, w *writing) (*types.ItemCollectionMetrics, error) {
	described, err := db.collections(ctx, asked, w)
	var metrics *types.ItemCollectionMetrics
	if of := described[w.table]; len(of) > 0 {
		metrics = &of[0]
	}
	return metrics, err
}

func (t *table) collectionSize(tx *bbolt.Tx, partition []byte) (size int, err error) {
	spaces := []*keyspace{t.items}
	for _, ix := range t.indexes {
		if ix.Local {
			spaces = append(spaces, ix.entries)
		}
	}
	for _, space := range spaces {
		bucket, err := space.bucket(tx)
		if err != nil {
			return 0, err
		}
		cursor := bucket.Cursor()
		for key, value := cursor.Seek(partition); bytes.HasPrefix(key, partition); key, value = cursor.Next() {
			body, err := space.unseal(key, value)
			if err != nil {
				return 0, err
			}
			size += codec.SizeOfStored(body)
		}
	}
	return size, nil
}
