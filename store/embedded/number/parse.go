package number

import (
	"strconv"
	"strings"
)

// Parse parses a number as DynamoDB does: an optional sign, digits with an
// optional point, and an optional exponent, without spaces. Errors are *Error.
func Parse(s string) (Number, error) {
	text, exponent := s, int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.ParseInt(s[i+1:], 10, 64); err != nil {
			return Number{}, notNumeric(s)
		}
		text = s[:i]
	}
	var n Number
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		n.negative, text = true, rest
	} else {
		text = strings.TrimPrefix(text, "+")
	}
	m, ok := scanMantissa(text, &n.digits)
	if !ok {
		return Number{}, notNumeric(s)
	}
	if m.first < 0 {
		// DynamoDB limits the exponent of a zero, too.
		return Number{}, checkExponent(exponent, m.point-m.count)
	}
	if err := checkExponent(exponent, m.point-1-m.first); err != nil {
		return Number{}, err
	}
	if m.last-m.first >= maxDigits {
		return Number{}, errPrecision
	}
	n.exponent = int16(exponent + int64(m.point-1-m.first))
	n.length = uint8(m.last - m.first + 1)
	clear(n.digits[n.length:])
	return n, nil
}

// mantissa describes the digits of a number.
type mantissa struct {
	count       int // number of digits
	point       int // number of digits before the point
	first, last int // indexes of the first and last nonzero digit, or -1
}

// scanMantissa copies the digits from the first nonzero digit on. ok is false if s
// contains anything other than digits and one point.
func scanMantissa(s string, digits *[maxDigits]byte) (mantissa, bool) {
	m := mantissa{point: -1, first: -1, last: -1}
	for i := range len(s) {
		c := s[i]
		if c == '.' && m.point < 0 {
			m.point = m.count
			continue
		}
		if !isDigit(c) {
			return m, false
		}
		if c != '0' {
			m.last = m.count
			if m.first < 0 {
				m.first = m.count
			}
		}
		if m.first >= 0 && m.count-m.first < maxDigits {
			digits[m.count-m.first] = c
		}
		m.count++
	}
	if m.point < 0 {
		m.point = m.count
	}
	return m, m.count > 0
}

// checkExponent returns an error if the exponent of the number is out of range. The
// exponent is the sum of the arguments written and position. checkExponent does not compute
// this sum, because it can overflow an int64.
func checkExponent(written int64, position int) error {
	switch {
	case written > maxExponent-int64(position):
		return errOverflow
	case written < minExponent-int64(position):
		return errUnderflow
	}
	return nil
}

func notNumeric(s string) error {
	message := "The parameter cannot be converted to a numeric value"
	if s != "" {
		message += ": " + s
	}
	return &Error{message}
}
