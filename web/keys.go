package web

import (
	"crypto/hmac"
	"crypto/sha256"
)

// deriveKey derives a key for one purpose from a session key. A signature for one
// purpose is invalid for all other purposes.
func deriveKey(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("stockroom " + purpose))
	return mac.Sum(nil)
}
