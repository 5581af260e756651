package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// eventKey is the secret key of the hashes in the IDs of hourly events, which count
// downloads, failed sign-ins or refused access tokens. A client that could compute such a
// hash could occupy the ID of another user's event.
//
// Each process has its own random key, which is not stored. With a stored key, someone who
// can read the table could guess user names from the hashes. Because servers have different
// keys, each server records its own event for an hour. This does no harm.
type eventKey [sha256.Size]byte

func newEventKey() (k eventKey) {
	_, _ = rand.Read(k[:]) // never fails
	return k
}

// UseEventKey replaces the random key. Tests use it to get the same events in each
// run.
func (s *Store) UseEventKey(key [sha256.Size]byte) { s.eventKey = key }

func (k *eventKey) hash(parts ...string) []byte {
	mac := hmac.New(sha256.New, k[:])
	_, _ = fmt.Fprintf(mac, "%q", parts) // never fails; %q quotes each part, so that different lists give different hashes
	return mac.Sum(nil)
}

// hourID returns an event ID for the hour of a time. The ID ends with the given bytes, at
// most ten.
func hourID(when time.Time, end []byte) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(when.Truncate(time.Hour))) // SetTime fails only after the year 10889
	copy(id[len(id)-len(end):], end)
	return id.String()
}
