// Package number implements DynamoDB's number type: decimals of up to 38
// significant digits with magnitudes from 1E-130 to 9.99…E+125, exact in every
// operation. It parses, formats, compares, adds and subtracts numbers, and
// encodes them as bytes that sort as the numbers do.
//
// The limits are from
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
package number

import "strings"

// Range of a number.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// Number is a decimal. The zero value is 0. Equal numbers are equal under ==,
// because digits have no leading or trailing zeros.
type Number struct {
	negative bool
	length   uint8           // number of digits; 0 means the value 0
	exponent int16           // power of ten of the first digit: 1 for 12.5
	digits   [maxDigits]byte // ASCII digits, and 0 beyond length
}

// Error is an invalid number or a result out of range, with DynamoDB's message.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

var (
	errOverflow  = &Error{"Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow = &Error{"Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errPrecision = &Error{"Attempting to store more than 38 significant digits in a Number"}
)

// Normalize returns DynamoDB's canonical form of s: plain digits without
// exponent, plus sign, or redundant zeros. Equal numbers have the same form.
// Errors are *Error.
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

// isCanonicalInteger reports whether s is an integer in canonical form, the
// common case, which needs no parsing.
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

// String returns the canonical form of n, as Normalize does.
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
