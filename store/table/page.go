package table

import (
	"context"
	"iter"
	"slices"
	"time"

	"stockroom/store/key"
)

// Limits of a page of a list, in rows.
const (
	DefaultLimit = 25
	MaxLimit     = 200
)

// Limits of the requests of a page of a list. At each limit, the page ends, and the next
// page continues from there.
const (
	// MaxRequests is the maximum number of first requests to a partition or shard. A list by
	// month or letter can have many empty partitions.
	MaxRequests = 48
	// MaxRepeats is the maximum number of shards that one page queries a second time; see
	// readSegment.
	MaxRepeats = 2
)

// Page is the part of a list to read.
type Page struct {
	Limit   int       // rows; 0 is DefaultLimit
	At      *Position // where to start; nil means at the beginning of the list
	Count   bool      // only count the rows, without decoding them; each row of the List is then empty
	Partial bool      // omit rows that cannot be decoded, and list them in List.Unreadable
}

// Rows returns the maximum number of rows of the page.
func (p Page) Rows() int {
	if p.Limit <= 0 {
		return DefaultLimit
	}
	return min(p.Limit, MaxLimit)
}

// Position is a place between two rows of a list: after a given row, or before it if
// Back is true. It contains the key of the row instead of its number. Added or
// removed rows therefore do not move other rows to another page.
type Position struct {
	Segment string // the partition, such as a month
	SK      string // the row's sort key in the index; "" at the start of the segment
	ItemPK  string // the row's primary key
	ItemSK  string
	Back    bool

	// Unread means that reading stopped at this position before the page was full. It
	// is unknown whether more rows follow.
	Unread bool
}

// List is one page of a list.
type List[T any] struct {
	Rows []T
	Prev *Position // nil on the first page
	Next *Position // nil on the last page

	Unreadable []string // reason for each row that Partial omitted
}

// Each yields the rows of a list. It reads the list page by page.
func Each[T any](read func(Page) (List[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page := Page{Limit: MaxLimit}
		for {
			found, err := read(page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range found.Rows {
				if !yield(row, nil) {
					return
				}
			}
			if found.Next == nil {
				return
			}
			page.At = found.Next
		}
	}
}

// Query is an access pattern with its values, read page by page.
type Query struct {
	Pattern *Pattern
	Values  key.Map
	Reverse bool // use the opposite of the pattern's order

	KeysOnly bool // read only the keys of the items

	// A list with several partitions has a placeholder that differs between them, such
	// as a month. Segment is the name of the placeholder, and Segments are its values
	// in order.
	Segment  string
	Segments []string

	Shards int  // the number of shards, for a sharded pattern
	Moving bool // items are being moved to other shards: read all shards twice
}

// Page reads one page of a query. It returns Invalid if the page's position
// does not belong to the query.
func (t *Table) Page(ctx context.Context, q Query, page Page) (List[Row], error) {
	r := newReader(t, q, page)
	began := time.Now()
	// Read one row more than the page shows, to know whether another page follows.
	limit := page.Rows()
	stopped, err := r.fill(ctx, page.At, limit+1)
	if err != nil {
		return List[Row]{}, err
	}
	more, err := r.showChanges(ctx, page.At, stopped, limit)
	if err != nil {
		return List[Row]{}, err
	}
	r.rows = r.rows[:min(limit, len(r.rows))]
	r.read.Took = time.Since(began)
	rows := make([]Row, len(r.rows))
	for i := range r.rows {
		rows[i] = r.rows[i].Row
	}
	t.trace(ctx, r.read, rows)
	ahead, behind := r.ahead(more, stopped), r.behind(page.At)
	if r.back {
		slices.Reverse(rows)
		return List[Row]{Rows: rows, Prev: ahead, Next: behind}, nil
	}
	return List[Row]{Rows: rows, Prev: behind, Next: ahead}, nil
}
