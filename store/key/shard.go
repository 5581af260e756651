package key

import (
	"hash/fnv"
	"strconv"
)

// DefaultShards is the number of partitions that a busy key is spread over,
// from the published sizing for three million orders a fifth of which are
// open at once: that asks for 13, and 15 leaves room.
const DefaultShards = 15

// Shard names the shard of an ID among n. It depends on the ID alone, so that
// an item that is written again finds the partition that it lies in.
func Shard(id string, n int) string {
	if n <= 1 {
		return "0"
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // a hash never fails to write
	return strconv.Itoa(int(h.Sum32() % uint32(n)))
}
