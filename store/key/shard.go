package key

import (
	"hash/fnv"
	"strconv"
)

// DefaultShards is the number of shards of a busy list in a new table. By Amazon's
// published calculation, a shop with three million orders, a fifth of them open,
// needs 13 shards. 15 shards leave room for growth.
const DefaultShards = 15

// Shard returns the shard of an ID, from 0 to n-1. It depends only on the ID and n,
// so that every write of an item uses the same partition.
func Shard(id string, n int) string {
	if n <= 1 {
		return "0"
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return ShardName(int(h.Sum32() % uint32(n)))
}

// ShardName returns the string that stands for shard n in keys.
func ShardName(n int) string { return strconv.Itoa(n) }
