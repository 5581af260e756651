package table

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestChanges_EncodeFits encodes different numbers of keys with different limits. As many
// keys as fit, up to maxBatch, must be kept.
func TestChanges_EncodeFits(t *testing.T) {
	w := newPacker()
	for _, n := range []int{0, 1, 2, 10, 50, 99, 100, 500} {
		for _, limit := range []int{0, 1, 30, 200, 1000, 1900, 20000} {
			c := Changes{cost: WriteCost{Transactions: 2, Items: n, Units: 14.5}}
			for i := range n {
				c.keys = append(c.keys, changedKey{"part", Key("p#1", fmt.Sprintf("w#%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)})))})
			}
			got := c.Encode(limit)
			decoded := DecodeChanges(got)
			room := limit - len(fmt.Sprintf("2 %d 14.5\x1d", n))
			want := min(n, maxBatch)
			for want > 0 && len(w.pack(itemsOf(c.keys[:want]))) > room {
				want--
			}
			if room >= 0 && decoded.Cost() != c.Cost() {
				t.Errorf("%d keys in %d bytes: got cost %+v, want %+v", n, limit, decoded.Cost(), c.Cost())
			}
			if len(got) > limit || len(decoded.keys) != want {
				t.Errorf("%d keys in %d bytes: got %d keys in %d bytes, want %d keys", n, limit, len(decoded.keys), len(got), want)
			}
		}
	}
}
