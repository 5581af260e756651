package table

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestChanges_EncodeFits encodes different numbers of keys with different limits,
// and expects as many keys as fit.
func TestChanges_EncodeFits(t *testing.T) {
	w := newPacker()
	for _, n := range []int{0, 1, 2, 10, 50, 99, 100, 500} {
		for _, limit := range []int{0, 1, 30, 200, 1000, 1900, 20000} {
			var c Changes
			for i := range n {
				c.keys = append(c.keys, changedKey{"part", Key("p#1", fmt.Sprintf("w#%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)})))})
			}
			got := c.Encode(limit)
			decoded := DecodeChanges(got)
			most := min(n, maxBatch)
			want := most
			for want > 0 && len(w.pack(itemsOf(c.keys[:want]))) > limit {
				want--
			}
			if len(got) > limit || len(decoded.keys) != want {
				t.Errorf("%d keys in %d bytes: got %d keys in %d bytes, want %d keys", n, limit, len(decoded.keys), len(got), want)
			}
		}
	}
}
