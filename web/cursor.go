package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// cursors turn a place in a list into text for an address and back. The text
// is signed together with the list, its filters and who is asking, so a place
// cannot be made up, carried to another list or handed to another user.
type cursors struct{ keys [][]byte }

const (
	signatureBytes = 16   // of the HMAC: far beyond guessing
	maxCursor      = 4096 // of text: keys are no longer
)

func newCursors(keys [][]byte) *cursors {
	c := &cursors{}
	for _, key := range keys {
		c.keys = append(c.keys, derived(key, "cursor"))
	}
	return c
}

// seal writes a place: the signature, then whether it leads back, then each
// part with its length before it.
func (c *cursors) seal(at *store.Position, scope string) string {
	b := make([]byte, signatureBytes, 256)
	back := byte(0)
	if at.Back {
		back = 1
	}
	b = append(b, back)
	for _, part := range []string{at.Segment, at.SK, at.ItemPK, at.ItemSK} {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	copy(b, signature(c.keys[0], b[signatureBytes:], scope))
	return base64.RawURLEncoding.EncodeToString(b)
}

// open reads what seal wrote for the same scope, and nothing else.
func (c *cursors) open(text, scope string) (*store.Position, error) {
	refused := echo.NewHTTPError(http.StatusBadRequest, "This link to a page does not belong to this list. Go to its beginning and on from there.")
	if len(text) > maxCursor {
		return nil, refused
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) <= signatureBytes || !c.verify(b, scope) {
		return nil, refused
	}
	at := &store.Position{Back: b[signatureBytes] == 1}
	rest := b[signatureBytes+1:]
	for _, part := range []*string{&at.Segment, &at.SK, &at.ItemPK, &at.ItemSK} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return nil, refused
		}
		*part = string(rest[size : size+int(n)])
		rest = rest[size+int(n):]
	}
	return at, nil
}

func (c *cursors) verify(b []byte, scope string) bool {
	for _, key := range c.keys {
		if hmac.Equal(b[:signatureBytes], signature(key, b[signatureBytes:], scope)) {
			return true
		}
	}
	return false
}

func signature(key, place []byte, scope string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(place)
	mac.Write([]byte{0})
	mac.Write([]byte(scope))
	return mac.Sum(nil)[:signatureBytes]
}
