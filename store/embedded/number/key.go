package number

// The first byte of an encoded number; the gaps keep it apart from the bytes
// that follow when a key is read by eye.
const (
	keyNegative = 0x10
	keyZero     = 0x20
	keyPositive = 0x30
)

// AppendKey appends bytes to dst that compare as the numbers do: for numbers a
// and b, a < b exactly when the bytes of a sort before those of b. No encoding
// is the beginning of another, so that something may follow it in a key. It
// adds 22 bytes at most.
func (n Number) AppendKey(dst []byte) []byte {
	if n.length == 0 {
		return append(dst, keyZero)
	}
	class, flip := byte(keyPositive), byte(0)
	if n.negative {
		// The larger a negative number's magnitude, the earlier it sorts.
		class, flip = keyNegative, 0xFF
	}
	dst = append(dst, class, byte(n.exponent-minExponent)^flip)
	for i := 0; i < int(n.length); i += 2 {
		pair := (n.digits[i] - '0') * 10
		if i+1 < int(n.length) {
			pair += n.digits[i+1] - '0'
		}
		dst = append(dst, (pair+1)^flip)
	}
	// Pairs are 1…100, so this ends a number before any that goes on.
	return append(dst, flip)
}
