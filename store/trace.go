package store

import (
	"context"
	"sync"
	"time"
)

// Read is one access pattern as it was asked and what the answer cost. The
// footer of every page lists them.
type Read struct {
	Pattern   *Pattern
	Condition Condition     // the key condition, values put in
	Shards    int           // partitions asked in parallel, 1 where not sharded
	Requests  int           // calls of the table
	Items     int           // items that came back, before merging cut them
	Units     float64       // consumed read capacity units
	Took      time.Duration // from the first request to the last answer
}

// Condition is a key condition for people to read. It is kept in parts and
// put together only where it is shown.
type Condition struct {
	PK       string // the partition key; of a sharded pattern, that of shard 0
	SK       string // the lower bound, the beginning or the exact sort key
	To       string // the upper bound of a range
	Operator string // "=", "begins_with", "between", "" for a whole partition
}

// Trace collects the reads of one request. Its methods are safe for
// concurrent use, and do nothing on a nil Trace.
type Trace struct {
	KeepItems bool // whether the items themselves are kept, to be shown raw

	mu    sync.Mutex
	reads []Read
	items []Item
}

// WithTrace returns a context whose reads are noted in the trace.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

type traceKey struct{}

func traceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

func (t *Trace) add(r Read, items []Item) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads = append(t.reads, r)
	if t.KeepItems && !r.Pattern.Secret {
		for _, item := range items {
			if !secretItem(item) {
				t.items = append(t.items, item)
			}
		}
	}
}

// Reads lists what was asked so far, in the order of the answers.
func (t *Trace) Reads() []Read {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Read(nil), t.reads...)
}

// Items lists the items that were read, each once, where they are kept.
func (t *Trace) Items() []Item {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var items []Item
	seen := make(map[string]bool, len(t.items))
	for _, item := range t.items {
		if place := placeOf(item); !seen[place] {
			seen[place] = true
			items = append(items, item)
		}
	}
	return items
}
