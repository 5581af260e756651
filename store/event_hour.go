package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// eventKey is the key of the hashes that choose the events of an hour. If clients could
// compute the hash, they could fill the events of other users.
//
// Each process has its own random key, and it is not stored. Servers need not agree on
// the events: at worst, each server has its own event of the same hour. With a key in
// the table, somebody who can read the table could guess names from their hashes.
type eventKey [sha256.Size]byte

func newEventKey() (k eventKey) {
	_, _ = rand.Read(k[:]) // never fails
	return k
}

// UseEventKey replaces the random key. It is for tests, whose events must not depend on
// chance.
func (s *Store) UseEventKey(key [sha256.Size]byte) { s.eventKey = key }

// hash returns the keyed hash of a list of texts.
func (k *eventKey) hash(parts ...string) []byte {
	mac := hmac.New(sha256.New, k[:])
	_, _ = fmt.Fprintf(mac, "%q", parts) // never fails; %q keeps the parts apart
	return mac.Sum(nil)
}

// hourID returns an event ID in the hour of a time. end is the last bytes of the ID, at
// most ten.
func hourID(when time.Time, end []byte) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(when.Truncate(time.Hour))) // fails after the year 10889
	copy(id[len(id)-len(end):], end)
	return id.String()
}
