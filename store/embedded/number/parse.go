package number

import (
	"strconv"
	"strings"
)

// Parse parses a number as DynamoDB does: an optional sign, digits with an
// optional point, and an optional exponent, without spaces. Errors are *Error.
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
		last  = -1 // index of the last digit that is not 0
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
		// The range check applies to zeros as they are written.
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

// checkExponent checks that the sum of the written exponent and of the position
// of the first digit is in range. The sum itself could overflow an int64.
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
