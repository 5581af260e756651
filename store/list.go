package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"stockroom/store/key"
)

// question is one pattern with its values, to be answered page by page.
type question struct {
	pattern *Pattern
	values  key.Map
	reverse bool // against the pattern's own order

	// A list may go through several partitions one after the other: those of
	// the value named segment, in the order of over.
	segment string
	over    []string

	shards int // asked for; 0: as many as the settings say
}

// list answers one page of a question.
func list[T any](ctx context.Context, s *Store, q question, page Page, decode func(Item) (T, error)) (List[T], error) {
	found, err := s.page(ctx, q, page)
	if err != nil {
		return List[T]{}, err
	}
	rows := make([]T, len(found.items))
	for i, item := range found.items {
		if rows[i], err = decode(item); err != nil {
			return List[T]{}, err
		}
	}
	return List[T]{Rows: rows, Prev: found.prev, Next: found.next}, nil
}

// pageOfItems is a page before its items are decoded.
type pageOfItems struct {
	items      []Item
	prev, next *Position
}

func (s *Store) page(ctx context.Context, q question, page Page) (pageOfItems, error) {
	shards, rounds := 1, 1
	if q.pattern.Sharded {
		settings, err := s.Settings(ctx)
		if err != nil {
			return pageOfItems{}, err
		}
		shards, rounds = cmp.Or(q.shards, settings.ShardsRead), settings.rounds()
	}
	limit := page.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, MaxLimit)
	back := page.At != nil && page.At.Back
	r := reading{
		store: s, question: q, shards: shards, rounds: rounds, began: time.Now(),
		descending: q.pattern.Newest != q.reverse != back,
		read:       Read{Pattern: q.pattern, Shards: shards},
	}
	// One row more than the page shows says whether another page follows.
	stopped, err := r.fill(ctx, page.At, limit+1)
	if err != nil {
		return pageOfItems{}, err
	}
	more := len(r.rows) > limit
	if more {
		r.rows = r.rows[:limit]
	}
	r.finish(ctx)
	if back {
		slices.Reverse(r.rows)
	}
	result := pageOfItems{items: make([]Item, len(r.rows))}
	for i, row := range r.rows {
		result.items[i] = row.item
	}
	ahead := r.end(more, stopped, back) // where the reading would go on
	behind := r.start(page.At, back)    // where it came from
	if back {
		result.prev, result.next = ahead, behind
	} else {
		result.prev, result.next = behind, ahead
	}
	return result, nil
}
