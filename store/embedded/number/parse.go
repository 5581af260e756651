package number

import (
	"strconv"
	"strings"
)

// Parse reads a number as DynamoDB accepts it: an optional sign, digits with an
// optional point, and an optional exponent. Nothing else, not even a space, may
// stand around it. The error is an *Error.
func Parse(s string) (Number, error) {
	mantissa, exponent := s, int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.ParseInt(s[i+1:], 10, 64); err != nil {
			return Number{}, notNumeric(s)
		}
		mantissa = s[:i]
	}
	var n Number
	if rest, ok := strings.CutPrefix(mantissa, "-"); ok {
		n.negative, mantissa = true, rest
	} else {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	var (
		count = 0  // digits read
		point = -1 // digits before the point
		first = -1 // index of the first digit that is not 0
		last  = -1 // index of the last such digit
	)
	for i := range len(mantissa) {
		c := mantissa[i]
		if c == '.' && point < 0 {
			point = count
			continue
		}
		if !isDigit(c) {
			return Number{}, notNumeric(s)
		}
		if c != '0' {
			last = count
			if first < 0 {
				first = count
			}
		}
		if first >= 0 && count-first < maxDigits {
			n.digits[count-first] = c
		}
		count++
	}
	if count == 0 {
		return Number{}, notNumeric(s)
	}
	if point < 0 {
		point = count
	}
	if first < 0 {
		// A zero is held to the range by the exponent it is written with.
		return Number{}, checkExponent(exponent, point-count)
	}
	if err := checkExponent(exponent, point-1-first); err != nil {
		return Number{}, err
	}
	if last-first >= maxDigits {
		return Number{}, errPrecision
	}
	n.exponent = int16(exponent + int64(point-1-first))
	n.length = uint8(last - first + 1)
	clear(n.digits[n.length:])
	return n, nil
}

// checkExponent takes the sum of what is written after the E and of what the
// position of the digits adds to that; apart, because the first may be as large
// as an int64.
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
