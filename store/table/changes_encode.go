package table

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Separators in encoded changes. They are control characters, which keys cannot
// contain.
const (
	costEnd = "\x1d"
	partEnd = "\x1f"
	keyEnd  = "\x1e"
)

// Encode returns the cost and the compressed keys in at most limit bytes, for a cookie.
// If not all keys fit, it keeps the most important ones; see mostImportant. If the cost
// does not fit, it returns "".
func (c *Changes) Encode(limit int) string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	cost := fmt.Sprint(c.cost.Transactions, c.cost.Items, c.cost.Units) + costEnd
	if limit -= len(cost); limit < 0 {
		return ""
	}
	keys := mostImportant(c.keys)
	w := packers.Get().(*packer)
	defer packers.Put(w)
	packed := w.pack(keys)
	if len(packed) > limit { // keep as many keys as fit; more keys never make the result shorter
		n := sort.Search(len(keys), func(n int) bool { return len(w.pack(keys[:n+1])) > limit })
		packed = w.pack(keys[:n])
	}
	return cost + packed
}

// mostImportant returns up to maxBatch unique keys. Keys of the entity type with the
// fewest changed items come first, because the user most likely changed one of those.
// For example, renaming one product changes many stock items.
func mostImportant(keys []changedKey) []Item {
	count := map[string]int{}
	var unique []changedKey
	seen := map[string]bool{}
	for _, k := range keys {
		if at := KeyString(k.key); !seen[at] {
			seen[at] = true
			count[k.entityType]++
			unique = append(unique, k)
		}
	}
	slices.SortStableFunc(unique, func(a, b changedKey) int { return count[a.entityType] - count[b.entityType] })
	return itemsOf(unique[:min(len(unique), maxBatch)])
}

func itemsOf(keys []changedKey) []Item {
	items := make([]Item, len(keys))
	for i, k := range keys {
		items[i] = k.key
	}
	return items
}

// packers reuses packers, because a new flate.Writer allocates about a megabyte.
var packers = sync.Pool{New: func() any { return newPacker() }}

// packer compresses keys.
type packer struct {
	packed bytes.Buffer
	flate  *flate.Writer
}

func newPacker() *packer {
	w := &packer{}
	w.flate, _ = flate.NewWriter(&w.packed, flate.BestCompression) // cannot fail: the level is valid
	return w
}

func (w *packer) pack(keys []Item) string {
	if len(keys) == 0 {
		return ""
	}
	w.packed.Reset()
	w.flate.Reset(&w.packed)
	for _, key := range keys {
		_, _ = io.WriteString(w.flate, TextOf(key, AttrPK)+partEnd+TextOf(key, AttrSK)+keyEnd) // cannot fail: w.packed is in memory
	}
	_ = w.flate.Close()
	return w.packed.String()
}

// maxUnpacked limits the decompressed size of a cookie, in bytes. A hundred keys of 650
// bytes fit. DecodeChanges ignores further keys.
const maxUnpacked = 64 << 10

// DecodeChanges decodes a result of Encode. For invalid text it returns Changes
// without keys; ReadAfter then makes only reads of the table consistent.
func DecodeChanges(encoded string) *Changes {
	c := &Changes{}
	cost, packed, _ := strings.Cut(encoded, costEnd)
	if n, _ := fmt.Sscan(cost, &c.cost.Transactions, &c.cost.Items, &c.cost.Units); n < 3 {
		c.cost = WriteCost{}
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(strings.NewReader(packed)), maxUnpacked))
	if err != nil {
		return c
	}
	for part := range strings.SplitSeq(string(text), keyEnd) {
		if pk, sk, ok := strings.Cut(part, partEnd); ok && len(c.keys) < maxBatch {
			c.keys = append(c.keys, changedKey{key: Key(pk, sk)})
		}
	}
	return c
}
