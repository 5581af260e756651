package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"
)

// maxTreeDepth is the maximum depth of a tree. A branch has at least two children, so
// a deeper tree would not fit into any file.
const maxTreeDepth = 40

// usualTreeDepth is a depth that few trees exceed. A cursor has space for a path of this
// length, so that it usually needs no further allocation.
const usualTreeDepth = 6

// cursor moves through the keys of a bucket, as they were at the last commit before the
// cursor's transaction. It verifies each page to which it moves.
type cursor struct {
	mapping
	space *keyspace
	flags uint32 // flags of the elements of leaves
	root  uint64
	path  []step // pages from the root to the current leaf
	steps [usualTreeDepth]step
}

// step is a page on the path from the root to the current key, with the position in
// it.
type step struct {
	page treePage
	at   int
}

func (s *keyspace) cursor(tx *bbolt.Tx) (*cursor, error) {
	c, err := openBucket(tx, s.name)
	if err == errNoBucket {
		return nil, s.damaged(nil, err.Error())
	}
	if err != nil {
		return nil, err
	}
	c.space = s
	return c, nil
}

func newCursor(tx *bbolt.Tx, root uint64, flags uint32) *cursor {
	c := &cursor{mapping: mappingOf(tx), flags: flags, root: root}
	c.path = c.steps[:0]
	return c
}

// descend goes to a child of the current page. The function place returns the position in
// the child at which the cursor starts.
func (c *cursor) descend(number uint64, place func(*treePage) int) error {
	if len(c.path) == maxTreeDepth {
		return damagedPage(number, "the pages form a cycle")
	}
	page, err := c.page(number, c.flags)
	if err != nil {
		return err
	}
	if len(c.path) > 0 {
		parent := c.top()
		if !bytes.Equal(page.key(0), parent.page.key(parent.at)) {
			return damagedPage(number, firstKeyDiffers)
		}
	}
	c.path = append(c.path, step{page: page})
	top := c.top()
	top.at = place(&top.page) // &page would move the variable page to the heap
	return nil
}

func (c *cursor) top() *step { return &c.path[len(c.path)-1] }

// descendToLeaf goes from the current page to a leaf.
func (c *cursor) descendToLeaf(place func(*treePage) int) error {
	for !c.top().page.leaf {
		if err := c.descend(c.top().page.child(c.top().at), place); err != nil {
			return err
		}
	}
	return nil
}

// toLeaf goes from the root to the leaf in which target belongs, and there to the
// first key that is not less than target. This position can be after the last key.
func (c *cursor) toLeaf(target []byte) (exact bool, err error) {
	place := func(p *treePage) int {
		at, found := p.search(target)
		if exact = found; !p.leaf && !found && at > 0 {
			at-- // go to the child that contains target, which begins before target
		}
		return at
	}
	c.path = c.path[:0]
	if err := c.descend(c.root, place); err != nil {
		return false, err
	}
	err = c.descendToLeaf(place)
	return exact, err
}

func firstPlace(*treePage) int  { return 0 }
func lastPlace(p *treePage) int { return p.count - 1 }

// current returns the current key and value, or nil if the position is after the last
// key of the leaf.
func (c *cursor) current() (key, value []byte) {
	top := c.top()
	if top.at >= top.page.count {
		return nil, nil
	}
	return top.page.key(top.at), top.page.value(top.at)
}

func (c *cursor) first() (key, value []byte, err error) {
	c.path = c.path[:0]
	if err := c.descend(c.root, firstPlace); err != nil {
		return nil, nil, err
	}
	if err := c.descendToLeaf(firstPlace); err != nil {
		return nil, nil, err
	}
	key, value = c.current()
	return key, value, nil
}

// next goes to the next key. After the last key it returns nil.
func (c *cursor) next() (key, value []byte, err error) {
	if top := c.top(); top.at+1 < top.page.count {
		top.at++
		key, value = c.current()
		return key, value, nil
	}
	return c.turn(1, firstPlace)
}

// prev goes to the previous key. Before the first key it returns nil.
func (c *cursor) prev() (key, value []byte, err error) {
	if top := c.top(); top.at > 0 {
		top.at--
		key, value = c.current()
		return key, value, nil
	}
	return c.turn(-1, lastPlace)
}

// turn goes to the next leaf if the argument by is 1, or to the previous leaf if it is -1.
// If there is none, the position does not change.
func (c *cursor) turn(by int, place func(*treePage) int) (key, value []byte, err error) {
	whole := c.path
	for len(c.path) > 1 {
		c.path = c.path[:len(c.path)-1]
		top := c.top()
		if at := top.at + by; at >= 0 && at < top.page.count {
			top.at = at
			if err := c.descendToLeaf(place); err != nil {
				return nil, nil, err
			}
			key, value = c.current()
			return key, value, nil
		}
	}
	c.path = whole
	return nil, nil, nil
}

// seek goes to the first key that is not less than target. If the key is greater than
// target, seek also verifies this key and the one before it. Two neighboring keys prove
// that target does not exist.
func (c *cursor) seek(target []byte) (key, value []byte, err error) {
	exact, err := c.toLeaf(target)
	if err != nil {
		return nil, nil, err
	}
	if exact {
		key, value = c.current()
		return key, value, nil
	}
	return c.verifyGap(target)
}

// verifyGap verifies that target belongs between the keys before and after the current
// position, and verifies both keys. It leaves the cursor at the key after the position.
func (c *cursor) verifyGap(target []byte) (key, value []byte, err error) {
	previous, value, err := c.prev()
	if err != nil {
		return nil, nil, err
	}
	if previous == nil {
		key, value = c.current()
	} else {
		if err := c.space.verify(previous, value); err != nil {
			return nil, nil, err
		}
		if key, value, err = c.next(); err != nil {
			return nil, nil, err
		}
	}
	if key == nil {
		return nil, nil, c.space.damaged(target, "the end marker is missing")
	}
	if bytes.Compare(key, target) <= 0 || previous != nil && bytes.Compare(previous, target) >= 0 {
		return nil, nil, c.space.damaged(target, "the search ends at the wrong position")
	}
	return key, value, c.space.verify(key, value)
}

// openBucket returns a cursor for a bucket. In a write transaction, the cursor sees the
// bucket without the changes of this transaction.
func openBucket(tx *bbolt.Tx, name []byte) (*cursor, error) {
	c := bucketCursor(tx)
	exact, err := c.toLeaf(name)
	if err != nil {
		return nil, err
	}
	if !exact {
		return nil, errNoBucket
	}
	_, value := c.current()
	if len(value) != bucketLen {
		return nil, damagedPage(c.top().page.number, "it has a bucket of the wrong size")
	}
	c.root, c.flags = binary.NativeEndian.Uint64(value), 0
	return c, nil
}

// errNoBucket means that the file lacks a bucket that the store needs.
var errNoBucket = errors.New("the bucket is missing")

// bucketCursor returns a cursor for the tree of the buckets.
func bucketCursor(tx *bbolt.Tx) *cursor {
	return newCursor(tx, uint64(tx.Cursor().Bucket().Root()), bucketFlag)
}

const firstKeyDiffers = "its first key differs from the one in the page above it"
