package number

// The first byte of an encoded number.
const (
	keyNegative = 0x10
	keyZero     = 0x20
	keyPositive = 0x30
)

// AppendKey appends at most 22 bytes that compare as the numbers do. No
// encoding is a prefix of another, so that a key may continue after it.
func (n Number) AppendKey(dst []byte) []byte {
	if n.length == 0 {
		return append(dst, keyZero)
	}
	class, flip := byte(keyPositive), byte(0)
	if n.negative {
		// Larger magnitudes sort first.
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
	// Pairs are 1…100, so this sorts before any further pair.
	return append(dst, flip)
}
