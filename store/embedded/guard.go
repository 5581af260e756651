package embedded

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// guard verifies the pages of a keyspace that a write transaction is about to change.
// Without this, bbolt could copy a damaged page without some of its keys, and the copy
// would look intact.
//
// A guard keeps the last leaf that it verified. Writes in key order therefore search the
// tree once per leaf. They verify the keys on both sides of a gap once, however many keys
// are added in this gap.
type guard struct {
	cursor *cursor // nil for a new bucket, which has no pages yet
	leaf   treePage
	// If verified is true, leaf and the pages above it are verified for the keys from low
	// up to but not including high. A nil low or high means no limit.
	low, high []byte
	verified  bool
	siblings  bool            // the pages next to leaf, and next to the pages above it, are verified too
	gap       int             // position in leaf at which the last verified gap is, or noGap
	ordered   map[uint64]bool // numbers of the pages whose order of keys is verified
}

const noGap = -1

func newGuard(tx *bbolt.Tx, space *keyspace, bucket *bbolt.Bucket) *guard {
	if bucket.Root() == 0 {
		return &guard{}
	}
	c := newCursor(tx, uint64(bucket.Root()), 0)
	c.space = space
	return &guard{cursor: c, ordered: make(map[uint64]bool)}
}

// check verifies what a write of the key depends on: the order of the keys in the leaf of
// the key and in the pages above it. If the key does not exist, check also verifies the
// keys next to it, with their values. If deleted is true, it also verifies the pages next
// to these pages, because bbolt can merge them. It ignores damaged values elsewhere.
func (g *guard) check(key []byte, deleted bool) error {
	if g.cursor == nil {
		return nil
	}
	if !g.covers(key) || deleted && !g.siblings {
		if err := g.enter(key, deleted); err != nil {
			return err
		}
	}
	return g.verifyGap(key)
}

// covers reports whether the verified leaf is the one in which the key belongs.
func (g *guard) covers(key []byte) bool {
	return g.verified && bytes.Compare(key, g.low) >= 0 && (g.high == nil || bytes.Compare(key, g.high) < 0)
}

// enter goes to the leaf of the key. It verifies the order of the keys in this leaf and in
// the pages above it. If siblings is true, it also verifies the pages next to them.
func (g *guard) enter(key []byte, siblings bool) error {
	g.verified = false
	c := g.cursor
	if _, err := c.toLeaf(key); err != nil {
		return err
	}
	g.low, g.high, g.siblings, g.gap = nil, nil, siblings, noGap
	for i := range c.path {
		if err := g.verifyOrder(&c.path[i].page); err != nil {
			return err
		}
		if c.path[i].page.leaf {
			break
		}
		if err := g.narrow(&c.path[i], siblings); err != nil {
			return err
		}
	}
	g.leaf, g.verified = c.top().page, true
	return nil
}

// verifyGap verifies that a key does not exist if the leaf lacks it. To do so, it verifies
// the keys next to it.
func (g *guard) verifyGap(key []byte) error {
	at, exact := g.leaf.search(key)
	if exact || at == g.gap {
		return nil
	}
	if c := g.cursor; c.top().page.number == g.leaf.number {
		c.top().at = at
	} else if _, err := c.toLeaf(key); err != nil { // verifying the last gap moved the cursor to the next leaf
		return err
	}
	if _, _, err := g.cursor.verifyGap(key); err != nil {
		return err
	}
	g.gap = at
	return nil
}

// narrow limits low and high to the keys of the child at a step. If siblings is true, it
// also verifies the pages next to the child.
func (g *guard) narrow(s *step, siblings bool) error {
	if s.at > 0 {
		g.low = s.page.key(s.at)
	}
	if s.at+1 < s.page.count {
		g.high = s.page.key(s.at + 1)
	}
	for at := s.at - 1; siblings && at <= s.at+1; at += 2 {
		if at < 0 || at >= s.page.count {
			continue
		}
		page, err := g.cursor.page(s.page.child(at), g.cursor.flags)
		if err != nil {
			return err
		}
		if !bytes.Equal(page.key(0), s.page.key(at)) {
			return damagedPage(page.number, firstKeyDiffers)
		}
		if err := g.verifyOrder(&page); err != nil {
			return err
		}
	}
	return nil
}

// verifyOrder verifies that the keys of a page are in order, unless it has done so before.
func (g *guard) verifyOrder(p *treePage) error {
	if g.ordered[p.number] {
		return nil
	}
	if err := verifyOrder(p); err != nil {
		return err
	}
	g.ordered[p.number] = true
	return nil
}

// verifyOrder verifies that the keys of a page are in order.
func verifyOrder(p *treePage) error {
	for i := 1; i < p.count; i++ {
		if bytes.Compare(p.key(i-1), p.key(i)) >= 0 {
			return damagedPage(p.number, "its keys are out of order")
		}
	}
	return nil
}

// guardBuckets verifies the tree of the buckets, which every commit changes.
func guardBuckets(tx *bbolt.Tx) error {
	c := bucketCursor(tx)
	if _, _, err := c.first(); err != nil {
		return err
	}
	for {
		if err := verifyOrder(&c.top().page); err != nil {
			return err
		}
		if key, _, err := c.turn(1, firstPlace); err != nil || key == nil {
			return err
		}
	}
}

// guardAll verifies all pages of a keyspace.
func guardAll(tx *bbolt.Tx, space *keyspace) error {
	c, err := space.cursor(tx)
	if err != nil {
		return err
	}
	key, _, err := c.first()
	for key != nil && err == nil {
		key, _, err = c.turn(1, firstPlace)
	}
	return err
}
