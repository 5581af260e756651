package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// cursors encodes positions in lists as text for URLs, with a signature. The
// signature depends on the list, the filters and the user (see Query.scope). A cursor
// therefore cannot be forged, or used for another list or by another user.
type cursors struct{ keys []*signingKey }

const (
	signatureBytes = 16   // length of the signature
	maxCursor      = 4096 // maximum length in characters; enough for the longest keys
)

func newCursors(keys [][]byte) *cursors {
	c := &cursors{}
	for _, key := range keys {
		c.keys = append(c.keys, newSigningKey(deriveKey(key, "cursor")))
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
	c.keys[0].sign(b[:signatureBytes], b[signatureBytes:], scope)
	var memory [512]byte
	return string(base64.RawURLEncoding.AppendEncode(memory[:0], b))
}

// open decodes a cursor that seal encoded for the same scope. It returns a 400 error for
// any other string.
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
	var want [signatureBytes]byte
	for _, key := range c.keys {
		key.sign(want[:], b[signatureBytes:], scope)
		if hmac.Equal(b[:signatureBytes], want[:]) {
			return true
		}
	}
	return false
}

// signingKey signs cursors. It reuses HMACs and their buffers, which saves memory.
type signingKey struct{ macs sync.Pool }

// mac is an HMAC with a buffer for its input and output.
type mac struct {
	hash.Hash
	buffer []byte
}

func newSigningKey(key []byte) *signingKey {
	return &signingKey{sync.Pool{New: func() any { return &mac{Hash: hmac.New(sha256.New, key)} }}}
}

// sign fills signature with the first bytes of the HMAC of position and scope.
func (k *signingKey) sign(signature, position []byte, scope string) {
	m, _ := k.macs.Get().(*mac)
	defer k.macs.Put(m)
	m.buffer = append(append(append(m.buffer[:0], position...), 0), scope...)
	m.Reset()
	m.Write(m.buffer)
	m.buffer = m.Sum(m.buffer[:0])
	copy(signature, m.buffer)
}
