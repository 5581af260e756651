package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"stockroom/store/key"
)

// AuditKey is a secret key that seals the history; see AuditSeal. The table must not
// contain it: somebody who knows the key and can write to the table can falsify seals.
type AuditKey struct {
	ID     string // identifies the key, and reveals nothing about it
	secret []byte
}

// MinAuditKey is the minimum length of the text of an AuditKey, in bytes.
const MinAuditKey = 32

// NewAuditKey returns the key with this text.
func NewAuditKey(text string) AuditKey {
	secret := sha256.Sum256([]byte("stockroom audit key " + text))
	k := AuditKey{secret: secret[:]}
	k.ID = k.mac("id")[:8]
	return k
}

// mac returns the HMAC of a list of strings, in hexadecimal digits.
func (k AuditKey) mac(parts ...string) string {
	mac := hmac.New(sha256.New, k.secret)
	_, _ = fmt.Fprintf(mac, "%q", parts) // never fails; %q quotes each part, so that different lists give different MACs
	return hex.EncodeToString(mac.Sum(nil))
}

// AuditKeys are the keys of this process. The first one makes new seals. All of them
// verify seals and redact events; see redact.
type AuditKeys []AuditKey

// UseAuditKeys sets the keys of the seals. Without keys, days are not sealed.
func (s *Store) UseAuditKeys(keys AuditKeys) { s.auditKeys = keys }

func (keys AuditKeys) withID(id string) (AuditKey, bool) {
	for _, k := range keys {
		if k.ID == id {
			return k, true
		}
	}
	return AuditKey{}, false
}

// content lists the values of an event that its hash covers. It omits empty values,
// so that a new attribute does not change the hashes of older events. It also omits who
// undid the change and when, because the event of the undo contains both.
func (e *Event) content() []string {
	var parts []string
	for _, p := range []struct{ name, value string }{
		{"ID", e.ID},
		{"Partition", e.Partition},
		{"When", key.Time(e.When)},
		{"By", e.By},
		{"What", string(e.What)},
		{"Subject", e.Subject},
		{"Why", e.Why},
		{"Before", e.Before},
		{"After", e.After},
		{"Token", e.Token},
		{"Values", e.Values},
		{"Undoes", e.Undoes},
		{"Address", e.Address},
		{"Attempts", digits(e.Attempts)},
		{"Rows", digits(e.Rows)},
		{"Attempt", e.Attempt},
		{"ImportedBy", e.ImportedBy},
		{"Imported", key.Time(e.Imported)},
		{"Expires", key.Time(e.Expires)},
		{"Audience", e.Audience},
	} {
		if p.value != "" {
			parts = append(parts, p.name, p.value)
		}
	}
	return parts
}

func digits(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// hash returns the keyed hash of an event. Without the key, nobody can guess the contents
// of an event from its hash. For an event that was redacted with this key, it returns the
// hash of the original event.
func (k AuditKey) hash(e *Event) string {
	if original, ok := k.originalHash(e); ok {
		return original
	}
	parts := append([]string{"event"}, e.content()...)
	if e.Redacted != "" {
		parts = append(parts, "Redacted", e.Redacted)
	}
	return k.mac(parts...)
}
