package web

import (
	"crypto/hmac"
	"crypto/sha256"
)

// deriveKey derives the key for one purpose from a session key, so that a
// signature made for one purpose never verifies for another.
func deriveKey(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("stockroom " + purpose))
	return mac.Sum(nil)
}
