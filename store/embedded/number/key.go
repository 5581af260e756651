package number

// Values of the first byte of an encoded number, in ascending order of the numbers.
const (
	keyNegative = 0x10
	keyZero     = 0x20
	keyPositive = 0x30
)

// AppendKey appends an encoding of n that sorts like the number. It has at most 22
// bytes. No encoding is a prefix of another one, so a key can continue after a number.
func (n Number) AppendKey(dst []byte) []byte {
	if n.length == 0 {
		return append(dst, keyZero)
	}
	class, flip := byte(keyPositive), byte(0)
	if n.negative {
		// Invert all further bytes, because negative numbers with larger magnitudes sort
		// first.
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
	// End with a byte that sorts before pairs of digits, which are encoded as 1 to 100.
	return append(dst, flip)
}
