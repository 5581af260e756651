package key

import (
	"hash/fnv"
	"strconv"
)

// DefaultShards is the number of partitions that a busy key is spread over. The
// published sizing for three million orders, a fifth of them open, needs 13; 15
// leaves room for growth.
const DefaultShards = 15

// Shard returns the shard of an ID, from 0 to n-1. It depends on nothing but the
// ID, so that every write of an item uses the same partition.
func Shard(id string, n int) string {
	if n <= 1 {
		return "0"
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return ShardName(int(h.Sum32() % uint32(n)))
}

// ShardName returns the n-th shard as keys contain it.
func ShardName(n int) string { return strconv.Itoa(n) }
