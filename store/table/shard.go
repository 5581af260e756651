package table

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// reader reads one page of a query. It reads one segment after the other. Within a
// segment, it reads all shards in parallel and merges their rows by sort key.
type reader struct {
	table      *Table
	query      Query
	shards     int
	rounds     int  // 2 while items move between shards, otherwise 1
	back       bool // read backwards, to get the page before the position
	descending bool
	rows       []listRow
	repeats    int  // number of shards that were queried a second time
	cut        bool // the page ended early, after the last of rows, because of MaxRepeats

	mu   sync.Mutex // guards read, which several goroutines update
	read Read
}

// listRow is a row with its segment and sort key.
type listRow struct {
	Row
	segment string
	sk      string
}

func newReader(t *Table, q Query, page Page) *reader {
	shards, rounds := 1, 1
	if q.Pattern.Sharded {
		shards = q.Shards
		if q.Moving {
			rounds = 2
		}
	}
	back := page.At != nil && page.At.Back
	return &reader{
		table: t, query: q, shards: shards, rounds: rounds, back: back,
		descending: q.Pattern.Newest != q.Reverse != back,
		read:       Read{Pattern: q.Pattern, Shards: shards},
	}
}

// fill reads segments until it has enough rows or the page is cut. If it reaches MaxRequests
// first, it returns the position of the first segment that was not read.
func (r *reader) fill(ctx context.Context, at *Position, want int) (stopped *Position, err error) {
	segments := r.query.Segments
	if r.query.Segment == "" {
		segments = []string{""} // the list has only one partition
	}
	if r.query.Reverse != r.back {
		segments = slices.Clone(segments)
		slices.Reverse(segments)
	}
	if at != nil {
		first := slices.Index(segments, at.Segment)
		if first < 0 {
			return nil, InvalidField("after", "This page link is not valid for this list. Start again from the first page.")
		}
		segments = segments[first:]
	}
	for _, segment := range segments {
		if len(r.rows) >= want || r.cut {
			return nil, nil
		}
		if first := r.read.Requests - r.repeats; first > 0 && first+r.shards*r.rounds > MaxRequests {
			return &Position{Segment: segment, Back: r.back, Unread: true}, nil
		}
		if at != nil && at.Segment != segment {
			at = nil
		}
		if err := r.readSegment(ctx, segment, at, want-len(r.rows)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

type shardRows struct {
	rows []Row
	more Item // the key to continue from; nil at the end of the shard
}

// readSegment reads all shards of one segment in parallel and merges their rows by sort
// key. IDs are spread evenly over the shards, so the first query of a shard reads only
// its share of the page; see shareOf. If the page needs all rows that this query
// returned, the shard is queried again, because its next rows may also belong on the
// page. If more than MaxRepeats shards must be queried again, which random IDs make very
// unlikely, the page is cut instead: it ends before the first row that may be missing.
func (r *reader) readSegment(ctx context.Context, segment string, at *Position, want int) error {
	all := make([]shardRows, r.shards*r.rounds)
	limit := min(want, shareOf(want, r.shards))
	if r.rounds > 1 {
		limit = want // read enough rows for the whole page, because only the last round can query a shard again
	}
	for round := range r.rounds - 1 {
		if err := r.readShards(ctx, segment, at, r.round(round), limit, all); err != nil {
			return err
		}
	}
	for open := r.round(r.rounds - 1); len(open) > 0; {
		if err := r.readShards(ctx, segment, at, open, limit, all); err != nil {
			return err
		}
		rows := r.merge(segment, all, want)
		open, limit = r.incomplete(all, rows, want), want
		if r.repeats+len(open) > MaxRepeats {
			rows, open, r.cut = r.complete(all, rows, open), nil, true
		}
		r.repeats += len(open)
		if len(open) == 0 {
			r.rows = append(r.rows, rows...)
		}
	}
	return nil
}

// round returns the indexes of the elements of a []shardRows that one round of reads fills.
// Each round reads all shards.
func (r *reader) round(number int) []int {
	indexes := make([]int, r.shards)
	for shard := range indexes {
		indexes[shard] = number*r.shards + shard
	}
	return indexes
}

// shareOf returns how many rows the first query of a shard reads. The number is so
// large that at most one page in 30 needs a second query. IDs are spread evenly, so the
// number of rows of a page in one shard has a Poisson distribution. For a page of 25
// rows in 15 shards, the first query reads 7 rows. In a list of orders, these have
// about 4 KB: half a read unit.
func shareOf(want, shards int) int {
	if shards == 1 {
		return want
	}
	mean := float64(want) / float64(shards)
	share, chance := 0, math.Exp(-mean) // the chance that a shard has this number of rows of the page
	for more := 1 - chance; more > 1/float64(30*shards); more -= chance {
		share++
		chance *= mean / float64(share)
	}
	return share + 1
}

// readShards reads the shards with these indexes in parallel. The argument limit is the
// maximum number of items to read from each shard.
func (r *reader) readShards(ctx context.Context, segment string, at *Position, indexes []int, limit int, all []shardRows) error {
	if len(indexes) == 1 {
		return r.readShard(ctx, segment, indexes[0]%r.shards, at, limit, &all[indexes[0]])
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, n := range indexes {
		group.Go(func() error { return r.readShard(ctx, segment, n%r.shards, at, limit, &all[n]) })
	}
	return group.Wait()
}

// readShard reads items of one shard, at most as many as the argument limit. A response can
// be short because it is limited to 1 MB. The shard ends only where a response has no
// LastEvaluatedKey.
func (r *reader) readShard(ctx context.Context, segment string, shard int, at *Position, limit int, s *shardRows) error {
	in, condition, err := r.input(segment, shard, at)
	if err != nil {
		return err
	}
	if s.more != nil {
		in.ExclusiveStartKey = s.more
	}
	for len(s.rows) < limit {
		in.Limit = aws.Int32(int32(limit - len(s.rows)))
		rows, out, err := r.table.query(ctx, r.query.Pattern, in)
		if err != nil {
			return r.table.wrap(err)
		}
		r.count(shard, condition, len(rows), out)
		if s.rows == nil {
			s.rows = rows
		} else {
			s.rows = append(s.rows, rows...)
		}
		if s.more = out.LastEvaluatedKey; len(s.more) == 0 {
			s.more = nil
			return nil
		}
		in.ExclusiveStartKey = s.more
	}
	return nil
}

// count adds a response to the cost of the page. The trace shows the key condition of the
// first shard of the first segment.
func (r *reader) count(shard int, condition KeyCondition, rows int, out *dynamodb.QueryOutput) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shard == 0 && r.read.Condition.PK == "" {
		r.read.Condition = condition
	}
	r.read.Requests++
	r.read.Items += rows
	r.read.Units += units(out.ConsumedCapacity)
}

func (r *reader) input(segment string, shard int, at *Position) (*dynamodb.QueryInput, KeyCondition, error) {
	p := r.query.Pattern
	c, err := p.Condition(segmentValues{&r.query, segment, shard})
	if err != nil {
		return nil, KeyCondition{}, err
	}
	in := r.table.queryInput(p, c, r.descending, r.query.KeysOnly)
	if at != nil && at.SK != "" {
		// Only one shard has the row of the position. In the other shards, this start
		// key lies between two rows, because sort keys of sharded lists end in an ID
		// and are therefore unique.
		in.ExclusiveStartKey = Key(at.ItemPK, at.ItemSK)
		in.ExclusiveStartKey[p.pkName] = &types.AttributeValueMemberS{Value: c.PK}
		in.ExclusiveStartKey[p.skName] = &types.AttributeValueMemberS{Value: at.SK}
	}
	return in, c, nil
}

// merge sorts the rows of all shards and returns the first ones. want is the maximum number
// of rows in the result.
func (r *reader) merge(segment string, all []shardRows, want int) []listRow {
	skName := r.query.Pattern.skName
	count := 0
	for _, s := range all {
		count += len(s.rows)
	}
	rows := make([]listRow, 0, count)
	for _, s := range all {
		for _, row := range s.rows {
			rows = append(rows, listRow{row, segment, row.Text(skName)})
		}
	}
	if len(all) > 1 {
		slices.SortStableFunc(rows, func(a, b listRow) int {
			if r.descending {
				a, b = b, a
			}
			return strings.Compare(a.sk, b.sk)
		})
	}
	if r.rounds > 1 {
		rows = slices.CompactFunc(rows, func(a, b listRow) bool { return keyString(a) == keyString(b) })
	}
	return rows[:min(want, len(rows))]
}

// incomplete returns the indexes of the shards to query again: they have more rows,
// and their next row may belong on the page.
func (r *reader) incomplete(all []shardRows, rows []listRow, want int) []int {
	var open []int
	for shard, s := range all {
		if s.more == nil || len(s.rows) >= want {
			continue
		}
		last := s.rows[len(s.rows)-1].Text(r.query.Pattern.skName)
		end := rows[len(rows)-1].sk
		if len(rows) < want || last != end && (last < end) != r.descending {
			open = append(open, shard)
		}
	}
	return open
}

// complete returns the rows up to the first row at which one of the incomplete shards ends.
func (r *reader) complete(all []shardRows, rows []listRow, incomplete []int) []listRow {
	skName := r.query.Pattern.skName
	end := slices.IndexFunc(rows, func(row listRow) bool {
		return slices.ContainsFunc(incomplete, func(shard int) bool {
			read := all[shard].rows
			return row.sk == read[len(read)-1].Text(skName)
		})
	})
	return rows[:end+1]
}

// ahead returns the position where the next page in reading direction starts, or nil.
func (r *reader) ahead(more bool, stopped *Position) *Position {
	if !more {
		return stopped
	}
	return r.rows[len(r.rows)-1].position(r.back)
}

// behind returns the position where the previous page in reading direction starts, or
// nil.
func (r *reader) behind(at *Position) *Position {
	switch {
	case at == nil:
		return nil
	case len(r.rows) == 0:
		turned := *at
		turned.Back = !at.Back
		return &turned
	}
	return r.rows[0].position(!r.back)
}

func (r listRow) position(back bool) *Position {
	return &Position{Segment: r.segment, SK: r.sk, Back: back, ItemPK: r.Text(AttrPK), ItemSK: r.Text(AttrSK)}
}

// segmentValues are the values of a query, with the segment and the shard added.
type segmentValues struct {
	query   *Query
	segment string
	shard   int
}

func (v segmentValues) KeyValue(name string) string {
	switch {
	case name == "shard":
		return strconv.Itoa(v.shard)
	case name == v.query.Segment && name != "":
		return v.segment
	}
	return v.query.Values[name]
}
