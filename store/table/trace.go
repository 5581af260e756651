package table

import (
	"context"
	"sync"
	"time"
)

// Read is one use of an access pattern, with its cost. The footer of each page lists
// its reads.
type Read struct {
	Pattern   *Pattern
	Condition KeyCondition
	Shards    int           // number of partitions read in parallel; 1 if not sharded
	Requests  int           // number of requests to the table
	Items     int           // number of items returned, before merging
	Units     float64       // consumed read capacity units
	Took      time.Duration // time from the first request to the last response
}

// Trace collects the reads of one HTTP request. Its methods are safe for concurrent
// use. On a nil Trace they do nothing.
type Trace struct {
	KeepItems bool // keep the items, for the page that shows them in raw form

	mu    sync.Mutex
	reads []Read
	items []Item
}

// WithTrace returns a context whose reads are added to the trace.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// WithoutItems returns a context whose trace records reads without their items. Use
// it for reports, which add up many items without showing them.
func WithoutItems(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutItemsKey{}, true)
}

type (
	traceKey        struct{}
	withoutItemsKey struct{}
)

func traceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// trace adds a read to the context's trace. It does not keep secret items.
func (t *Table) trace(ctx context.Context, r Read, rows []Row) {
	trace := traceOf(ctx)
	if trace == nil {
		return
	}
	trace.mu.Lock()
	defer trace.mu.Unlock()
	trace.reads = append(trace.reads, r)
	if !trace.KeepItems || r.Pattern.Secret || ctx.Value(withoutItemsKey{}) != nil {
		return
	}
	for _, row := range rows {
		if !t.schema.isSecret(row) {
			trace.items = append(trace.items, row.Item())
		}
	}
}

// Reads returns the reads so far, in the order in which they ended.
func (t *Trace) Reads() []Read {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Read(nil), t.reads...)
}

// Items returns the items that were read, without duplicates. It returns none unless
// KeepItems is set.
func (t *Trace) Items() []Item {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var items []Item
	seen := make(map[string]bool, len(t.items))
	for _, item := range t.items {
		if k := KeyString(item); !seen[k] {
			seen[k] = true
			items = append(items, item)
		}
	}
	return items
}
