package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"
)

// keyspace is a bucket of the file. Each value in it is sealed:
//
//	checksum   4 bytes, little endian: CRC-32C of the bucket's name, the
//	           key and what follows
//	format     1 byte
//	body
//
// bbolt checks its header pages only. Because the checksum covers name and
// key as well, a value that turns up in a wrong place is found like one with
// a flipped bit. CRC-32C is what processors have an instruction for.
type keyspace struct {
	name  []byte
	label string // for people: what messages call it
	seed  uint32
}

const (
	sealLen    = 5
	formatBody = 1
)

// filler is the last key of every bucket, and not part of what the keyspace
// holds. Its value is so long that bbolt does not keep a small bucket inside
// its parent's page. Such a bucket is read from a copy on Go's heap, and damage
// to the offsets in it makes slices of whatever lies beside the copy, which
// crashes the garbage collector. Within the mapping of the file, which is
// larger than any of these offsets, damage leads to wrong bytes at worst, and
// those have no right checksum.
var filler = []byte{0xFF}

const fillerLen = pageSize / 4

// atEnd tells whether a cursor has passed all keys of a keyspace.
func atEnd(key []byte) bool { return key == nil || bytes.Equal(key, filler) }

// create makes the bucket.
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

// seal returns a value that holds body under key.
func (s *keyspace) seal(key, body []byte) []byte {
	value := make([]byte, sealLen, sealLen+len(body))
	value[4] = formatBody
	value = append(value, body...)
	binary.LittleEndian.PutUint32(value, s.checksum(key, value))
	return value
}

func (s *keyspace) checksum(key, value []byte) uint32 {
	return crc32.Update(crc32.Update(s.seed, castagnoli, key), castagnoli, value[4:])
}

// unseal returns the body of a value, which lies in the value.
func (s *keyspace) unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealLen {
		return nil, s.damaged(key, "it is cut short")
	}
	if binary.LittleEndian.Uint32(value) != s.checksum(key, value) {
		return nil, s.damaged(key, "its checksum does not match")
	}
	if value[4] != formatBody {
		return nil, s.damaged(key, "it has an unknown format")
	}
	return value[sealLen:], nil
}

// get returns the body stored under key. It lies in the file's memory and is
// valid as long as the transaction.
func (s *keyspace) get(tx *bbolt.Tx, key []byte) (body []byte, found bool, err error) {
	bucket, err := s.bucket(tx)
	if err != nil {
		return nil, false, err
	}
	at, value, err := s.seek(bucket.Cursor(), key)
	if err != nil || !bytes.Equal(at, key) {
		return nil, false, err
	}
	body, err = s.unseal(key, value)
	return body, err == nil, err
}

// seek moves the cursor to the first key that is not below target. That this is
// the place is verified by its neighbours: a damaged key in a page above sends
// a search elsewhere, where what is stored would seem not to be there.
func (s *keyspace) seek(cursor *bbolt.Cursor, target []byte) (key, value []byte, err error) {
	key, value = cursor.Seek(target)
	if bytes.Equal(key, target) {
		return key, value, nil
	}
	before, _ := cursor.Prev()
	if key == nil || bytes.Compare(key, target) < 0 || before != nil && bytes.Compare(before, target) >= 0 {
		return nil, nil, s.damaged(target, "the search for it leads to a wrong place")
	}
	if before == nil {
		key, value = cursor.Seek(target)
	} else {
		key, value = cursor.Next()
	}
	return key, value, nil
}

// each calls visit for every key in order.
func (s *keyspace) each(tx *bbolt.Tx, visit func(key, body []byte) error) error {
	bucket, err := s.bucket(tx)
	if err != nil {
		return err
	}
	cursor := bucket.Cursor()
	for key, value := cursor.First(); !atEnd(key); key, value = cursor.Next() {
		body, err := s.unseal(key, value)
		if err != nil {
			return err
		}
		if err := visit(key, body); err != nil {
			return err
		}
	}
	return nil
}

func (s *keyspace) bucket(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	if bucket := tx.Bucket(s.name); bucket != nil {
		return bucket, nil
	}
	return nil, &DamageError{Where: s.label, Cause: "it is missing from the file"}
}

// damaged is the error for what is under key, or with a nil key for all of it.
func (s *keyspace) damaged(key []byte, cause string) error {
	if key == nil {
		return &DamageError{Where: s.label, Cause: cause}
	}
	return &DamageError{Where: s.label, Key: readable(key), Cause: cause}
}
