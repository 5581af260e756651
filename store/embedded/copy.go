package embedded

import (
	"bytes"
	"context"
	"fmt"

	"go.etcd.io/bbolt"
)

// copyTx is the number of bytes that one transaction of a copy writes.
const copyTx = 16 << 20

// storeCopy copies a store, except its free pages, into an empty bbolt file. It verifies
// every page and entry that it reads.
type storeCopy struct {
	ctx     context.Context
	closing <-chan struct{}
	to      *bbolt.DB
	tx      *bbolt.Tx // nil outside of a transaction
	bytes   int       // bytes that tx has written
}

// copyTo copies a snapshot to an empty file.
func (db *DB) copyTo(ctx context.Context, to *bbolt.DB, from *bbolt.Tx) error {
	c := &storeCopy{ctx: ctx, closing: db.closing, to: to}
	return c.run(func() error {
		if err := guardBuckets(from); err != nil {
			return err
		}
		return from.ForEach(func(name []byte, bucket *bbolt.Bucket) error { return c.bucket(from, name, bucket.Sequence()) })
	})
}

// run calls the function work, and then commits the transaction that work left open. If
// work fails, run rolls back the transaction.
func (c *storeCopy) run(work func() error) (err error) {
	defer func() {
		if c.tx != nil {
			_ = c.tx.Rollback()
		}
	}()
	if err := work(); err != nil {
		return err
	}
	return c.commit()
}

// bucketIn returns a bucket of the copy. It creates the bucket if it is missing, and starts
// a transaction if none is open.
func (c *storeCopy) bucketIn(name []byte) (*bbolt.Bucket, error) {
	if c.tx == nil {
		tx, err := c.to.Begin(true)
		if err != nil {
			return nil, err
		}
		c.tx, c.bytes = tx, 0
	}
	bucket, err := c.tx.CreateBucketIfNotExists(name)
	if err == nil {
		bucket.FillPercent = loadFillPercent
	}
	return bucket, err
}

func (c *storeCopy) commit() error {
	if c.tx == nil {
		return nil
	}
	tx := c.tx
	c.tx = nil
	return tx.Commit()
}

// bucket copies a bucket that the copy does not have yet.
func (c *storeCopy) bucket(from *bbolt.Tx, name []byte, sequence uint64) error {
	space := keyspaceNamed(name)
	cursor, err := space.cursor(from)
	if err != nil {
		return err
	}
	to, err := c.bucketIn(name)
	if err != nil {
		return err
	}
	if err := to.SetSequence(sequence); err != nil {
		return err
	}
	key, value, err := cursor.first()
	for ; err == nil && key != nil; key, value, err = cursor.next() {
		if err := c.put(space, to, key, value); err != nil {
			return err
		}
		if c.bytes < copyTx {
			continue
		}
		if err := c.interrupted(); err != nil {
			return err
		}
		if err := c.commit(); err != nil {
			return err
		}
		if to, err = c.bucketIn(name); err != nil {
			return err
		}
	}
	return err
}

// put verifies an entry and writes it to a bucket of the copy. The entry with the format
// version has no checksum to verify.
func (c *storeCopy) put(space *keyspace, to *bbolt.Bucket, key, value []byte) error {
	if !bytes.Equal(space.name, format.name) || bytes.Equal(key, filler) {
		if err := space.verify(key, value); err != nil {
			return err
		}
	}
	c.bytes += len(key) + len(value)
	return to.Put(key, value)
}

func (c *storeCopy) interrupted() error {
	select {
	case <-c.closing:
		return ErrClosed
	default:
		return c.ctx.Err()
	}
}

func keyspaceNamed(name []byte) *keyspace {
	return newKeyspace(string(name), fmt.Sprintf("bucket %q", name))
}

// catchUp applies the changes between two snapshots to a copy of the older snapshot. It
// reads only the pages that differ. The older snapshot must still be open: bbolt then
// reuses none of its pages, so a page with the same number has the same content in both
// snapshots. The argument oldPages contains the pages of the older snapshot; see
// pagesOf.
func (c *storeCopy) catchUp(older, newer *bbolt.Tx, oldPages pageSet) error {
	return c.run(func() error {
		err := older.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			if newer.Bucket(name) != nil {
				return nil
			}
			if _, err := c.bucketIn(name); err != nil {
				return err
			}
			return c.tx.DeleteBucket(name)
		})
		if err != nil {
			return err
		}
		return newer.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			if older.Bucket(name) == nil {
				return c.bucket(newer, name, bucket.Sequence())
			}
			return c.bucketChanges(older, newer, name, oldPages)
		})
	})
}

// bucketChanges applies the changes of a bucket that both snapshots have.
func (c *storeCopy) bucketChanges(older, newer *bbolt.Tx, name []byte, oldPages pageSet) error {
	space := keyspaceNamed(name)
	was, is := older.Bucket(name), newer.Bucket(name)
	to, err := c.bucketIn(name)
	if err != nil {
		return err
	}
	if err := to.SetSequence(is.Sequence()); err != nil {
		return err
	}
	if was.Root() == is.Root() {
		return nil
	}
	shared := pageSet{}
	err = walkPages(mappingOf(newer), uint64(is.Root()), func(p *treePage) (bool, error) {
		if oldPages.has(p.number) {
			shared.add(p.number)
			return false, nil
		}
		if !p.leaf {
			return true, nil
		}
		for i := range p.count {
			if err := c.put(space, to, p.key(i), p.value(i)); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	cursor, err := space.cursor(newer)
	if err != nil {
		return err
	}
	return walkPages(mappingOf(older), uint64(was.Root()), func(p *treePage) (bool, error) {
		if shared.has(p.number) || !p.leaf {
			return !shared.has(p.number), nil
		}
		for i := range p.count {
			key, _, err := cursor.seek(p.key(i))
			if err == nil && !bytes.Equal(key, p.key(i)) {
				err = to.Delete(p.key(i))
			}
			if err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// walkPages calls visit for the pages of a tree. It skips the children of a page if visit
// returns false.
func walkPages(m mapping, root uint64, visit func(*treePage) (bool, error)) error {
	return walkPagesTo(&m, root, 0, visit)
}

func walkPagesTo(m *mapping, number uint64, depth int, visit func(*treePage) (bool, error)) error {
	if depth == maxTreeDepth {
		return damagedPage(number, "the pages form a cycle")
	}
	page, err := m.page(number, 0)
	if err != nil {
		return err
	}
	below, err := visit(&page)
	if err != nil || !below || page.leaf {
		return err
	}
	for i := range page.count {
		if err := walkPagesTo(m, page.child(i), depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// pageSet is a set of page numbers, with one bit per page.
type pageSet map[uint64]uint64

func (s pageSet) add(page uint64)      { s[page/64] |= 1 << (page % 64) }
func (s pageSet) has(page uint64) bool { return s[page/64]&(1<<(page%64)) != 0 }

// pagesOf returns the pages of all buckets of a snapshot.
func pagesOf(tx *bbolt.Tx) (pageSet, error) {
	pages := pageSet{}
	err := tx.ForEach(func(_ []byte, bucket *bbolt.Bucket) error {
		return walkPages(mappingOf(tx), uint64(bucket.Root()), func(p *treePage) (bool, error) {
			pages.add(p.number)
			return true, nil
		})
	})
	return pages, err
}
