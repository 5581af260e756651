// Package number implements DynamoDB's number type: decimals of up to 38 significant
// digits, with magnitudes from 1E-130 to 9.99…E+125. All operations are exact. The
// package parses, formats, compares, adds and subtracts numbers. It also encodes
// them as bytes that sort like the numbers.
//
// The limits are in
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
package number

import "strings"

// Limits of numbers.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// Number is a decimal number. The zero value is 0. Equal numbers are equal by the operator
// ==, because digits have no leading or trailing zeros.
type Number struct {
	negative bool
	length   uint8           // number of digits; 0 means the value 0
	exponent int16           // power of ten of the first digit, such as 1 for 12.5
	digits   [maxDigits]byte // ASCII digits, followed by zero bytes
}

// Error means that a number is invalid or a result is out of range. It has DynamoDB's
// message.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

var (
	errOverflow  = &Error{"Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow = &Error{"Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errPrecision = &Error{"Attempting to store more than 38 significant digits in a Number"}
)

// Normalize returns the canonical form of a number, as DynamoDB does: digits without
// exponent, plus sign or redundant zeros. Equal numbers have the same form. Errors
// are *Error.
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

// isCanonicalInteger reports whether s is an integer in canonical form, the most
// common case. Such a number needs no parsing.
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

// String returns the canonical form of n; see Normalize.
func (n Number) String() string {
	if n.length == 0 {
		return "0"
	}
	digits := n.digits[:n.length]
	whole := int(n.exponent) + 1 // number of digits before the point
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
