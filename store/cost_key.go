package store

import (
	"cmp"
	"container/heap"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// HotKey is a partition key that requests use often.
type HotKey struct {
	Index string // "table" or the name of an index
	PK    string // the key, or its template and a hash if the key could contain personal data
	Uses  int    // how often the key was used; can be too high, by at most Error
	Error int
}

// hotKeysKept is the number of keys of an index that are counted at a time.
const hotKeysKept = 64

// hotKeysShown is the number of keys of an index that Costs returns.
const hotKeysShown = 5

// hotKeys counts how often requests of today (UTC) use each partition key of each index.
// It keeps hotKeysKept keys of each index: a new key replaces the key with the lowest
// count, and continues this count (the algorithm Space-Saving, see
// https://www.cs.ucsb.edu/sites/default/files/documents/2005-23.pdf). Every key with more
// than 1/64 of the uses is therefore among them.
type hotKeys struct {
	mu   sync.Mutex
	seed maphash.Seed // hashes differ between servers and restarts, so nobody can look up the hash of a name
	day  string
	kept map[string]*keptKeys // counted keys by index
}

// keptKeys contains the counted keys of an index. It is a heap that starts with the key
// with the lowest count, because a new key replaces this key.
type keptKeys struct {
	keys []HotKey
	at   map[string]int // position of each key
}

func (k *keptKeys) Len() int           { return len(k.keys) }
func (k *keptKeys) Less(i, j int) bool { return k.keys[i].Uses < k.keys[j].Uses }

func (k *keptKeys) Swap(i, j int) {
	k.keys[i], k.keys[j] = k.keys[j], k.keys[i]
	k.at[k.keys[i].PK], k.at[k.keys[j].PK] = i, j
}

func (k *keptKeys) Push(x any) {
	added := x.(HotKey)
	k.at[added.PK] = len(k.keys)
	k.keys = append(k.keys, added)
}

// Pop panics, because keys in the heap are replaced but never removed.
func (k *keptKeys) Pop() any { panic("keptKeys: no key is removed") }

func newHotKeys() hotKeys { return hotKeys{seed: maphash.MakeSeed()} }

func (m *costMeter) addKeys(now time.Time, keys []table.IndexKey) {
	h := &m.hot
	h.mu.Lock()
	defer h.mu.Unlock()
	var memory [len(key.Day)]byte
	if day := now.UTC().AppendFormat(memory[:0], key.Day); string(day) != h.day {
		h.day, h.kept = string(day), map[string]*keptKeys{}
	}
	for _, k := range keys {
		h.add(k)
	}
}

func (h *hotKeys) add(k table.IndexKey) {
	kept := h.kept[k.Index]
	if kept == nil {
		kept = &keptKeys{at: make(map[string]int, hotKeysKept)}
		h.kept[k.Index] = kept
	}
	at, found := kept.at[k.PK]
	switch {
	case found:
		kept.keys[at].Uses++
		heap.Fix(kept, at)
	case len(kept.keys) < hotKeysKept:
		heap.Push(kept, HotKey{Index: k.Index, PK: k.PK, Uses: 1})
	default:
		least := &kept.keys[0]
		delete(kept.at, least.PK)
		kept.at[k.PK] = 0
		*least = HotKey{Index: k.Index, PK: k.PK, Uses: least.Uses + 1, Error: least.Uses}
		heap.Fix(kept, 0)
	}
}

// top returns the hotKeysShown most used keys of each index today (UTC), the most used
// first. The table comes before its indexes.
func (h *hotKeys) top(now time.Time) (top []HotKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.UTC().Format(key.Day) != h.day {
		return nil
	}
	for n := range table.IndexCount + 1 {
		index := table.TableIndex
		if n > 0 {
			index = table.IndexName(n)
		}
		kept := h.kept[index]
		if kept == nil {
			continue
		}
		all := slices.Clone(kept.keys)
		slices.SortFunc(all, func(a, b HotKey) int { return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.PK, b.PK)) })
		for _, k := range all[:min(len(all), hotKeysShown)] {
			k.PK = h.mask(k.Index, k.PK)
			top = append(top, k)
		}
	}
	return top
}

// openPlaceholders are the placeholders whose values cannot be personal data, such as
// IDs, dates and categories. If a key has any other placeholder, mask replaces the key
// with its template and a hash.
var openPlaceholders = []string{
	"id", "productID", "warehouseID", "orderID", "shipmentID", "customerID", "employeeID", "accountRepID", "accountID", "storeULID", "personULID", "inventoryULID",
	"employmentULID", "rentalULID", "bookingULID", "openKayak", "source", "target", "sheet", "bulkID", "jobID", "accountULID",
	"shard", "day", "month", "year", "week", "period", "date", "reminderDate", "attemptDate", "dueDate", "importDay",
	"kind", "job", "bucket", "category", "series", "slot",
}

// mask returns a partition key as the page of costs shows it. If a key could contain
// personal data, mask returns its template and a hash.
func (h *hotKeys) mask(index, pk string) string {
	template := templateOf(index, pk)
	if template != "" && !strings.Contains(pk, "@") && isOpenTemplate(template) {
		return pk
	}
	hash := strconv.FormatUint(maphash.String(h.seed, pk)&0xffffffff, 16)
	return cmp.Or(template, "other key") + " (" + hash + ")"
}

// templateOf returns the key template whose fixed beginning matches the key, or "". If
// several templates match, it returns the template with the longest beginning.
func templateOf(index, pk string) string {
	best, fixed := "", 0
	for i := range Definitions {
		template := Definitions[i].Table.PK
		for n := 1; n <= table.IndexCount; n++ {
			if table.IndexName(n) == index {
				template = Definitions[i].Index[n].PK
			}
		}
		prefix, _, _ := strings.Cut(template.String(), "${")
		if len(prefix) > fixed && strings.HasPrefix(pk, prefix) {
			best, fixed = template.String(), len(prefix)
		}
	}
	return best
}

func isOpenTemplate(template string) bool {
	for _, part := range strings.Split(template, "${")[1:] {
		if name, _, _ := strings.Cut(part, "}"); !slices.Contains(openPlaceholders, name) {
			return false
		}
	}
	return true
}
