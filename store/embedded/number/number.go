// Package number is DynamoDB's number type: decimals of up to 38 significant
// digits with magnitudes from 1E-130 to 9.99…E+125, exact in every operation.
// It parses and writes them, compares, adds and subtracts them, and encodes
// them as bytes that sort as the numbers do.
//
// It knows nothing of attributes, items or expressions, and has no use for
// floating point: a binary float cannot hold what a caller may store.
package number

import "strings"

// The range that DynamoDB documents for a number.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// Number is one decimal value. The zero value is 0. Two Numbers that are equal
// in value are equal under ==, because digits are kept without leading and
// trailing zeros.
type Number struct {
	negative bool
	length   uint8           // digits in use; 0 means the value 0
	exponent int16           // power of ten of the first digit: 12.5 has 1
	digits   [maxDigits]byte // as text, and 0 beyond length
}

// Error says why a text is not a number or a result cannot be stored, in
// DynamoDB's own words.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

var (
	errOverflow  = &Error{"Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow = &Error{"Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errPrecision = &Error{"Attempting to store more than 38 significant digits in a Number"}
)

// Normalize returns DynamoDB's canonical text for s: plain digits without an
// exponent, without a plus sign, and without zeros that carry no value, so that
// equal numbers have equal texts. The error is an *Error.
func Normalize(s string) (string, error) {
	if isCanonicalInteger(s) {
		return s, nil
	}
	n, err := Parse(s)
	if err != nil {
		return "", err
	}
	return n.String(), nil
}

// isCanonicalInteger recognises the common case, which needs no parsing.
func isCanonicalInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > maxDigits || digits[0] == '0' {
		return s == "0"
	}
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// String returns the canonical text of n, as Normalize does.
func (n Number) String() string {
	if n.length == 0 {
		return "0"
	}
	digits := n.digits[:n.length]
	whole := int(n.exponent) + 1 // digits before the point
	out := make([]byte, 0, len(digits)+max(whole, -whole)+3)
	if n.negative {
		out = append(out, '-')
	}
	switch {
	case whole <= 0:
		out = append(out, "0."...)
		out = appendZeros(out, -whole)
		out = append(out, digits...)
	case whole >= len(digits):
		out = append(out, digits...)
		out = appendZeros(out, whole-len(digits))
	default:
		out = append(out, digits[:whole]...)
		out = append(out, '.')
		out = append(out, digits[whole:]...)
	}
	return string(out)
}

func appendZeros(out []byte, count int) []byte {
	for range count {
		out = append(out, '0')
	}
	return out
}
