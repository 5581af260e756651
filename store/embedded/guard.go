package embedded

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// guard verifies pages of a keyspace before a write transaction changes them.
// Otherwise bbolt would copy a damaged page without the lost keys, and reads would no
// longer find the damage.
type guard struct {
	cursor *cursor // nil for a new bucket
	// low and high are the keys between which the order is verified; nil means no
	// limit. They apply if verified is true.
	low, high []byte
	verified  bool
	siblings  bool // the neighbours of these pages are verified too
}

func newGuard(tx *bbolt.Tx, space *keyspace, bucket *bbolt.Bucket) *guard {
	if bucket.Root() == 0 {
		return &guard{}
	}
	c := newCursor(tx, uint64(bucket.Root()), 0)
	c.space = space
	return &guard{cursor: c}
}

// check verifies that the key can be written: if it does not exist, its neighbours,
// and the order of the keys in the pages that would contain it. Damaged values of
// other keys in these pages do not matter. If the key is deleted, bbolt can merge
// pages with their neighbours, so check verifies these too.
func (g *guard) check(key []byte, deleted bool) error {
	if g.cursor == nil {
		return nil
	}
	c := g.cursor
	if _, _, err := c.seek(key); err != nil {
		return err
	}
	if g.verified && (g.siblings || !deleted) && bytes.Compare(key, g.low) >= 0 && (g.high == nil || bytes.Compare(key, g.high) < 0) {
		return nil
	}
	g.verified = false
	if _, err := c.toLeaf(key); err != nil {
		return err
	}
	g.low, g.high, g.siblings = nil, nil, deleted
	for i := range c.path {
		if err := verifyOrder(&c.path[i].page); err != nil {
			return err
		}
		if c.path[i].page.leaf {
			break
		}
		if err := g.narrow(&c.path[i], deleted); err != nil {
			return err
		}
	}
	g.verified = true
	return nil
}

// narrow sets the range of keys of the child at a step, and verifies its neighbours
// if siblings is true.
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
		if err := verifyOrder(&page); err != nil {
			return err
		}
	}
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
