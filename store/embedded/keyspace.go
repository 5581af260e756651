package embedded

import (
	"encoding/binary"
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
	value := bucket.Get(key)
	if value == nil {
		return nil, false, nil
	}
	body, err = s.unseal(key, value)
	return body, err == nil, err
}

func (s *keyspace) bucket(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	if bucket := tx.Bucket(s.name); bucket != nil {
		return bucket, nil
	}
	return nil, &DamageError{Where: s.label, Cause: "it is missing from the file"}
}

func (s *keyspace) damaged(key []byte, cause string) error {
	return &DamageError{Where: s.label, Key: readable(key), Cause: cause}
}
