package web

import (
	"crypto/hmac"
	"crypto/sha256"
)

// derived makes a key for one purpose from the business's key, so that what
// was signed for one can never pass for another.
func derived(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("stockroom " + purpose))
	return mac.Sum(nil)
}
