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

// cursors encodes positions in lists as text for URLs, with a signature. The
// signature depends on the list, the filters and the user (see Query.scope). A cursor
// therefore cannot be forged, or used for another list or by another user.
type cursors struct{ keys [][]byte }

const (
	signatureBytes = 16   // length of the signature
	maxCursor      = 4096 // characters; enough for the longest keys
)

func newCursors(keys [][]byte) *cursors {
	c := &cursors{}
	for _, key := range keys {
		c.keys = append(c.keys, deriveKey(key, "cursor"))
	}
	return c
}

// seal encodes a position: the signature, a byte for the direction, and each part of
// the position with its length.
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

// open decodes a cursor that seal encoded for the same scope. It returns a 400
// error for any other text.
func (c *cursors) open(text, scope string) (*store.Position, error) {
	invalid := echo.NewHTTPError(http.StatusBadRequest, "This page link is no longer valid. Start again from the first page.")
	if len(text) > maxCursor {
		return nil, invalid
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) <= signatureBytes || !c.verify(b, scope) {
		return nil, invalid
	}
	at := &store.Position{Back: b[signatureBytes] == 1}
	rest := b[signatureBytes+1:]
	for _, part := range []*string{&at.Segment, &at.SK, &at.ItemPK, &at.ItemSK} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return nil, invalid
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

func signature(key, position []byte, scope string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(position)
	mac.Write([]byte{0})
	mac.Write([]byte(scope))
	return mac.Sum(nil)[:signatureBytes]
}
