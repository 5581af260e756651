package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

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
	shards := 1
	if q.pattern.Sharded {
		settings, err := s.Settings(ctx)
		if err != nil {
			return pageOfItems{}, err
		}
		shards = settings.ShardsRead
	}
	limit := page.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, MaxLimit)
	back := page.At != nil && page.At.Back
	r := reading{
		store: s, question: q, shards: shards, began: time.Now(),
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

// reading is the state of filling one page.
type reading struct {
	store      *Store
	question   question
	shards     int
	descending bool
	began      time.Time
	rows       []placed
	read       Read
}

// placed is an item with its place in the list.
type placed struct {
	item    Item
	segment string
	sk      string
}

// fill reads segment after segment until it has so many rows, and returns
// the segment that it did not get to, if the requests ran out.
func (r *reading) fill(ctx context.Context, at *Position, want int) (stopped *Position, err error) {
	segments := r.question.over
	if r.question.segment == "" {
		segments = []string{""} // one partition, or the shards of one
	}
	back := at != nil && at.Back
	if r.question.reverse != back {
		segments = slices.Clone(segments)
		slices.Reverse(segments)
	}
	if at != nil {
		first := slices.Index(segments, at.Segment)
		if first < 0 {
			return nil, InvalidField("after", "This page link does not belong to this list.")
		}
		segments = segments[first:]
	}
	for _, segment := range segments {
		if len(r.rows) >= want {
			return nil, nil
		}
		if r.read.Requests > 0 && r.read.Requests+r.shards > maxRequests {
			return &Position{Segment: segment, Back: back}, nil
		}
		if at != nil && at.Segment != segment {
			at = nil
		}
		if err := r.segment(ctx, segment, at, want-len(r.rows)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// answer is what one shard has for a page.
type answer struct {
	items    []Item
	requests int
	units    float64
}

// segment asks every shard of one segment in parallel for as many rows as the
// page lacks, and merges them in the order of their sort keys.
func (r *reading) segment(ctx context.Context, segment string, at *Position, want int) error {
	answers := make([]answer, r.shards)
	if r.shards == 1 {
		if err := r.ask(ctx, segment, 0, at, want, &answers[0]); err != nil {
			return err
		}
	} else {
		all, ctx := errgroup.WithContext(ctx)
		for shard := range r.shards {
			all.Go(func() error { return r.ask(ctx, segment, shard, at, want, &answers[shard]) })
		}
		if err := all.Wait(); err != nil {
			return err
		}
	}
	r.merge(segment, answers, want)
	return nil
}

// ask asks one shard for a page. DynamoDB stops an answer at one megabyte: a
// shorter one is the end of the partition only where it says so.
func (r *reading) ask(ctx context.Context, segment string, shard int, at *Position, want int, a *answer) error {
	in, condition, err := r.input(segment, shard, at)
	if err != nil {
		return err
	}
	if shard == 0 && r.read.Requests == 0 {
		r.read.Condition = condition
	}
	for {
		in.Limit = aws.Int32(int32(want - len(a.items)))
		out, err := r.store.db.Query(ctx, in)
		if err != nil {
			return r.store.failure(err)
		}
		a.requests++
		a.units += units(out.ConsumedCapacity)
		if a.items == nil {
			a.items = out.Items
		} else {
			a.items = append(a.items, out.Items...)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 || len(a.items) >= want {
			return nil
		}
	}
}

func (r *reading) input(segment string, shard int, at *Position) (*dynamodb.QueryInput, Condition, error) {
	p := r.question.pattern
	pk, sk, err := p.keys(segmentValues{&r.question, segment, shard})
	if err != nil {
		return nil, Condition{}, err
	}
	in := r.store.queryInput(p, pk, sk, r.descending)
	if at != nil && at.SK != "" {
		// Sort keys of a sharded list end in an ID, so the position's own is
		// found in its own shard only: in the others it is a place between two.
		in.ExclusiveStartKey = Item{
			attrPK:   &types.AttributeValueMemberS{Value: at.ItemPK},
			attrSK:   &types.AttributeValueMemberS{Value: at.ItemSK},
			p.pkName: &types.AttributeValueMemberS{Value: pk},
			p.skName: &types.AttributeValueMemberS{Value: at.SK},
		}
	}
	return in, sk.condition(pk), nil
}

// merge appends the answers' items in order, at most so many.
func (r *reading) merge(segment string, answers []answer, want int) {
	skName := r.question.pattern.skName
	first := len(r.rows)
	for _, a := range answers {
		r.read.Requests += a.requests
		r.read.Items += len(a.items)
		r.read.Units += a.units
		for _, item := range a.items {
			r.rows = append(r.rows, placed{item, segment, textOf(item, skName)})
		}
	}
	fresh := r.rows[first:]
	if len(answers) > 1 {
		slices.SortStableFunc(fresh, func(a, b placed) int {
			if r.descending {
				a, b = b, a
			}
			switch {
			case a.sk < b.sk:
				return -1
			case a.sk > b.sk:
				return 1
			}
			return 0
		})
	}
	r.rows = r.rows[:first+min(want, len(fresh))]
}

func (r *reading) finish(ctx context.Context) {
	t := traceOf(ctx)
	if t == nil {
		return
	}
	r.read.Took = time.Since(r.began)
	var items []Item
	if t.KeepItems {
		for _, row := range r.rows {
			items = append(items, row.item)
		}
	}
	t.add(r.read, items)
}

// end is where a further page in the direction of reading begins.
func (r *reading) end(more bool, stopped *Position, back bool) *Position {
	if !more {
		return stopped
	}
	if back {
		return r.rows[0].position(true)
	}
	return r.rows[len(r.rows)-1].position(false)
}

// start is where a page against the direction of reading begins.
func (r *reading) start(at *Position, back bool) *Position {
	switch {
	case at == nil:
		return nil
	case len(r.rows) == 0:
		turned := *at
		turned.Back = !at.Back
		return &turned
	case back:
		return r.rows[len(r.rows)-1].position(false)
	}
	return r.rows[0].position(true)
}

func (p placed) position(back bool) *Position {
	return &Position{
		Segment: p.segment, SK: p.sk, Back: back,
		ItemPK: textOf(p.item, attrPK), ItemSK: textOf(p.item, attrSK),
	}
}

// segmentValues adds segment and shard to a question's values.
type segmentValues struct {
	question *question
	segment  string
	shard    int
}

func (v segmentValues) KeyValue(name string) string {
	switch {
	case name == "shard":
		return strconv.Itoa(v.shard)
	case name == v.question.segment && name != "":
		return v.segment
	}
	return v.question.values[name]
}

func textOf(item Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
