package table

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Changes holds the primary keys of the items that an HTTP request wrote. For a
// moment, index reads and eventually consistent reads may return old versions of
// these items. The next page therefore reads with ReadAfter, which returns the new
// versions. A nil *Changes records nothing.
type Changes struct {
	mu      sync.Mutex
	made    bool // whether a write was committed
	unknown bool // whether the outcome of a write is unknown
	cost    WriteCost
	keys    []changedKey    // primary keys of written items; omits secret items and items without index keys
	items   map[string]Item // items that the method current has already read, by KeyString; nil for a deleted item
}

type changedKey struct {
	entityType string // "" if the key comes from DecodeChanges, because cookies contain no types
	key        Item
}

type (
	recordKey struct{}
	afterKey  struct{}
)

// RecordChanges returns a context in which committed transactions are added to c.
func RecordChanges(ctx context.Context, c *Changes) context.Context {
	return context.WithValue(ctx, recordKey{}, c)
}

// ReadAfter returns a context whose reads show the changes. Reads of the table become
// consistent. For reads of an index, the changed items are read once from the table
// and replace their copies from the index. This costs one more request per page, and
// usually one more for each partition with secret items that is read from an index.
func ReadAfter(ctx context.Context, c *Changes) context.Context {
	return context.WithValue(ctx, afterKey{}, c)
}

func changesBefore(ctx context.Context) *Changes {
	c, _ := ctx.Value(afterKey{}).(*Changes)
	return c
}

// WriteCost is the cost of committed transactions.
type WriteCost struct {
	Transactions int
	Items        int     // including items that were only checked
	Units        float64 // consumed write capacity units
}

// Cost returns the cost of the transactions.
func (c *Changes) Cost() WriteCost {
	if c == nil {
		return WriteCost{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cost
}

// record adds the cost and the keys of a committed transaction to the context's changes.
func (x *Tx) record(ctx context.Context, units float64) {
	c, _ := ctx.Value(recordKey{}).(*Changes)
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = true
	c.cost.Transactions++
	c.cost.Items += len(x.items)
	c.cost.Units += units
	c.keys = append(c.keys, x.written...)
}

func hasChanged(ctx context.Context) bool {
	c, _ := ctx.Value(recordKey{}).(*Changes)
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// recordUnknown adds a write whose outcome is unknown to the context's changes.
func recordUnknown(ctx context.Context) {
	if c, _ := ctx.Value(recordKey{}).(*Changes); c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unknown = true
	}
}

// MayHaveChanged reports whether a write with the context was committed, or may have been,
// because its outcome is unknown. known is false if the context does not record changes.
func MayHaveChanged(ctx context.Context) (changed, known bool) {
	c, _ := ctx.Value(recordKey{}).(*Changes)
	if c == nil {
		return false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made || c.unknown, true
}

// wrote records the key of an item that the transaction writes. It skips secret items
// and items without index keys.
func (x *Tx) wrote(entityType string, key Item) {
	d, ok := x.table.schema.Definition(entityType)
	inIndex := func(k Keys) bool { return !k.PK.IsZero() }
	if ok && slices.ContainsFunc(d.Index[:], inIndex) && !x.table.schema.secret[entityType] {
		x.written = append(x.written, changedKey{entityType, KeyOf(key)})
	}
}

// changesPattern is the pattern that a trace shows for reads of changed items.
var changesPattern = &Pattern{Name: "changed items", Index: TableIndex, Operation: "BatchGetItem", Secret: true}

// current makes consistent reads of the changed items and of the items whose keys are in
// the argument others. It returns them by KeyString, with nil for a missing item. It reads
// each item once per page. One call makes at most one request, and omits items that do not
// fit into it.
func (t *Table) current(ctx context.Context, c *Changes, others []Item) (map[string]Item, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = map[string]Item{}
		others = slices.Concat(itemsOf(c.keys), others)
	}
	var missing []Item
	for _, key := range others {
		if _, seen := c.items[KeyString(key)]; !seen && len(missing) < maxBatch {
			c.items[KeyString(key)] = nil
			missing = append(missing, key)
		}
	}
	if err := t.readAgain(ctx, missing, c.items); err != nil {
		c.items = nil
		return nil, err
	}
	return maps.Clone(c.items), nil
}

func (t *Table) readAgain(ctx context.Context, unique []Item, items map[string]Item) error {
	if len(unique) == 0 {
		return nil
	}
	began := time.Now()
	read := Read{Pattern: changesPattern, Condition: KeyCondition{PK: TextOf(unique[0], AttrPK), SK: TextOf(unique[0], AttrSK), Operator: opEqual}, Shards: 1}
	err := t.batchGet(ctx, changesPattern, unique, true, func(out *dynamodb.BatchGetItemOutput, found []Row) error {
		read.Requests++
		for i := range out.ConsumedCapacity {
			read.Units += units(&out.ConsumedCapacity[i])
		}
		read.Items += len(found)
		for _, r := range found {
			items[keyString(r)] = r.Item()
		}
		return nil
	})
	read.Took = time.Since(began)
	t.trace(ctx, read, nil)
	return err
}

// place returns the item's sort key in the index of the pattern. ok reports whether
// the item meets the key condition.
func (p *Pattern) place(item Item, c KeyCondition) (sk string, ok bool) {
	sk = TextOf(item, p.skName)
	if item == nil || TextOf(item, p.pkName) != c.PK {
		return "", false
	}
	switch c.Operator {
	case opEqual:
		return sk, sk == c.SK
	case opBeginsWith:
		return sk, strings.HasPrefix(sk, c.SK)
	case opBetween:
		return sk, sk >= c.SK && sk <= c.To
	}
	return sk, true
}

// showChanges updates items that were found in one partition of an index: it replaces
// changed items with their current versions from the table, and adds changed items that
// now belong to the partition. It also reads secret items again, because their changes are
// not recorded. It reads at most as many items as fit into one request.
func (t *Table) showChanges(ctx context.Context, p *Pattern, c KeyCondition, found []Row) ([]Row, error) {
	changes := changesBefore(ctx)
	if changes == nil || p.Index == TableIndex {
		return found, nil
	}
	var others []Item
	for _, row := range found {
		if p.Secret {
			others = append(others, Key(row.Text(AttrPK), row.Text(AttrSK)))
		}
	}
	current, err := t.current(ctx, changes, others)
	if err != nil || len(current) == 0 {
		return found, err
	}
	var rows []Row
	for _, row := range found {
		if _, again := current[keyString(row)]; !again {
			rows = append(rows, row)
		}
	}
	for _, item := range current {
		if _, ok := p.place(item, c); ok {
			rows = append(rows, RowOf(item))
		}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		if p.Newest {
			a, b = b, a
		}
		return strings.Compare(a.Text(p.skName)+keyString(a), b.Text(p.skName)+keyString(b))
	})
	return rows, nil
}

// showChanges updates a page of an index: it replaces changed items with their current
// versions from the table, and adds changed items that now belong on this page. The
// argument at is where the page starts, or nil at the start of the list. The argument
// stopped is the first position that was not read, or nil. The result may have more rows
// than limit; the caller removes them. more reports whether rows follow the page.
func (r *reader) showChanges(ctx context.Context, at, stopped *Position, limit int) (more bool, err error) {
	more = r.cut || len(r.rows) > limit
	changes := changesBefore(ctx)
	if changes == nil || r.query.Pattern.Index == TableIndex {
		return more, nil
	}
	changed, err := r.table.current(ctx, changes, nil)
	if err != nil || len(changed) == 0 {
		return more, err
	}
	order := r.segmentOrder()
	compare := func(a, b listRow) int {
		if d := order[a.segment] - order[b.segment]; d != 0 {
			return d
		}
		if r.descending {
			a, b = b, a
		}
		return strings.Compare(a.sk, b.sk)
	}
	var added []listRow
	for _, item := range changed {
		added = append(added, r.rowsOf(item)...)
	}
	added = slices.DeleteFunc(added, func(new listRow) bool { // remove rows that belong on other pages
		switch {
		case at != nil && at.SK == "" && order[new.segment] < order[at.Segment]:
			return true
		case at != nil && at.SK != "" && compare(new, listRow{segment: at.Segment, sk: at.SK}) <= 0:
			return true
		case more:
			return compare(new, r.rows[len(r.rows)-1]) > 0
		}
		return stopped != nil && order[new.segment] >= order[stopped.Segment]
	})
	last := listRow{}
	if len(r.rows) > 0 {
		last = r.rows[len(r.rows)-1]
	}
	rows := slices.DeleteFunc(r.rows, func(old listRow) bool {
		_, ok := changed[keyString(old)]
		return ok
	})
	rows = append(rows, added...)
	slices.SortStableFunc(rows, compare)
	if more && len(rows) == 0 {
		rows = []listRow{last} // the next page starts after this row
	}
	r.rows = rows
	return more || len(rows) > limit, nil
}

// segmentOrder returns a number for each segment. Segments that are read earlier have lower
// numbers.
func (r *reader) segmentOrder() map[string]int {
	order := map[string]int{"": 0}
	for i, segment := range r.query.Segments {
		order[segment] = i
		if r.query.Reverse != r.back {
			order[segment] = -i
		}
	}
	return order
}

// rowsOf returns the rows of an item in this list: one or none.
func (r *reader) rowsOf(item Item) []listRow {
	if item == nil {
		return nil
	}
	segments := r.query.Segments
	if r.query.Segment == "" {
		segments = []string{""}
	}
	for _, segment := range segments {
		for shard := range r.shards {
			c, err := r.query.Pattern.Condition(segmentValues{&r.query, segment, shard})
			if err != nil {
				return nil
			}
			if sk, ok := r.query.Pattern.place(item, c); ok {
				return []listRow{{RowOf(item), segment, sk}}
			}
		}
	}
	return nil
}
