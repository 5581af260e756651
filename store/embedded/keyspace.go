package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"
)

// keyspace is a bucket of the file. The method seal adds a checksum and a format to each
// value:
//
//	checksum   4 bytes, little endian: CRC-32C of the bucket's name, the
//	           key and what follows
//	format     1 byte
//	body
//
// bbolt itself has checksums for its header pages only. The checksum of a value also covers
// the bucket's name and the key, so it detects a value in the wrong place.
type keyspace struct {
	name  []byte
	label string // name in messages
	seed  uint32
	// appended means that new keys are always greater than all existing keys.
	appended bool
}

const (
	sealLen    = 5
	formatBody = 1
)

// filler is the last key of every bucket, and not part of the contents. Its value is long,
// so that bbolt does not store a small bucket inline in its parent's page. bbolt would copy
// an inline bucket to the Go heap. A damaged offset could then make slices point to other
// memory, and crash the garbage collector. In the mapped file, a damaged offset only leads
// to wrong bytes, which fail their checksum.
var filler = []byte{0xFF}

const fillerLen = pageSize / 4

// atEnd reports whether a cursor has reached the end of a keyspace.
func atEnd(key []byte) bool { return key == nil || bytes.Equal(key, filler) }

func (s *keyspace) create(tx *bbolt.Tx) error {
	bucket, err := tx.CreateBucket(s.name)
	if err == nil {
		err = bucket.Put(filler, make([]byte, fillerLen))
	}
	if err != nil {
		return fmt.Errorf("embedded: %s: %w", s.label, err)
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newKeyspace(name, label string) *keyspace {
	return &keyspace{name: []byte(name), label: label, seed: crc32.Checksum([]byte(name), castagnoli)}
}

// seal returns the stored value for a body: with checksum and format.
func (s *keyspace) seal(key, body []byte) []byte {
	value := append(make([]byte, sealLen, sealLen+len(body)), body...)
	s.sealInPlace(key, value)
	return value
}

// sealInPlace seals a value whose first sealLen bytes are free and whose body
// follows.
func (s *keyspace) sealInPlace(key, value []byte) {
	value[4] = formatBody
	binary.LittleEndian.PutUint32(value, s.checksum(key, value))
}

func (s *keyspace) checksum(key, value []byte) uint32 {
	return crc32.Update(crc32.Update(s.seed, castagnoli, key), castagnoli, value[4:])
}

// unseal verifies a stored value and returns its body, which shares memory with the
// value.
func (s *keyspace) unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealLen {
		return nil, s.damaged(key, "the value is too short")
	}
	if binary.LittleEndian.Uint32(value) != s.checksum(key, value) {
		return nil, s.damaged(key, "the checksum does not match")
	}
	if value[4] != formatBody {
		return nil, s.damaged(key, "the format is unknown")
	}
	return value[sealLen:], nil
}

// verify verifies a stored key and value, which may be the filler.
func (s *keyspace) verify(key, value []byte) error {
	if !bytes.Equal(key, filler) {
		_, err := s.unseal(key, value)
		return err
	}
	if len(value) != fillerLen || !bytes.Equal(value, emptyFiller[:]) {
		return s.damaged(nil, "the end marker has changed")
	}
	return nil
}

var emptyFiller [fillerLen]byte

// get returns the body for a key, as it was at the last commit before tx. The body is
// valid until tx ends.
func (s *keyspace) get(tx *bbolt.Tx, key []byte) (body []byte, found bool, err error) {
	c, err := s.cursor(tx)
	if err != nil {
		return nil, false, err
	}
	return s.find(c, key)
}

// find is like get, but moves a cursor of the keyspace to the key.
func (s *keyspace) find(c *cursor, key []byte) (body []byte, found bool, err error) {
	at, value, err := c.seek(key)
	if err != nil || !bytes.Equal(at, key) {
		return nil, false, err
	}
	body, err = s.unseal(key, value)
	return body, err == nil, err
}

// each calls visit for all keys in order.
func (s *keyspace) each(tx *bbolt.Tx, visit func(key, body []byte) error) error {
	cursor, err := s.cursor(tx)
	if err != nil {
		return err
	}
	key, value, err := cursor.first()
	for ; err == nil && !atEnd(key); key, value, err = cursor.next() {
		body, err := s.unseal(key, value)
		if err != nil {
			return err
		}
		if err := visit(key, body); err != nil {
			return err
		}
	}
	if err == nil {
		err = s.verifyEnd(key, value)
	}
	return err
}

// verifyEnd verifies what a cursor has returned at the end of the contents. This must be
// the filler. The key is nil if the filler is missing.
func (s *keyspace) verifyEnd(key, value []byte) error {
	if key == nil {
		return s.damaged(nil, "the end marker is missing")
	}
	return s.verify(key, value)
}

func (s *keyspace) bucket(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	if bucket := tx.Bucket(s.name); bucket != nil {
		return bucket, nil
	}
	return nil, s.damaged(nil, errNoBucket.Error())
}

// damaged returns a DamageError for key, or for the whole keyspace if key is
// nil.
func (s *keyspace) damaged(key []byte, cause string) error {
	if key == nil {
		return &DamageError{Where: s.label, Cause: cause}
	}
	return &DamageError{Where: s.label, Key: formatKey(key), Cause: cause}
}
