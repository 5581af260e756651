package store

import (
	"cmp"
	"crypto/hmac"
	"strings"
)

// redact returns a copy of redacted in which the field Redacted is set. redacted is the
// original event without personal data. For each key in use, the field contains the hash of
// the original event, so that seals of the original event remain valid. It also contains a
// MAC of this hash and of the remaining values, which proves that somebody with the key has
// redacted the event. Without keys, days are not sealed, and the field contains no hash.
func (keys AuditKeys) redact(original *Event, redacted Event) *Event {
	entries := make([]string, len(keys))
	for i, k := range keys {
		hash := k.hash(original)
		entries[i] = strings.Join([]string{k.ID, hash, k.redactionMAC(&redacted, hash)}, " ")
	}
	redacted.Redacted = cmp.Or(strings.Join(entries, ","), "without a key")
	return &redacted
}

func (k AuditKey) redactionMAC(e *Event, original string) string {
	return k.mac(append([]string{"redacted", original}, e.content()...)...)
}

// originalHash returns the hash that the event had before it was redacted. ok is false if
// the event is not redacted, was redacted without this key, or was changed after its
// redaction.
func (k AuditKey) originalHash(e *Event) (hash string, ok bool) {
	for _, entry := range strings.Split(e.Redacted, ",") {
		parts := strings.Split(entry, " ")
		if len(parts) == 3 && parts[0] == k.ID && hmac.Equal([]byte(parts[2]), []byte(k.redactionMAC(e, parts[1]))) {
			return parts[1], true
		}
	}
	return "", false
}
