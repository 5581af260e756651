package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// reading is the state of filling one page.
type reading struct {
	store      *Store
	question   question
	shards     int
	rounds     int // 2 while rows move from one shard to another
	descending bool
	began      time.Time
	rows       []placed

	mu   sync.Mutex // of read, which the shards count in at once
	read Read
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
		if r.read.Requests > 0 && r.read.Requests+r.shards*r.rounds > maxRequests {
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

// share is how much of one shard a page has seen.
type share struct {
	items []Item
	more  Item // where the shard goes on; nil at its end
}

// segment asks every shard of one segment in parallel and merges the answers
// in the order of their sort keys. IDs spread evenly, so each shard is asked
// for somewhat more than its part of the page. One whose rows are all on the
// page may have more of them that belong there, and is asked again: hardly
// ever, and never for more than a page.
func (r *reading) segment(ctx context.Context, segment string, at *Position, want int) error {
	shares := make([]share, r.shards*r.rounds)
	limit := min(want, portion(want, r.shards))
	if r.rounds > 1 {
		limit = want // a shard that were asked again in between would mix the rounds
	}
	for round := range r.rounds - 1 {
		if err := r.askAll(ctx, segment, at, r.round(round), limit, shares); err != nil {
			return err
		}
	}
	for behind := r.round(r.rounds - 1); len(behind) > 0; {
		if err := r.askAll(ctx, segment, at, behind, limit, shares); err != nil {
			return err
		}
		rows := r.merged(segment, shares, want)
		behind, limit = r.unfinished(shares, rows, want), want
		if len(behind) == 0 {
			r.rows = append(r.rows, rows...)
		}
	}
	return nil
}

// round are the shares that one round of requests fills, one a shard.
func (r *reading) round(number int) []int {
	shares := make([]int, r.shards)
	for shard := range shares {
		shares[shard] = number*r.shards + shard
	}
	return shares
}

// portion is what a shard is asked for first: with 15 shards and a page of 25
// rows, one page in two thousand takes a second request of one of them.
func portion(want, shards int) int {
	if shards == 1 {
		return want
	}
	return 3*(want/shards) + 7
}

// askAll fills some shares at once, each for so many rows in all.
func (r *reading) askAll(ctx context.Context, segment string, at *Position, which []int, limit int, shares []share) error {
	if len(which) == 1 {
		return r.ask(ctx, segment, which[0]%r.shards, at, limit, &shares[which[0]])
	}
	all, ctx := errgroup.WithContext(ctx)
	for _, n := range which {
		all.Go(func() error { return r.ask(ctx, segment, n%r.shards, at, limit, &shares[n]) })
	}
	return all.Wait()
}

// ask asks one shard until it has shown so many rows. DynamoDB stops an answer
// at one megabyte: a shorter one is the end of the partition only where it
// says so.
func (r *reading) ask(ctx context.Context, segment string, shard int, at *Position, limit int, s *share) error {
	in, condition, err := r.input(segment, shard, at)
	if err != nil {
		return err
	}
	if s.more != nil {
		in.ExclusiveStartKey = s.more
	}
	for len(s.items) < limit {
		in.Limit = aws.Int32(int32(limit - len(s.items)))
		out, err := r.store.db.Query(ctx, in)
		if err != nil {
			return r.store.failure(err)
		}
		r.count(shard, condition, out)
		if s.items == nil {
			s.items = out.Items
		} else {
			s.items = append(s.items, out.Items...)
		}
		if s.more = out.LastEvaluatedKey; len(s.more) == 0 {
			s.more = nil
			return nil
		}
		in.ExclusiveStartKey = s.more
	}
	return nil
}

// count adds an answer to what the page cost. The condition that is shown is
// that of the first segment's first shard.
func (r *reading) count(shard int, condition Condition, out *dynamodb.QueryOutput) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shard == 0 && r.read.Condition.PK == "" {
		r.read.Condition = condition
	}
	r.read.Requests++
	r.read.Items += len(out.Items)
	r.read.Units += units(out.ConsumedCapacity)
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

// merged are the rows of all shards in order, at most so many.
func (r *reading) merged(segment string, shares []share, want int) []placed {
	skName := r.question.pattern.skName
	var rows []placed
	for _, s := range shares {
		for _, item := range s.items {
			rows = append(rows, placed{item, segment, textOf(item, skName)})
		}
	}
	if len(shares) > 1 {
		slices.SortStableFunc(rows, func(a, b placed) int {
			if r.descending {
				a, b = b, a
			}
			return strings.Compare(a.sk, b.sk)
		})
	}
	if r.rounds > 1 {
		rows = slices.CompactFunc(rows, func(a, b placed) bool { return placeOf(a.item) == placeOf(b.item) })
	}
	return rows[:min(want, len(rows))]
}

// unfinished are the shards that go on, although all that is known of them
// comes before the end of the page: the next of their rows may too.
func (r *reading) unfinished(shares []share, rows []placed, want int) []int {
	var behind []int
	for shard, s := range shares {
		if s.more == nil || len(s.items) >= want {
			continue
		}
		last := textOf(s.items[len(s.items)-1], r.question.pattern.skName)
		end := rows[len(rows)-1].sk
		if len(rows) < want || last != end && (last < end) != r.descending {
			behind = append(behind, shard)
		}
	}
	return behind
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
